import type { ExactCounter } from '../../core/tokens/exactCounter.ts';
import type { TextStream } from '../../core/tokens/textStream.ts';

/** UTF-16 units between two looks at the clock. */
const STEP = 4096;
/** A call gives up after this time, ms. */
const CALL_MS = 8;
/** After this time no more texts are counted in the same turn of the event loop, ms. */
const TURN_MS = 4;
/** A run without a boundary is counted in one go at its end, so a longer one is not started. Bytes. */
const LONGEST_RUN = 8192;

/**
 * Counts texts in the calling thread as long as that does not block it: within a call, and within a turn of the event
 * loop.
 */
export class InlineCounter {
  readonly #exact: ExactCounter;
  #stream: TextStream;
  #spentMs = 0;
  #newTurn: NodeJS.Immediate | undefined;

  constructor(exact: ExactCounter) {
    this.#exact = exact;
    this.#stream = exact.stream();
  }

  /** The number of tokens, or `undefined` when counting it here would take too long. */
  count(text: string): number | undefined {
    if (this.#spentMs >= TURN_MS) return undefined;
    const started = performance.now();
    const tokens = this.#countUntil(text, started + CALL_MS);
    this.#spentMs += performance.now() - started;
    this.#newTurn ??= setImmediate(() => {
      this.#spentMs = 0;
      this.#newTurn = undefined;
    });
    return tokens;
  }

  #countUntil(text: string, deadline: number): number | undefined {
    if (text.length <= STEP) return this.#exact.countTokens(text);
    for (let at = 0; at < text.length; at += STEP) {
      this.#stream.append(text.slice(at, at + STEP));
      if (performance.now() > deadline || this.#stream.waitingBytes > LONGEST_RUN) {
        this.#stream = this.#exact.stream();
        return undefined;
      }
    }
    return this.#stream.finish();
  }
}
