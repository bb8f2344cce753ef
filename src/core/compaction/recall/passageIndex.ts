import { cutHead, cutTail } from '../../chat/cut.ts';
import type { Message, MessageId, MessageRange } from '../../chat/message.ts';
import type { Steps } from '../../steps.ts';
import { readableCall, readableText } from './readable.ts';

/**
 * A run of letters and digits, with the characters that join the parts of a name: `src/a.ts`, `foo.bar`, `no-verify`,
 * `max_tokens`.
 */
const NAME = /[\p{L}\p{M}\p{N}_$]+(?:[-./\\:@#+]+[\p{L}\p{M}\p{N}_$]+)*/gu;
const PATH_JOINT = /[/\\:@#+]+/;
const WORD_JOINT = /[-._$]+/;
const HUMP = /(?<=[\p{Ll}\p{N}])(?=\p{Lu})|(?<=\p{Lu})(?=\p{Lu}\p{Ll})/u;
const SPACELESS =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}]/u;
const ASCII_ONLY = /^[\x20-\x7e]*$/;
const JOINED = /[^\p{L}\p{M}\p{N}]/u;

/** A longer run is not a name that somebody would search for (base64, a minified line). Characters. */
const LONGEST_TERM = 80;

/**
 * Inflected forms of a word begin alike in most languages, so of a longer plain word only this many letters count.
 * (Truncation at 5 or 6 does about as well as a stemmer for each language: McNamee and Mayfield 2004.)
 */
const WORD_BEGINNING = 6;

/** The terms under which a text can be found: names both whole and in parts, case folded. */
export function termsOf(text: string): string[] {
  const terms: string[] = [];
  for (const [name] of text.matchAll(NAME)) {
    if (name.length > LONGEST_TERM) continue;
    const parts = partsOf(name);
    const whole = parts.length > 0 ? name.toLowerCase() : fold(name);
    if (parts.length === 0 || !isSpaceless(name)) terms.push(whole);
    // A name that somebody writes in small letters looks like a plain word, so it is also indexed by its beginning.
    if (parts.length > 0 && fold(name) !== whole) terms.push(fold(name));
    for (const part of parts) terms.push(part);
  }
  return terms.filter(isTerm);
}

function partsOf(name: string): string[] {
  if (isSpaceless(name)) return pairs(name);
  const parts = new Set<string>();
  for (const segment of name.split(PATH_JOINT)) {
    if (segment !== name) parts.add(fold(segment));
    for (const word of segment.split(WORD_JOINT)) {
      if (word !== name) parts.add(fold(word));
      const humps = word.split(HUMP);
      if (humps.length > 1) for (const hump of humps) parts.add(fold(hump));
    }
  }
  parts.delete('');
  return [...parts].filter(isTerm);
}

/** Scripts without spaces between words are searched by pairs of characters. */
function pairs(text: string): string[] {
  const characters = [...text];
  if (characters.length === 1) return [];
  return characters.slice(1).map((character, index) => `${characters[index]}${character}`.toLowerCase());
}

function isSpaceless(text: string): boolean {
  return !ASCII_ONLY.test(text) && SPACELESS.test(text);
}

function fold(word: string): string {
  const lower = word.toLowerCase();
  return lower.length <= WORD_BEGINNING || /\p{N}/u.test(lower) || JOINED.test(lower)
    ? lower
    : lower.slice(0, WORD_BEGINNING);
}

/** Single Latin letters are no terms; digits are, and characters that are words by themselves. */
function isTerm(term: string): boolean {
  return term.length > 1 || (term !== '' && !/[a-z_$]/.test(term));
}

/** Who wrote a passage: the human, the agent, the agent calling a tool, a tool (or a client), or the prompt. */
type PassageKind = 'human' | 'agent' | 'call' | 'result' | 'system';

/** Where a passage is. Lines count from 1 in the message's text, or in the readable form of one of its calls. */
export interface Place {
  readonly message: MessageId;
  readonly from: number;
  readonly to: number;
  /** For a passage of a call: which of the message's calls, counted from 0. */
  readonly call?: number;
}

/** Whether a place is in any of some ranges. */
export function isIn({ message }: Place, ranges: readonly MessageRange[]): boolean {
  return ranges.some(({ from, to }) => from <= message && message <= to);
}

/** A stretch of raw text, a few hundred characters long. Text that tools repeat is one passage with several places. */
export interface IndexedPassage {
  readonly text: string;
  readonly kind: PassageKind;
  /** For the human's words: the end of the agent's message before them, by which they can be found too. */
  readonly answering?: string;
  /** Oldest first, at least one. */
  readonly places: [Place, ...Place[]];
  /** Its place among the passages. */
  readonly number: number;
  /** In terms. */
  readonly size: number;
}

/** The weight of a match by who wrote it: prose before calls, calls before output. */
const WEIGHTS: Readonly<Record<PassageKind, number>> = { human: 1.5, agent: 1.5, call: 1.25, result: 1, system: 1 };

/** Terms that are less than this share as significant as the most significant one are not searched for. */
const LEAST_TELLING = 0.15;

/** Of a long query only this many terms are searched for, the most significant, so that a search takes a few milliseconds. */
const MOST_TERMS = 24;

/** BM25: k1, the saturation of term frequency, and b, the share of length normalisation. */
const SATURATION = 1.2;
const LENGTH_SHARE = 0.7;

/**
 * The answer often stands next to a match, so a passage gets this share of each neighbour's score; output of tools gets it
 * only where it matches itself.
 */
const FROM_NEIGHBOUR = 0.3;

/**
 * A short answer of the human can also be found by what it answers: this much of the end of the agent's message.
 * Characters.
 */
const ANSWERED = 600;

/** The passages that have a term, in order, how often each has it, and how many of them people wrote. */
interface Occurrences {
  readonly passages: IndexedPassage[];
  readonly counts: number[];
  prose: number;
}

/** A full-text index of the raw messages. Reads each message once. */
export class PassageIndex {
  readonly #messages: readonly Message[];
  readonly #passages: IndexedPassage[] = [];
  readonly #byText = new Map<string, IndexedPassage>();
  readonly #terms = new Map<string, Occurrences>();
  #prose = 0;
  #size = 0;
  #read = 0;
  #reading: Iterator<void> | undefined;
  #answered = '';

  /** @param messages the transcript's, a growing list */
  constructor(messages: readonly Message[]) {
    this.#messages = messages;
  }

  /** Every passage read so far, in the order of first places. */
  get passages(): readonly IndexedPassage[] {
    return this.#passages;
  }

  /** Reads new messages, one passage per step. Several callers may take turns. */
  *update(): Steps<void> {
    for (let message = this.#messages[this.#read]; message !== undefined; message = this.#messages[this.#read]) {
      this.#reading ??= this.#readMessage(message);
      if (this.#reading.next().done === true) {
        this.#reading = undefined;
        this.#read += 1;
      }
      yield;
    }
  }

  /**
   * The passages that match a text, best first: any of its words counts (BM25 with squared significance, so that
   * many function words do not outweigh one telling word), and what stands next to a match counts too. Scores are
   * comparable within one search only.
   *
   * @param options `most`: the most passages to return; `among`: which are looked at; all by default
   */
  search(
    query: string,
    {
      most,
      among = () => true,
    }: { readonly most?: number; readonly among?: (passage: IndexedPassage) => boolean } = {},
  ): readonly { readonly passage: IndexedPassage; readonly score: number }[] {
    const scores = new Map<IndexedPassage, number>();
    const terms = [...new Set(termsOf(query))].map((term) => ({ term, telling: this.#telling(term) }));
    terms.sort((left, right) => right.telling - left.telling);
    for (const { term, telling } of terms.slice(0, MOST_TERMS)) {
      if (telling < LEAST_TELLING * (terms[0]?.telling ?? 0)) break;
      const { passages, counts } = this.#terms.get(term) ?? NOWHERE;
      for (const [at, passage] of passages.entries()) {
        if (!among(passage)) continue;
        const length = 1 - LENGTH_SHARE + (LENGTH_SHARE * passage.size * this.#passages.length) / this.#size;
        const count = counts[at] ?? 0;
        const gain = (telling ** 2 * WEIGHTS[passage.kind] * count * (SATURATION + 1)) / (count + SATURATION * length);
        scores.set(passage, (scores.get(passage) ?? 0) + gain);
      }
    }
    const withNeighbours = new Map(scores);
    for (const [{ number }, score] of scores)
      for (const near of [this.#passages[number - 1], this.#passages[number + 1]])
        if (near !== undefined && (scores.has(near) || (isProse(near.kind) && among(near))))
          withNeighbours.set(near, (withNeighbours.get(near) ?? 0) + FROM_NEIGHBOUR * score);
    const found = [...withNeighbours].map(([passage, score]) => ({ passage, score }));
    return found.sort((left, right) => right.score - left.score).slice(0, most);
  }

  /** The words and names of a text that occur nowhere, not even in parts. */
  absent(text: string): readonly string[] {
    const names = new Set(Array.from(text.matchAll(NAME), ([name]) => name));
    return [...names].filter((name) => {
      const terms = termsOf(name);
      return terms.length > 0 && !terms.some((term) => this.#terms.has(term));
    });
  }

  /**
   * How significant a term is, 0 to 1; 0 for one that occurs nowhere. Function words are rare where most text is code and
   * output, but not where people speak: what is common in prose is common, in any language.
   */
  #telling(term: string): number {
    const { passages, prose } = this.#terms.get(term) ?? NOWHERE;
    if (passages.length === 0) return 0;
    return Math.min(rarity(this.#passages.length, passages.length), rarity(this.#prose, prose));
  }

  *#readMessage(message: Message): Generator<void, void, void> {
    const kind = kindOf(message);
    let answering = kind === 'human' ? this.#answered : '';
    for (const passage of splitPassages(readableText(message))) {
      this.#add(kind, passage, { message: message.id }, answering);
      answering = '';
      yield;
    }
    if (message.role !== 'assistant') return;
    if (message.text.trim() !== '') this.#answered = cutTail(message.text.trimEnd(), ANSWERED);
    for (const [call, made] of message.calls.entries())
      for (const passage of splitPassages(readableCall(made))) {
        this.#add('call', passage, { message: message.id, call }, '');
        yield;
      }
  }

  #add(
    kind: PassageKind,
    { text, from, to }: TextPassage,
    at: { message: MessageId; call?: number },
    answering: string,
  ): void {
    const place = { ...at, from, to };
    const key = `${kind} ${kind === 'human' ? at.message : ''} ${text}`;
    const known = this.#byText.get(key);
    if (known !== undefined) {
      known.places.push(place);
      return;
    }
    const terms = termsOf(answering === '' ? text : `${text}\n${answering}`);
    const passage: IndexedPassage = {
      text,
      kind,
      places: [place],
      number: this.#passages.length,
      size: terms.length,
      ...(answering !== '' && { answering }),
    };
    this.#byText.set(key, passage);
    this.#passages.push(passage);
    this.#size += terms.length;
    if (isProse(kind)) this.#prose += 1;
    for (const term of terms) {
      const known = this.#terms.get(term) ?? { passages: [], counts: [], prose: 0 };
      this.#terms.set(term, known);
      const last = known.passages.length - 1;
      if (known.passages[last] === passage) known.counts[last] = (known.counts[last] ?? 0) + 1;
      else {
        known.passages.push(passage);
        known.counts.push(1);
        if (isProse(kind)) known.prose += 1;
      }
    }
  }
}

/** What people write and say to each other. */
function isProse(kind: PassageKind): boolean {
  return kind === 'human' || kind === 'agent';
}

const NOWHERE: Occurrences = { passages: [], counts: [], prose: 0 };

/** The inverse document frequency of BM25, relative to that of a term which occurs nowhere. */
function rarity(passages: number, having: number): number {
  const frequency = (count: number): number => Math.log(1 + (passages - count + 0.5) / (count + 0.5));
  return frequency(having) / frequency(0);
}

function kindOf(message: Message): PassageKind {
  if (message.role === 'user') return message.by === 'client' ? 'result' : 'human';
  if (message.role === 'system') return 'system';
  return message.role === 'assistant' ? 'agent' : 'result';
}

/** A passage ends at the first blank line after this many characters, or at the end of a line before MOST. */
const ENOUGH = 300;
const MOST = 700;

/** A few hundred characters of a text, ending at a paragraph or line. */
interface TextPassage {
  readonly text: string;
  /** The lines of the text that it covers, both ends included, counted from 1. */
  readonly from: number;
  readonly to: number;
}

/** Splits a text into passages, without blank ones. Lazy, so that a caller can pause within a long text. */
export function* splitPassages(text: string): Generator<TextPassage, void, void> {
  let held = '';
  let from = 1;
  let number = 0;
  for (const line of numberedLines(text)) {
    number += 1;
    const isBlank = line.trim() === '';
    const isFull = held.length + line.length > MOST || (isBlank && held.length >= ENOUGH) || !held.endsWith('\n');
    if (held !== '' && isFull) {
      yield { text: held.trimEnd(), from, to: number - 1 };
      held = '';
    }
    if (held === '') {
      if (isBlank) continue;
      from = number;
    }
    held += line;
  }
  if (held !== '') yield { text: held.trimEnd(), from, to: number };
}

/**
 * The lines of a text, each with its end, as recall counts them: a line of more than a few hundred characters counts as
 * several, so that each part of any text has a number.
 */
export function* numberedLines(text: string): Generator<string, void, void> {
  let start = 0;
  while (start < text.length) {
    const found = text.indexOf('\n', start);
    const end = found < 0 ? text.length : found + 1;
    while (end - start > MOST + 1) {
      const window = text.slice(start, start + MOST + 1);
      const piece = cutHead(window, MOST) || window.slice(0, MOST);
      yield piece;
      start += piece.length;
    }
    yield text.slice(start, end);
    start = end;
  }
}
