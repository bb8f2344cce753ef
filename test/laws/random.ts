import { seeded } from '../adapters/tiktoken/randomText.ts';

/** A seeded random source: the same seed gives the same transcript on every machine. */
export class Random {
  readonly #below: (limit: number) => number;

  constructor(seed: number) {
    this.#below = seeded(seed);
  }

  /** A whole number from `from` to `to`, both included. */
  integer(from: number, to: number): number {
    return from + this.#below(to - from + 1);
  }

  chance(share: number): boolean {
    return this.#below(1_000_000) < share * 1_000_000;
  }

  pick<Item>(items: readonly Item[]): Item {
    const item = items[this.#below(items.length)];
    if (item === undefined) throw new Error('nothing to pick from');
    return item;
  }
}
