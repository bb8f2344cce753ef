import type { Encoding } from '../profile/profile.ts';
import type { Steps } from '../steps.ts';
import type { TextCounter, TokenCount } from './counter.ts';
import { PieceCounter } from './pieceCounter.ts';
import type { RankTable } from './rankTable.ts';
import { TextStream } from './textStream.ts';

/** UTF-16 units that are counted between two steps. */
const STEP = 8192;

/**
 * Counts tokens exactly, at once, in the calling thread: O(n log n) on any text. Special tokens in the text are
 * counted as text. Equal to js-tiktoken's `encode(text, [], []).length`.
 */
export class ExactCounter implements TextCounter {
  readonly encoding: Encoding;
  readonly #pieces: PieceCounter;
  readonly #whole: TextStream;

  constructor(encoding: Encoding, table: RankTable) {
    this.encoding = encoding;
    this.#pieces = new PieceCounter(encoding, table);
    this.#whole = new TextStream(this.#pieces);
  }

  count(text: string): TokenCount {
    return { tokens: this.countTokens(text), source: 'counted' };
  }

  *countInSteps(text: string): Steps<TokenCount> {
    // A separate stream, since other texts may be counted between two steps.
    const stream = this.stream();
    for (let at = 0; at < text.length; at += STEP) {
      stream.append(text.slice(at, at + STEP));
      yield;
    }
    return { tokens: stream.finish(), source: 'counted' };
  }

  /** The number of tokens alone. */
  countTokens(text: string): number {
    this.#whole.append(text);
    return this.#whole.finish();
  }

  /** Counts a text that arrives in parts. */
  stream(): TextStream {
    return new TextStream(this.#pieces);
  }
}
