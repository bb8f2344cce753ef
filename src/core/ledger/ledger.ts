import type { Block } from '../chat/blocks.ts';
import type { MessageId } from '../chat/message.ts';
import { eachInSteps, runAtOnce, type Steps } from '../steps.ts';
import { findErrors } from './errors.ts';
import type { Fact, Found } from './fact.ts';
import { findFiles } from './files.ts';
import { type Reading, readBlock } from './reading.ts';
import { findConstraints } from './rules.ts';
import { findTodos } from './todos.ts';

/** Facts of a transcript. */
export interface Ledger {
  /**
   * Reads, in steps, those of a transcript's blocks that are complete and new or have changed since the last call.
   * Several callers may take turns.
   */
  read(blocks: readonly Block[]): Steps<void>;
  /** All facts of what has been read, in transcript order, superseded ones marked. At once after `read`. */
  facts(): readonly Fact[];
}

/**
 * The extractors, in the order in which facts of one block are listed; when two report the same fact, the later one
 * counts.
 */
const EXTRACTORS: readonly ((reading: Reading) => Found[])[] = [findConstraints, findTodos, findFiles, findErrors];

/** An empty ledger. */
export function createLedger(): Ledger {
  /** The blocks read so far, with what was found in each. */
  const known: { readonly block: Block; readonly found: readonly Found[] }[] = [];
  /** The facts of all blocks; a new object after every change, so that a sum begun before it does not count after it. */
  let sum: { facts?: readonly Fact[] } = {};
  function* summed(): Steps<readonly Fact[]> {
    const own = sum;
    if (own.facts !== undefined) return own.facts;
    const history = new History();
    yield* eachInSteps(known.slice(), ({ found }) => {
      for (const fact of found) history.add(fact);
    });
    own.facts = history.facts();
    return own.facts;
  }
  return {
    *read(blocks) {
      while (known.length > 0 && blocks[known.length - 1] !== known.at(-1)?.block) {
        known.pop();
        sum = {};
      }
      for (let index = known.length; ; index = known.length) {
        const block = blocks[index];
        if (block === undefined || (block.kind === 'tools' && block.open)) break;
        const found = yield* extractInSteps(block);
        // Meanwhile another caller may have read it.
        if (known.length === index && blocks[index] === block) {
          known.push({ block, found });
          sum = {};
        }
        yield;
      }
      yield* summed();
    },
    facts: () => runAtOnce(summed()),
  };
}

/**
 * The facts of one block, regardless of earlier and later ones, with a pause after each extractor: the first blocks have to
 * compile all regular expressions.
 */
export function* extractInSteps(block: Block): Steps<readonly Found[]> {
  const reading = readBlock(block);
  const latest = new Map<string, Found>();
  for (const find of EXTRACTORS) {
    for (const fact of find(reading)) {
      const key = keyOf(fact.class, fact.key);
      latest.delete(key);
      latest.set(key, fact);
    }
    yield;
  }
  return [...latest.values()].sort((a, b) => a.at - b.at);
}

/** The ledger without the facts of some messages. What those facts ended stays ended. */
export function leaveOut(ledger: Ledger, left: ReadonlySet<MessageId>): Ledger {
  if (left.size === 0) return ledger;
  return {
    read: (blocks) => ledger.read(blocks),
    facts: () => ledger.facts().filter(({ at }) => !left.has(at)),
  };
}

type Entry = { -readonly [Name in keyof Fact]: Fact[Name] };

/**
 * Marks facts that later ones replace: by another value or state with the same key and class, by renaming a file, or by
 * rewriting a list without them. A repetition takes the place of the earlier fact. Facts are added in transcript order; the
 * time is in proportion to their number.
 */
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
    if (fact.class === 'todo' && fact.id !== undefined) this.#named.set(fact.id, fact);
  }

  facts(): Fact[] {
    return this.#entries.filter((entry) => !this.#repeated.has(entry));
  }

  /**
   * Completes a to-do from an earlier one: one named by its id alone keeps its words; one with changed words ends the
   * old one.
   */
  #resolve(fact: Entry, alone: boolean): Entry {
    const named = fact.id === undefined ? undefined : this.#named.get(fact.id);
    const known = named ?? this.#latest.get(keyOf(fact.class, fact.key));
    const detail = fact.detail ?? known?.detail;
    const told = detail === undefined ? fact : { ...fact, detail };
    if (named === undefined) return told;
    if (fact.value === `#${fact.id}`) return { ...told, value: named.value, key: named.key };
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
  return one.value === other.value && one.state === other.state && one.id === other.id;
}
