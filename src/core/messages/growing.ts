import { eachInSteps, runAtOnce, type Steps } from '../steps.ts';

/** The number of leading items that two lists share, by identity. */
export function countSame(ones: readonly unknown[], others: readonly unknown[]): number {
  if (ones === others) return ones.length;
  const most = Math.min(ones.length, others.length);
  let same = 0;
  while (same < most && ones[same] === others[same]) same += 1;
  return same;
}

/**
 * A flat map over a list that grows from one call to the next. Reuses the results of the leading items that stayed the
 * same.
 */
export class Growing<Item, Made> {
  readonly #make: (item: Item) => readonly Made[];
  #items: readonly Item[] = [];
  #made: readonly Made[] = [];
  /** The number of results up to and including each item. */
  #ends: readonly number[] = [];

  constructor(make: (item: Item) => readonly Made[]) {
    this.#make = make;
  }

  /** The results for a list, which must not be changed afterwards. The same array for the same list. */
  of(items: readonly Item[]): readonly Made[] {
    return runAtOnce(this.ofInSteps(items));
  }

  *ofInSteps(items: readonly Item[]): Steps<readonly Made[]> {
    const same = countSame(this.#items, items);
    if (same === items.length && same === this.#items.length) return this.#made;
    const ends = this.#ends.slice(0, same);
    const made = this.#made.slice(0, ends.at(-1) ?? 0);
    yield* eachInSteps(same === 0 ? items : items.slice(same), (item) => {
      for (const one of this.#make(item)) made.push(one);
      ends.push(made.length);
    });
    [this.#items, this.#made, this.#ends] = [items, made, ends];
    return made;
  }
}
