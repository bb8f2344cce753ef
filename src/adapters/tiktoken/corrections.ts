import type { TokenCount } from '../../core/tokens/counter.ts';

/** How long a corrected count is kept for those who ask again, ms; a text is let go after one to two times this. */
const KEPT_MS = 30_000;

interface Known {
  count: TokenCount;
  /** Sweeps survived since the count became exact. */
  age: number;
}

/**
 * Counts of large texts: first the estimate, then the exact number, for a while. Texts are keys, so they are kept alive
 * meanwhile; whoever asks again after a correction keeps the number himself.
 */
export class Corrections {
  readonly #known = new Map<string, Known>();
  #sweeper: NodeJS.Timeout | undefined;

  find(text: string): TokenCount | undefined {
    return this.#known.get(text)?.count;
  }

  /** Remembers the estimate of a text that is being counted. */
  estimate(text: string, count: TokenCount): void {
    this.#known.set(text, { count, age: 0 });
  }

  /** Puts the exact number in the estimate's place. */
  correct(text: string, tokens: number): void {
    this.#known.set(text, { count: { tokens, source: 'counted' }, age: 0 });
    this.#sweeper ??= setInterval(() => this.sweep(), KEPT_MS).unref();
  }

  /** Lets go of texts whose exact number has been there for a whole period. */
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
