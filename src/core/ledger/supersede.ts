import { eachInSteps, type Steps } from '../steps.ts';
import type { Fact } from './fact.ts';
import type { Found } from './found.ts';

/**
 * Marks what later facts replace: another value or state under the same key of the same class, a renamed file's old
 * name, items that a list written anew no longer has. What only says an earlier fact again stands in its place. `found`
 * is in transcript order and so is the answer. Time grows with the number of facts.
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
  /** What each list held when it was last written, and where that was. */
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

  /** A to-do that is named by its id alone keeps its words; one whose words were changed ends the old ones. */
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
    // The first item of a newer writing: whatever it does not name again ends with it.
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
