import { type Block, findHolding } from '../../chat/blocks.ts';
import { cutHead, cutTail } from '../../chat/cut.ts';
import { underLabel } from '../../chat/fence.ts';
import { handleOf } from '../../chat/handle.ts';
import type { MessageId } from '../../chat/message.ts';
import type { Transcript } from '../../chat/transcript.ts';
import { describeUse } from '../../ledger/describe.ts';
import { readBlock } from '../../ledger/reading.ts';
import type { IndexedPassage, Place } from './passageIndex.ts';

/** Raw content behind a handle. */
export interface Recalled {
  readonly handle: string;
  /** What it is, in a few words: `user`, `npm test · exit 1 · 212 lines`. */
  readonly what: string;
  readonly text: string;
}

/** The answer to one recall request. */
export interface RecallAnswer {
  /** `opened`: each text is what is behind a handle; `searched`: excerpts, best first. */
  readonly kind: 'opened' | 'searched';
  /** A sentence on what was not found and what to try instead; always there when nothing was found. */
  readonly notice?: string;
  readonly found: readonly Recalled[];
}

/** The block that contains a message; undefined when there is no such message. */
export function blockOf({ blocks }: Transcript, id: MessageId): Block | undefined {
  return blocks[findHolding(blocks, id)];
}

/**
 * Says in a few words what a message is: who speaks or, for a call and its result, what the tool was used for and how
 * it went.
 */
export function describeMessage(block: Block, id: MessageId, call?: number): string {
  if (block.kind === 'system') return 'system';
  if (block.kind === 'user') return block.messages[0].by === 'client' ? 'client' : 'user';
  if (block.kind === 'assistant') return 'agent';
  if (block.kind === 'stray') return 'result without a call';
  const { uses } = readBlock(block);
  const use = id === block.range.from ? uses[call ?? -1] : uses.find(({ result }) => result?.at === id);
  if (use !== undefined) return oneLine(describeUse(use));
  return id === block.range.from ? 'agent' : 'result without a call';
}

/** What an agent or a client wrote, as part of a label: it ends neither the label nor its line. */
export function oneLine(text: string): string {
  return text
    .replaceAll(/[\s\p{Cc}]/gu, ' ')
    .replaceAll('[', '(')
    .replaceAll(']', ')');
}

/** An answer as texts with their handles; a notice becomes the first line, or a text of its own without a handle. */
export function recalledTexts({ kind, notice, found }: RecallAnswer): { handle: string; text: string }[] {
  const texts = found.map(({ handle, what, text }) => ({
    handle,
    text: kind === 'opened' ? text : `${what}\n${text}`,
  }));
  const [first] = texts;
  if (notice !== undefined && first !== undefined) first.text = `${notice}\n${first.text}`;
  return notice !== undefined && first === undefined ? [{ handle: '', text: notice }] : texts;
}

/** Before an answer of at most this many characters, this much of the agent's message is shown. Characters. */
const SHORT_ANSWER = 80;
const ANSWERING_SHOWN = 200;

/** The room for brackets, handle and line ends of an entry; for the gap mark before a part. */
const FRAME = 12;
const GAP = 14;

interface Entry {
  readonly place: Place;
  readonly what: string;
  readonly parts: { readonly from: number; readonly text: string }[];
}

/** The excerpts of one answer: passages by message and call, in the order in which these are added, within a given room. */
export class Excerpts {
  readonly #entries = new Map<string, Entry>();
  readonly #shown = new Set<IndexedPassage>();
  readonly #transcript: Transcript;
  readonly #measure: (text: string) => number;
  /** What is left of the room. */
  room: number;

  /** @param room for all entries with their labels, in what `measure` gives: characters by default */
  constructor(transcript: Transcript, room: number, measure = ({ length }: string): number => length) {
    this.#transcript = transcript;
    this.room = room;
    this.#measure = measure;
  }

  /** Gives some of the room to a text that the caller writes beside the excerpts. */
  reserve(text: string): void {
    this.room -= this.#measure(text) + FRAME;
  }

  /** Adds a passage at one of its places, the newest by default; false when it does not fit or is shown already. */
  add(passage: IndexedPassage, place: Place = passage.places.at(-1) ?? passage.places[0]): boolean {
    const key = `${place.message} ${place.call ?? ''}`;
    const known = this.#entries.get(key);
    const block = blockOf(this.#transcript, place.message);
    const what = block === undefined ? '' : describeMessage(block, place.message, place.call);
    const entry = known ?? { place, what, parts: [] };
    const frame = GAP + (known === undefined ? this.#measure(what) + FRAME : 0);
    const whole = excerptOf(passage);
    // Of the first passage, which is the best, as much is shown as there is room for.
    const text = this.#entries.size === 0 ? cutHead(whole, this.room - frame) : whole;
    const size = this.#measure(text) + frame;
    if (text === '' || size > this.room || this.#shown.has(passage)) return false;
    this.room -= size;
    this.#shown.add(passage);
    // Where tools print files, the line says where to open the message.
    const at = passage.kind === 'result' && place.from > 1 ? `… line ${place.from}:\n` : '';
    entry.parts.push({ from: place.from, text: `${at}${text}` });
    this.#entries.set(key, entry);
    return true;
  }

  /** The entries in the order in which they were added; the passages of each are in the order of the text. */
  write(): readonly Recalled[] {
    return [...this.#entries.values()].map(({ place: { message }, what, parts }) => ({
      handle: handleOf({ from: message, to: message }),
      what,
      text: parts
        .sort((left, right) => left.from - right.from)
        .map(({ text }) => text)
        .join('\n…\n'),
    }));
  }
}

/** A passage as it is shown: before a short answer of the human (`yes`), the end of the message that it replies to. */
function excerptOf({ answering, text }: IndexedPassage): string {
  if (answering === undefined || text.length > SHORT_ANSWER) return underLabel(text);
  const question = cutTail(answering, ANSWERING_SHOWN).trim().replace(/\s+/g, ' ');
  return underLabel(`(to the agent's: …${question})\n${text}`);
}
