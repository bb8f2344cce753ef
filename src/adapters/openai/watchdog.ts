/** What ended a request from this side. */
export type Ending = 'cancelled' | 'no-headers' | 'stalled';

/** A timer that is set for longer fires at once. Milliseconds, 24.8 days. */
const LONGEST_TIMER_MS = 2_147_483_647;

/**
 * Ends a request when the user cancels or when no byte comes for too long: first until the headers, then after each
 * chunk. A comment line that a server sends to keep the connection alive counts as a byte.
 */
export class Watchdog {
  readonly #controller = new AbortController();
  readonly #timeoutMs: number;
  readonly #cancelled: AbortSignal;
  #timer: NodeJS.Timeout | undefined;
  #phase: 'no-headers' | 'stalled' = 'no-headers';
  #ending: Ending | undefined;

  constructor(timeoutMs: number, cancelled: AbortSignal) {
    this.#timeoutMs = timeoutMs;
    this.#cancelled = cancelled;
    if (cancelled.aborted) this.#cancel();
    else cancelled.addEventListener('abort', this.#cancel, { once: true });
    this.#arm();
  }

  /** Aborts with the request. */
  get signal(): AbortSignal {
    return this.#controller.signal;
  }

  /** Why this side ended the request; undefined while it did not. */
  get ending(): Ending | undefined {
    return this.#ending;
  }

  /** Bytes or headers have come. */
  touch(): void {
    this.#phase = 'stalled';
    if (this.#ending === undefined) this.#arm();
  }

  /** Nothing is left running. */
  stop(): void {
    clearTimeout(this.#timer);
    this.#cancelled.removeEventListener('abort', this.#cancel);
  }

  readonly #cancel = () => this.#end('cancelled');

  #arm(): void {
    clearTimeout(this.#timer);
    if (this.#ending !== undefined) return;
    this.#timer = setTimeout(() => this.#end(this.#phase), Math.min(this.#timeoutMs, LONGEST_TIMER_MS));
  }

  #end(ending: Ending): void {
    this.#ending ??= ending;
    clearTimeout(this.#timer);
    this.#controller.abort();
  }
}
