/** Why this side ended a request. `idle`: bytes arrived, but no reply; `settled`: the reply was complete. */
export type Ending = 'cancelled' | 'no-headers' | 'stalled' | 'idle' | 'settled';

/** A server may send mere signs of life for this multiple of the time limit. */
export const IDLE_TIMES = 3;

/** A timer that is set for longer fires at once. Milliseconds, 24.8 days. */
const LONGEST_TIMER_MS = 2_147_483_647;

/**
 * Ends a request when the user cancels, when no byte arrives for too long (before the headers, then after each chunk), when
 * nothing but keep-alive comments arrives for too long, or when the connection stays open after the reply is complete.
 */
export class Watchdog {
  /** Aborts with the request, and ends the request when it is aborted. */
  readonly controller = new AbortController();
  readonly timeoutMs: number;
  readonly #cancelled: AbortSignal;
  #timer: NodeJS.Timeout | undefined;
  #idleTimer: NodeJS.Timeout | undefined;
  #grace: NodeJS.Timeout | undefined;
  #phase: 'no-headers' | 'stalled' = 'no-headers';
  /** Why this side ended the request; undefined if it did not. */
  ending: Ending | undefined;

  constructor(timeoutMs: number, cancelled: AbortSignal) {
    this.timeoutMs = timeoutMs;
    this.#cancelled = cancelled;
    if (cancelled.aborted) this.#cancel();
    else cancelled.addEventListener('abort', this.#cancel, { once: true });
    this.#arm();
    this.progress();
  }

  /** Bytes or headers have arrived. */
  touch(): void {
    this.#phase = 'stalled';
    if (this.ending === undefined) this.#arm();
  }

  /** Part of the reply has arrived. */
  progress(): void {
    clearTimeout(this.#idleTimer);
    if (this.ending !== undefined) return;
    this.#idleTimer = this.#endAfter(this.timeoutMs * IDLE_TIMES, 'idle');
    // More of the reply means that it has not ended.
    clearTimeout(this.#grace);
    this.#grace = undefined;
  }

  /** The reply seems complete: ends the request after this many milliseconds unless more arrives. */
  settle(ms: number): void {
    if (this.ending === undefined) this.#grace ??= this.#endAfter(Math.min(ms, this.timeoutMs), 'settled');
  }

  /** Stops all timers. */
  stop(): void {
    this.#clear();
    this.#cancelled.removeEventListener('abort', this.#cancel);
  }

  readonly #cancel = () => this.#end('cancelled');

  #arm(): void {
    clearTimeout(this.#timer);
    if (this.ending !== undefined) return;
    this.#timer = this.#endAfter(this.timeoutMs, this.#phase);
  }

  #endAfter(ms: number, ending: Ending): NodeJS.Timeout {
    return setTimeout(() => this.#end(ending), Math.min(ms, LONGEST_TIMER_MS));
  }

  #clear(): void {
    for (const timer of [this.#timer, this.#idleTimer, this.#grace]) clearTimeout(timer);
  }

  #end(ending: Ending): void {
    this.ending ??= ending;
    this.#clear();
    this.controller.abort();
  }
}
