import { describeUse } from '../../ledger/describe.ts';
import { readBlock } from '../../ledger/reading.ts';
import { type Block, findHolding } from '../../messages/blocks.ts';
import { cutTail } from '../../messages/cut.ts';
import { underLabel } from '../../messages/fence.ts';
import { handleOf } from '../../messages/handle.ts';
import type { MessageId } from '../../messages/message.ts';
import type { Transcript } from '../../messages/transcript.ts';
import { type Passage, type Place, termsOf } from './passageIndex.ts';

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

/** Of calls and output, only lines with a word of the query are shown, and this many around each. */
const LINES_AROUND = 2;

/** Before an answer of at most this many characters, this much of the agent's message is shown. Characters. */
const SHORT_ANSWER = 80;
const ANSWERING_SHOWN = 200;

/** Shorter lines do not count as repetitions: brackets, blank marks. Characters. */
const TELLING_LINE = 12;

/** The room for brackets, handle and line ends of an entry; for the gap mark before a part. */
const FRAME = 12;
const GAP = 14;

/** The line numbers that tools print before the lines of a file. */
const LINE_NUMBER = /^\s*\d+\s*[→|:\t]/;

interface Entry {
  readonly id: MessageId;
  readonly what: string;
  readonly parts: { readonly from: number; readonly text: string; readonly isNumbered: boolean }[];
}

/**
 * The excerpts of one answer: entries by message, in the order in which they are added, without repeated text, within a
 * given room.
 */
export class Excerpts {
  readonly #entries = new Map<string, Entry>();
  readonly #shown = new Set<string>();
  readonly #transcript: Transcript;
  readonly #terms: ReadonlySet<string>;
  readonly #measure: (text: string) => number;
  /** What is left of the room. */
  room: number;

  /**
   * @param terms lines with any of these are shown
   * @param room for all entries with their labels, in what `measure` gives: characters unless told
   */
  constructor(transcript: Transcript, terms: ReadonlySet<string>, room: number, measure?: (text: string) => number) {
    this.#transcript = transcript;
    this.#terms = terms;
    this.room = room;
    this.#measure = measure ?? (({ length }) => length);
  }

  /** Gives some of the room to a text that the caller writes beside the excerpts. */
  reserve(text: string): void {
    this.room -= this.#measure(text) + FRAME;
  }

  /** Adds the best lines of a passage, at one of its places; false when they do not fit or repeat what is shown. */
  add(passage: Passage, place: Place = passage.places.at(-1) ?? passage.places[0]): boolean {
    const excerpt = this.#excerpt(passage);
    if (excerpt === undefined) return false;
    const { text } = excerpt;
    const key = `${place.message} ${place.call ?? ''}`;
    const known = this.#entries.get(key);
    const block = blockOf(this.#transcript, place.message);
    const what = block === undefined ? '' : describeMessage(block, place.message, place.call);
    const entry = known ?? { id: place.message, what, parts: [] };
    const isNumbered = passage.kind === 'result';
    const size = this.#measure(text) + GAP + (known === undefined ? this.#measure(entry.what) + FRAME : 0);
    if (size > this.room) return false;
    this.room -= size;
    for (const line of text.split('\n')) this.#shown.add(plainLine(line));
    entry.parts.push({ from: place.from + excerpt.skipped, text, isNumbered });
    this.#entries.set(key, entry);
    return true;
  }

  /**
   * The entries in the order in which they were added, best first; lines within an entry are in the order of the text.
   */
  write(): readonly Recalled[] {
    return [...this.#entries.values()].map(({ id, what, parts }) => ({
      handle: handleOf({ from: id, to: id }),
      what,
      text: [...parts]
        .sort((left, right) => left.from - right.from)
        .map(({ from, text, isNumbered }, index) => `${gapMark(from, index, isNumbered)}${text}`)
        .join('\n'),
    }));
  }

  /** The lines to show; undefined when the answer has them already. */
  #excerpt(passage: Passage): { readonly text: string; readonly skipped: number } | undefined {
    const lines = passage.text.split('\n');
    const wanted = this.#wantedLines(passage, lines);
    const fresh = wanted.filter((index) => this.#isNews(lines[index] ?? '', isSaid(passage)));
    if (fresh.length === 0) return undefined;
    const text = fresh
      .map((index, position) => {
        const skipped = lines.slice((fresh[position - 1] ?? index - 1) + 1, index);
        return `${skipped.length === 0 ? '' : '…\n'}${lines[index] ?? ''}`;
      })
      .join('\n');
    return { text: underLabel(`${answeringMark(passage)}${text}`), skipped: fresh[0] ?? 0 };
  }

  #wantedLines(passage: Passage, lines: readonly string[]): number[] {
    if (isSaid(passage)) return [...lines.keys()];
    const all = [...lines.keys()];
    const hasWord = lines.map((line) => termsOf(line).some((term) => this.#terms.has(term)));
    if (!hasWord.includes(true)) return all;
    return all.filter((index) =>
      hasWord.slice(Math.max(0, index - LINES_AROUND), index + LINES_AROUND + 1).includes(true),
    );
  }

  #isNews(line: string, inProse: boolean): boolean {
    const plain = plainLine(line);
    if (plain === '') return inProse;
    return plain.length < TELLING_LINE || !this.#shown.has(plain);
  }
}

function isSaid({ kind }: Passage): boolean {
  return kind === 'human' || kind === 'agent';
}

/** The end of the message that a short answer of the human replies to: `yes` needs its question. */
function answeringMark({ answering, text }: Passage): string {
  if (answering === undefined || text.length > SHORT_ANSWER) return '';
  return `(to the agent's: …${cutTail(answering, ANSWERING_SHOWN).trim().replace(/\s+/g, ' ')})\n`;
}

function plainLine(line: string): string {
  return line.replace(LINE_NUMBER, '').trim();
}

/** Says where a part begins, so that the message can be opened there. */
function gapMark(from: number, index: number, isNumbered: boolean): string {
  if (isNumbered && from > 1) return `… line ${from}:\n`;
  return index > 0 ? '…\n' : '';
}
