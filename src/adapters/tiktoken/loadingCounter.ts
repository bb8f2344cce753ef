import type { Words } from '../../core/phrase.ts';
import { reasonOf } from '../../core/result.ts';
import { runInSlices, type Slicing } from '../../core/steps.ts';
import type { Encoding, TextCounter, TokenCount } from '../../core/tokens/counter.ts';
import { estimateTokens } from '../../core/tokens/estimate.ts';
import { sentence } from '../../language/language.ts';

/** The longest text that is counted at once, about 1 ms of work. UTF-16 units. */
export const AT_ONCE_UNITS = 32_768;

/**
 * The counter of the extension host, which never blocks for long. It loads its tables in slices; until then, everything is
 * an estimate. Longer texts are estimated too, until work that is done in slices counts them with `exact`.
 */
export class LoadingCounter implements TextCounter {
  readonly encoding: Encoding;
  readonly loaded: Promise<void>;
  #exact: TextCounter | undefined;

  /**
   * `ranksFile`: the packed ranks, see `packRanks`. `onWarning` is called once, when they cannot be loaded: everything is
   * estimated then.
   */
  constructor(encoding: Encoding, ranksFile: string, slicing: Slicing, onWarning: (message: Words) => void) {
    this.encoding = encoding;
    this.loaded = this.#load(ranksFile, slicing).catch((error: unknown) => {
      this.#exact = { encoding, count: (text) => estimateTokens(text, encoding) };
      onWarning(
        sentence('The tables of the token counter could not be loaded ({0}); tokens are estimated.', reasonOf(error)),
      );
    });
  }

  async #load(ranksFile: string, slicing: Slicing): Promise<void> {
    const [{ readRanks }, { buildRankTable }, { ExactCounter }] = await Promise.all([
      import('./ranks.ts'),
      import('../../core/tokens/rankTable.ts'),
      import('../../core/tokens/exactCounter.ts'),
    ]);
    const ranks = await readRanks(ranksFile, this.encoding);
    this.#exact = new ExactCounter(this.encoding, await runInSlices(buildRankTable(ranks), slicing));
  }

  count(text: string): TokenCount {
    return this.#exact === undefined || text.length > AT_ONCE_UNITS
      ? estimateTokens(text, this.encoding)
      : this.#exact.count(text);
  }

  exact(): TextCounter | undefined {
    return this.#exact;
  }
}
