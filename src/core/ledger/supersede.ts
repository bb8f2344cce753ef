import { eachInSteps, type Steps } from '../steps.ts';
import type { Fact } from './fact.ts';
import type { Found } from './found.ts';

/**
 * Marks facts that later ones replace: by another value or state with the same key and class, by renaming a file, or by
 * rewriting a list without them. A repetition takes the place of the earlier fact. `found` and the result are in
 * transcript order. Takes time in proportion to the number of facts.
 */
export function* supersede(found: readonly Found[]): Steps<Fact[]> {
  const history = new History();
  yield* eachInSteps(found, (fact) => history.add(fact));
  return history.facts();
}

type Entry = { -readonly [Name in keyof Fact]: Fact[Name] };

class History {
  readonly #entries: Entry[] = [];
  /** Entries that a newer one repeats. */
  readonly #repeated = new Set<Entry>();
  /** The newest entry of each class and key. */
  readonly #latest = new Map<string, Entry>();
  /** The keys that each list had when it was last written, and the message that wrote it. */
  readonly #lists = new Map<string, { readonly at: number; readonly keys: Set<string> }>();
  /** The newest to-do of each id. */
  readonly #named = new Map<string, Entry>();

  add({ replaces, list, ...found }: Found): void {
    const fact = found.class === 'todo' ? this.#resolve(found, list === undefined) : found;
    const key = keyOf(fact.class, fact.key);
    if (list !== undefined) this.#writeList(list, fact, key);
    for (const old of replaces ?? []) this.#end(this.#latest.get(keyOf(fact.class, old)), fact.at);
    if (fact.value === '') return;
    const before = this.#latest.get(key);
    if (before !== undefined && saysSame(before, fact)) this.#repeated.add(before);
    else this.#end(before, fact.at);
    this.#entries.push(fact);
    this.#latest.set(key, fact);
    if (fact.class === 'todo' && fact.anchor !== undefined) this.#named.set(fact.anchor, fact);
  }

  facts(): Fact[] {
    return this.#entries.filter((entry) => !this.#repeated.has(entry));
  }

  /**
   * Completes a to-do from an earlier one: one named by its id alone keeps its words; one with changed words ends the
   * old one.
   */
  #resolve(fact: Entry, alone: boolean): Entry {
    const named = fact.anchor === undefined ? undefined : this.#named.get(fact.anchor);
    const known = named ?? this.#latest.get(keyOf(fact.class, fact.key));
    const detail = fact.detail ?? known?.detail;
    const told = detail === undefined ? fact : { ...fact, detail };
    if (named === undefined) return told;
    if (fact.value === `#${fact.anchor}`) return { ...told, value: named.value, key: named.key };
    if (alone && named.key !== fact.key) this.#end(named, fact.at);
    return told;
  }

  #writeList(name: string, fact: Entry, key: string): void {
    const known = this.#lists.get(name);
    if (known?.at === fact.at) {
      known.keys.add(key);
      return;
    }
    // This is the first item of a new version of the list: all others of the old version end, unless it names them
    // again.
    for (const old of known?.keys ?? []) this.#end(this.#latest.get(old), fact.at);
    this.#lists.set(name, { at: fact.at, keys: new Set([key]) });
  }

  #end(entry: Entry | undefined, at: number): void {
    if (entry !== undefined) entry.supersededAt ??= at;
  }
}

function keyOf(kind: Fact['class'], key: string): string {
  return `${kind}\n${key}`;
}

function saysSame(one: Fact, other: Fact): boolean {
  return one.value === other.value && one.state === other.state && one.anchor === other.anchor;
}
