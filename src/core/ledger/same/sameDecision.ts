import type { ChoiceOf, Found } from '../found.ts';

interface Known {
  readonly key: string;
  readonly choice: ChoiceOf;
  ended: boolean;
}

/**
 * Tells which decisions end earlier ones. A later decision ends one that it repeats as a whole, its topic and what it took,
 * beside one new thing. One that names no topic must say that it is a change, and only one earlier may be meant.
 * Topics that only resemble each other ("cache for sessions", "cache for assets") end nothing.
 */
export class DecisionKeys {
  readonly #known: Known[] = [];

  /** The key under which a decision stands: that of the one which it ends, else its own. Facts come in transcript order. */
  keyOf(fact: Found): string {
    const { choice } = fact;
    if (choice === undefined) return fact.key;
    // What a document says may be older than what was said since: only a newer reading of it ends something.
    const ended = fact.by === 'tool' ? undefined : this.#ended(choice, fact.key);
    if (ended !== undefined) ended.ended = true;
    const key = ended?.key ?? fact.key;
    this.#known.push({ key, choice, ended: false });
    if (this.#known.length > MOST_KNOWN) this.#known.shift();
    return key;
  }

  #ended(choice: ChoiceOf, key: string): Known | undefined {
    const live = this.#known.filter((known) => !known.ended && known.key !== key);
    const same = live.findLast((known) => isRepeated(known.choice, choice));
    if (same !== undefined || !choice.turns) return same;
    const turned = live.findLast((known) => isTurned(known.choice, choice));
    if (turned !== undefined) return turned;
    const named = live.filter((known) => isOnlyNamed(known.choice, choice));
    return named.length === 1 ? named[0] : undefined;
  }
}

/** Older decisions are no longer compared; a long transcript must not take quadratic time. */
const MOST_KNOWN = 200;

/** All that the older said stands in the newer, which says one new thing, or says that it is a change. */
function isRepeated(old: ChoiceOf, now: ChoiceOf): boolean {
  const said = old.phrases.flat();
  if (said.length < 2 || !said.every((word) => holds(now.all, word))) return false;
  return now.turns || newThings(old, now) <= 1;
}

/** A change that names what the older took, and its topic, beside one new thing. */
function isTurned(old: ChoiceOf, now: ChoiceOf): boolean {
  const said = now.phrases.flat().filter((word) => holds(old.all, word));
  const took = old.phrases.flat();
  const taken = said.filter((word) => took.some((other) => isSameWord(other, word)));
  return newThings(old, now) <= 1 && taken.length >= 2 && said.length >= 2;
}

/** A change that names no topic: one new thing, and a name that the older took. */
function isOnlyNamed(old: ChoiceOf, now: ChoiceOf): boolean {
  const known = now.phrases.flat().filter((word) => holds(old.all, word));
  const took = old.phrases.flat();
  return (
    newThings(old, now) <= 1 &&
    known.every((word) => old.names.includes(word)) &&
    old.names.some((name) => took.includes(name) && now.all.includes(name))
  );
}

/** How many phrases of the newer, or parts of them, the older does not have. */
function newThings(old: ChoiceOf, now: ChoiceOf): number {
  let things = 0;
  for (const phrase of now.phrases) {
    phrase.forEach((word, index) => {
      const before = phrase[index - 1];
      if (!holds(old.all, word) && (before === undefined || holds(old.all, before))) things += 1;
    });
  }
  return things;
}

function holds(words: readonly string[], word: string): boolean {
  return words.some((other) => isSameWord(word, other));
}

/** The same word, also with another ending. */
function isSameWord(one: string, other: string): boolean {
  if (one === other) return true;
  const short = Math.min(one.length, other.length);
  if (/[\u3040-\u9fff\uac00-\ud7af]/.test(one)) return short > 1 && (one.startsWith(other) || other.startsWith(one));
  if (short < 4 || Math.abs(one.length - other.length) > 3) return false;
  const common = Math.max(4, short - 2);
  return one.slice(0, common) === other.slice(0, common);
}
