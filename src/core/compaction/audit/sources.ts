import { readBlock } from '../../ledger/reading.ts';
import { type Block, blockMessages } from '../../messages/blocks.ts';
import type { MessageId, MessageRange } from '../../messages/message.ts';
import type { Transcript } from '../../messages/transcript.ts';
import type { Steps } from '../../steps.ts';
import type { NamedThing } from './names.ts';

const WORD = /[\p{L}\p{N}_]/u;
const WORDS = /[\p{L}\p{N}]+/gu;

/** A block as one text: what it calls, then what it says and prints. */
interface SourceText {
  readonly ids: ReadonlySet<MessageId>;
  readonly text: string;
}

/** The raw messages as the audit of a note reads them, a call and its results as one text. */
export class Sources {
  readonly #transcript: Transcript;
  readonly #texts: SourceText[] = [];
  /** By message. */
  readonly #blocks: Block[] = [];
  readonly #found = new Map<string, readonly SourceText[]>();
  /** Every word, so that most absent names are refused without a search. */
  readonly #words = new Set<string>();

  constructor(transcript: Transcript) {
    this.#transcript = transcript;
  }

  /** Reads every block once. */
  *read(): Steps<void> {
    for (const block of this.#transcript.blocks) {
      const source = readSource(block);
      this.#texts.push(source);
      for (const id of source.ids) this.#blocks[id] = block;
      for (const [word] of source.text.matchAll(WORDS)) {
        this.#words.add(word);
        const figure = /^\d+(?=\D)/.exec(word);
        if (figure !== null) this.#words.add(figure[0]);
      }
      yield;
    }
  }

  /** Whether any message has the name, in any of its forms, or any block has a path in two parts. */
  has(name: NamedThing): boolean {
    return name.forms.some((form) => this.#find(form).length > 0) || this.#haveParts(name, () => true);
  }

  /** Whether some messages, or the calls and results that belong to them, have the name. */
  isIn(name: NamedThing, ids: ReadonlySet<MessageId>): boolean {
    const cited = (source: SourceText): boolean => overlaps(source.ids, ids);
    return name.forms.some((form) => this.#find(form).some(cited)) || this.#haveParts(name, cited);
  }

  /** A folder and what is in it may be named apart: by a listing, or by a command that changes to the folder first. */
  #haveParts(name: NamedThing, among: (source: SourceText) => boolean): boolean {
    const path = name.forms.at(-1) ?? '';
    for (let cut = path.lastIndexOf('/'); cut > 0; cut = path.lastIndexOf('/', cut - 1)) {
      const folders = new Set(this.#find(path.slice(0, cut)));
      if (this.#find(path.slice(cut + 1)).some((source) => folders.has(source) && among(source))) return true;
    }
    return false;
  }

  /** Whether one message has all of some texts, apart from case and white space. */
  haveTogether(pieces: readonly string[]): boolean {
    const wanted = pieces.map(plain);
    return this.#texts.some(({ text }) => wanted.every((piece) => hasPiece(text, piece)));
  }

  /** The blocks that hold some ranges, in order. */
  blocksOf(ranges: readonly MessageRange[]): readonly Block[] {
    const held = new Set<Block>();
    for (const { from, to } of ranges)
      for (let id = Math.max(0, from); id <= to && id < this.#blocks.length; id += 1) {
        const block = this.#blocks[id];
        if (block !== undefined) held.add(block);
      }
    return [...held].sort((left, right) => left.range.from - right.range.from);
  }

  /** The text of some messages, in the form in which it is compared. */
  textOf(ids: ReadonlySet<MessageId>): string {
    return this.#texts
      .filter((source) => overlaps(source.ids, ids))
      .map(({ text }) => text)
      .join('\n');
  }

  /**
   * A quick test for absence: all words of a form must be known. The beginning of a hash is not a word, so it always
   * may be.
   */
  #mayHave(form: string): boolean {
    if (/^[0-9a-f]{7,}$/.test(form)) return true;
    for (const [word] of form.matchAll(WORDS)) if (!this.#words.has(word)) return false;
    return true;
  }

  /** The texts in which a form stands, not as a part of a longer name. */
  #find(form: string): readonly SourceText[] {
    const known = this.#found.get(form);
    if (known !== undefined) return known;
    const found = this.#mayHave(form) ? this.#texts.filter(({ text }) => stands(text, form)) : [];
    this.#found.set(form, found);
    return found;
  }
}

function readSource(block: Block): SourceText {
  const messages = blockMessages(block);
  const calls = messages.flatMap((message) =>
    message.role === 'assistant' ? message.calls.map((call) => `${call.name} ${plainCall(call.arguments)}`) : [],
  );
  const text = plain([...calls, ...messages.map((message) => message.text)].join('\n'));
  return { ids: new Set(messages.map(({ id }) => id)), text };
}

function overlaps(left: ReadonlySet<MessageId>, right: ReadonlySet<MessageId>): boolean {
  for (const id of left) if (right.has(id)) return true;
  return false;
}

/** The messages of some blocks. */
export function idsOf(blocks: readonly Block[]): ReadonlySet<MessageId> {
  return new Set(blocks.flatMap((block) => blockMessages(block).map(({ id }) => id)));
}

/** True for a block that holds words of the human. */
export function isHuman(block: Block): boolean {
  if (block.kind === 'user') return block.messages[0].by === 'human';
  return wordsOfHuman(block).length > 0;
}

/** What the human wrote in a block: a message, or replies inside the results of tools. */
export function wordsOfHuman(block: Block): string[] {
  const { human, uses } = readBlock(block, undefined);
  return [...(human === undefined ? [] : [human]), ...uses.flatMap(({ result }) => result?.reply ?? [])];
}

/**
 * A piece that ends in the root directory must not match the beginning of another path: `rm -rf /` is not in `rm -rf
 * /tmp/x`.
 */
function hasPiece(text: string, piece: string): boolean {
  return piece.endsWith(' /')
    ? text
        .split(piece)
        .slice(1)
        .some((rest) => !/^[\w.~]/.test(rest))
    : text.includes(piece);
}

/** Lower case, one blank for any white space, typographic marks plain. */
export function plain(text: string): string {
  return text
    .toLowerCase()
    .replace(/[\u2018\u2019]/g, "'")
    .replace(/[\u201c\u201d]/g, '"')
    .replace(/\\+(?=[\\/])/g, '')
    .replace(/\s+/g, ' ');
}

/** Escaped line ends and quotes in arguments become what they mean. */
function plainCall(text: string): string {
  return text.replace(/\\[nt]/g, ' ').replace(/\\(["'])/g, '$1');
}

function stands(text: string, form: string): boolean {
  for (let at = text.indexOf(form); at >= 0; at = text.indexOf(form, at + form.length))
    if (begins(text, at, form) && !continues(text, at + form.length, form)) return true;
  return false;
}

/** True when no longer word begins before the form. `run_code` is found in `browser_run_code`, 1.6.0 in v1.6.0. */
function begins(text: string, at: number, form: string): boolean {
  const before = text[at - 1];
  if (before === '_' || !isJoined(before, form[0])) return true;
  return before === 'v' && /^\d/.test(form) && !isJoined(text[at - 2], before);
}

function isJoined(neighbour: string | undefined, edge: string | undefined): boolean {
  if (neighbour === undefined || edge === undefined) return false;
  return WORD.test(neighbour) && WORD.test(edge);
}

/** True when the form is only the beginning of a longer name or figure. The rest of a hash may follow. */
function continues(text: string, end: number, form: string): boolean {
  const after = text[end];
  if (!isJoined(after, form.at(-1)))
    return /\d$/.test(form) && /^(?!(?:\.0)+(?!\.?\d))[.,]\d/.test(text.slice(end, end + 8));
  if (/^[0-9a-f]{7,}$/.test(form)) return !/^[0-9a-f]*(?![\p{L}\p{N}_])/u.test(text.slice(end, end + 64));
  // A unit directly behind a figure: 250 in 250ms.
  return !(/^\d[\d.,]*$/.test(form) && /^[\p{L}%µ]{1,4}(?![\p{L}\p{N}_])/u.test(text.slice(end, end + 6)));
}
