import type { TokenCount } from '../../core/tokens/counter.ts';

/** How long a corrected count is kept for anyone who asks again, ms; a text is released after one to two times this. */
const KEPT_MS = 30_000;

interface Known {
  count: TokenCount;
  /** Sweeps survived since the count became exact. */
  age: number;
}

/**
 * Counts of large texts: first the estimate, then for a while the exact number. The texts are the keys, so they are
 * kept in memory for that time; whoever asks again after a correction is expected to remember the number.
 */
export class Corrections {
  readonly #known = new Map<string, Known>();
  #sweeper: NodeJS.Timeout | undefined;

  find(text: string): TokenCount | undefined {
    return this.#known.get(text)?.count;
  }

  /** Remembers the estimate for a text that is being counted. */
  estimate(text: string, count: TokenCount): void {
    this.#known.set(text, { count, age: 0 });
  }

  /** Replaces the estimate with the exact number. */
  correct(text: string, tokens: number): void {
    this.#known.set(text, { count: { tokens, source: 'counted' }, age: 0 });
    this.#sweeper ??= setInterval(() => this.sweep(), KEPT_MS).unref();
  }

  /** Releases texts whose exact number has been there for a whole period. */
  sweep(): void {
    for (const [text, known] of this.#known) {
      if (known.count.source === 'counted' && known.age++ > 0) this.#known.delete(text);
    }
    if (this.#known.size === 0) this.#stop();
  }

  clear(): void {
    this.#known.clear();
    this.#stop();
  }

  #stop(): void {
    clearInterval(this.#sweeper);
    this.#sweeper = undefined;
  }
}
