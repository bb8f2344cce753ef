import type { Found } from '../found.ts';
import { normalizeWords } from '../read/sentences.ts';
import { type TodoWords, todoWords } from '../words/todoWords.ts';

/** The share of a to-do's words that a sentence must have to speak of it; names must all be there. */
const SPOKEN_SHARE = 0.75;
/** To-dos beyond the newest are not looked at. */
const MOST_KNOWN = 400;

interface Known {
  readonly key: string;
  readonly text: string;
  readonly words: TodoWords;
}

/** To-dos of a list are read again with each writing of the list. */
const WORDS = new WeakMap<Found, TodoWords>();

/**
 * Tells which to-do a fact is a state of: list tools name it by a number or its text, prose by its words. Facts come in
 * transcript order.
 */
export class TodoKeys {
  readonly #known = new Map<string, Known>();
  /** A list's number for a to-do that prose had named before, while the list says the same words by it. */
  readonly #alias = new Map<string, string>();

  /** Numbers that were named, of items of the agent's own list and of issues. */
  readonly #numbers = new Set<string>();

  /** The key under which a to-do stands; undefined for words that speak of none that is known. */
  keyOf(fact: Found): string | undefined {
    const said = fact.speaksOf;
    if (said !== undefined) return this.#spokenOf(fact, said);
    if (/^(?:issue )?\d+$/.test(fact.key)) {
      const issue = issueKey(fact.key);
      if (!this.#numbers.has(fact.key) && this.#numbers.has(issue)) return issue;
      this.#numbers.add(fact.key);
    }
    if (isBare(fact) || fact.state === undefined) return this.#alias.get(fact.key) ?? fact.key;
    const text = plain(fact.value);
    const named = this.#known.get(text);
    if (named !== undefined && named.key !== fact.key && named.key === text) {
      this.#alias.set(fact.key, named.key);
      return named.key;
    }
    this.#alias.delete(fact.key);
    this.#learn({ key: fact.key, text, words: wordsOf(fact) });
    return fact.key;
  }

  #spokenOf(fact: Found, said: NonNullable<Found['speaksOf']>): string | undefined {
    const text = plain(fact.value);
    const known = this.#known.get(text) ?? this.#match(said, text);
    if (known !== undefined) {
      this.#learn(known);
      return known.key;
    }
    if (!said.stands) return undefined;
    this.#learn({ key: text, text, words: said });
    return text;
  }

  #match(said: NonNullable<Found['speaksOf']>, text: string): Known | undefined {
    const names = new Set(said.names);
    const words = new Set(said.words);
    let best: { known: Known; share: number } | undefined;
    for (const known of this.#known.values()) {
      const share = shareOf(known, { names, words, text, stands: said.stands });
      if (share >= (best?.share ?? SPOKEN_SHARE)) best = { known, share };
    }
    return best?.known;
  }

  #learn(known: Known): void {
    this.#known.delete(known.text);
    this.#known.set(known.text, known);
    if (this.#known.size <= MOST_KNOWN) return;
    const oldest = this.#known.keys().next().value;
    if (oldest !== undefined) this.#known.delete(oldest);
  }
}

interface Said {
  readonly names: ReadonlySet<string>;
  readonly words: ReadonlySet<string>;
  readonly text: string;
  readonly stands: boolean;
}

/** How much of a to-do a sentence says, 0 when it is about something else. */
function shareOf({ words: own, text }: Known, said: Said): number {
  if (!said.stands && holds(said.text, text)) return 1;
  if (!own.names.every((name) => said.names.has(name))) return 0;
  const size = own.names.length + own.words.length;
  const common = own.names.length + own.words.filter((word) => said.words.has(word)).length;
  if (common < 2 || size === 0) return 0;
  // Words that open a to-do of their own must be those of the other, not merely hold them.
  const all = said.stands ? Math.max(size, said.names.size + said.words.size) : size;
  return common / all;
}

/** True when one text stands in the other between blanks, or anywhere in scripts that have none. */
function holds(text: string, part: string): boolean {
  if (part.length < 4 || !text.includes(part)) return false;
  return part.includes(' ') ? ` ${text} `.includes(` ${part} `) : /[\u3040-\u9fff]/.test(part);
}

function wordsOf(fact: Found): TodoWords {
  const known = WORDS.get(fact) ?? todoWords(fact.value);
  WORDS.set(fact, known);
  return known;
}

/** The words of a to-do as a key: without the full stop at its end. */
export function plain(text: string): string {
  return normalizeWords(text).replace(/[\s.-]+$/, '');
}

/** The key of an issue that is known by its number. */
export function issueKey(number: string): string {
  return `issue ${number.replace(/^(?:issue |#)/, '')}`;
}

/** True for an update that only names the to-do by its id. */
export function isBare(fact: Pick<Found, 'value' | 'anchor'>): boolean {
  return fact.anchor !== undefined && (fact.value === fact.anchor || fact.value === `#${fact.anchor}`);
}
