import MiniSearch from 'minisearch';
import { cutTail } from '../../messages/cut.ts';
import type { Message, MessageId } from '../../messages/message.ts';
import type { Steps } from '../../steps.ts';
import { splitPassages, type TextPassage } from './passages.ts';
import { readableCall } from './readableCall.ts';
import { TermCounts } from './termCounts.ts';
import { isName, termsOf, type Wanted, wantedOf } from './terms.ts';

/** Who wrote a passage: the human, the agent, the agent calling a tool, a tool (or a client), or the prompt. */
export type PassageKind = 'human' | 'agent' | 'call' | 'result' | 'system';

/** Where a passage is. Lines count from 1 in the message's text, or in the readable form of one of its calls. */
export interface Place {
  readonly message: MessageId;
  readonly from: number;
  readonly to: number;
  /** For a passage of a call: which of the message's calls, counted from 0. */
  readonly call?: number;
}

/** A stretch of raw text, a few hundred characters long. Text that tools repeat is one passage with several places. */
export interface Passage {
  readonly text: string;
  readonly kind: PassageKind;
  /** For the human's words: the end of the agent's message before them, by which they can be found too. */
  readonly answering?: string;
  /** Oldest first, at least one. */
  readonly places: readonly [Place, ...Place[]];
}

/** A passage that was found. */
export interface Scored {
  readonly passage: Passage;
  /** Comparable within one search only. */
  readonly score: number;
  /**
   * The words of the query that are neither in the passage nor in `answering`, as they were written. Words that the
   * search ignored, because others say much more, do not count as missing.
   */
  readonly missing: readonly string[];
}

/** Restricts what a search looks at and how much it returns. */
export interface SearchOptions {
  /** The most passages to return; default: all that match. */
  readonly most?: number;
  readonly among?: (passage: Passage) => boolean;
}

/** The weight of a match: what was said says more than what was done, and that more than what tools printed. */
const WEIGHTS: Readonly<Record<PassageKind, number>> = { human: 1.5, agent: 1.5, call: 1.25, result: 1, system: 1 };

/** How much more a name in the query (`setUserEmail`, `src/a.ts`) counts than a word. */
const NAME_BOOST = 2;

/** Terms that are less than this share as significant as the most significant one are not searched for. */
const LEAST_TELLING = 0.15;

/** Of a long query at most this many terms are searched for, so that a search takes a few milliseconds. */
const MOST_TERMS = 24;

/** Plain BM25: passages are about equally long, so the lower bound of BM25+ (`d`) is not needed. */
const BM25 = { k: 1.2, b: 0.7, d: 0 };

/**
 * A short answer of the human can also be found by what it answers: this much of the end of the agent's message.
 * Characters.
 */
const ANSWERED = 600;

interface Growing extends Passage {
  readonly places: [Place, ...Place[]];
}

/** A full-text index of the raw messages. Reads each message once. */
export class PassageIndex {
  readonly #messages: readonly Message[];
  readonly #passages: Growing[] = [];
  readonly #byText = new Map<string, Growing>();
  readonly #counts = new TermCounts();
  readonly #search = new MiniSearch<{ id: number; terms: string }>({
    fields: ['terms'],
    tokenize: (terms) => terms.split(' '),
    processTerm: (term) => term,
  });
  #read = 0;
  #reading: Iterator<void> | undefined;
  #answered = '';

  /** @param messages the transcript's, a growing list */
  constructor(messages: readonly Message[]) {
    this.#messages = messages;
  }

  /** Every passage read so far, in the order of first places. */
  get passages(): readonly Passage[] {
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

  /** The passages that match a text, best first: any of its words counts (BM25), and more of them count more. */
  search(query: string, options: SearchOptions = {}): readonly Scored[] {
    const wanted = wantedOf(query);
    const names = new Set(wanted.filter(isName).map(({ whole }) => whole));
    const asked = this.tellingTerms(query, LEAST_TELLING);
    const common = termsOf(query).filter((term) => !asked.has(term) && this.#counts.telling(term) > 0);
    const { among } = options;
    const results = this.#search.search([...asked].join(' '), {
      boostTerm: (term) => this.#counts.weight(term) * (names.has(term) ? NAME_BOOST : 1),
      boostDocument: (id: number) => WEIGHTS[this.#at(id).kind],
      bm25: BM25,
      ...(among !== undefined && { filter: ({ id }) => among(this.#at(Number(id))) }),
    });
    return results.slice(0, options.most).map(({ id, score, queryTerms }) => {
      const terms = new Set([...queryTerms, ...common]);
      const missing = wanted.filter((one) => !isMatched(one, terms)).map(({ text }) => text);
      return { passage: this.#at(Number(id)), score, missing };
    });
  }

  /** Whether a term (of `termsOf`) occurs anywhere. */
  has(term: string): boolean {
    return this.#counts.telling(term) > 0;
  }

  /**
   * The terms of a text that are at least the given share as significant as its most significant one, most significant
   * first.
   */
  tellingTerms(text: string, share: number): ReadonlySet<string> {
    const terms = [...new Set(termsOf(text))].map((term) => ({ term, telling: this.#counts.telling(term) }));
    const most = Math.max(0, ...terms.map(({ telling }) => telling));
    const chosen = terms.filter(({ telling }) => telling > 0 && telling >= most * share);
    chosen.sort((left, right) => right.telling - left.telling);
    return new Set(chosen.slice(0, MOST_TERMS).map(({ term }) => term));
  }

  #at(id: number): Passage {
    const passage = this.#passages[id];
    if (passage === undefined) throw new Error(`there is no passage ${id}`);
    return passage;
  }

  *#readMessage(message: Message): Generator<void, void, void> {
    const kind = kindOf(message);
    let answering = kind === 'human' ? this.#answered : '';
    for (const passage of splitPassages(message.text)) {
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
    const passage: Growing = { text, kind, places: [place], ...(answering !== '' && { answering }) };
    this.#byText.set(key, passage);
    const terms = termsOf(answering === '' ? text : `${text}\n${answering}`);
    this.#counts.add(terms, kind === 'human' || kind === 'agent');
    this.#search.add({ id: this.#passages.length, terms: terms.join(' ') });
    this.#passages.push(passage);
  }
}

function isMatched({ whole, parts }: Wanted, terms: ReadonlySet<string>): boolean {
  return terms.has(whole) || (parts.length > 0 && parts.every((part) => terms.has(part)));
}

function kindOf(message: Message): PassageKind {
  switch (message.role) {
    case 'system':
      return 'system';
    case 'user':
      return message.by === 'client' ? 'result' : 'human';
    case 'assistant':
      return 'agent';
    case 'tool':
      return 'result';
  }
}
