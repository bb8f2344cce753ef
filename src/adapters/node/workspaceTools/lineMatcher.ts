import { Worker } from 'node:worker_threads';

/** What to look for in every line. */
export interface LinePattern {
  /** Source of a JavaScript regular expression. */
  readonly source: string;
  readonly ignoreCase: boolean;
}

/** A line that matches, counted from 1. */
export interface LineMatch {
  readonly line: number;
  readonly text: string;
}

/** One text to search. */
export interface MatchRequest {
  readonly text: string;
  /** The number of matches to return at most. */
  readonly most: number;
  readonly timeoutMs: number;
  readonly signal: AbortSignal;
}

/** `slow`: stopped because the expression took too long, or because the caller gave up. */
export type MatchOutcome =
  | { readonly kind: 'matches'; readonly matches: readonly LineMatch[] }
  | { readonly kind: 'slow' }
  | { readonly kind: 'failed'; readonly message: string };

/** The most characters of a line that are returned around a match, and of those before it. */
const SHOWN = 1_000;
const SHOWN_BEFORE = 100;

/** The code of the worker, as text so that no bundle needs a file for it. */
const WORKER_CODE = `
const { parentPort } = require('node:worker_threads');
parentPort.on('message', ({ text, source, flags, most, shown, before }) => {
  try {
    const expression = new RegExp(source, flags);
    const matches = [];
    let start = 0;
    for (let line = 1; start <= text.length && matches.length < most; line += 1) {
      const found = text.indexOf('\\n', start);
      const end = found < 0 ? text.length : found;
      const whole = text.slice(start, text[end - 1] === '\\r' ? end - 1 : end);
      const at = expression.exec(whole)?.index;
      if (at !== undefined) {
        const from = whole.length <= shown ? 0 : Math.max(0, at - before);
        matches.push({ line, text: (from > 0 ? '…' : '') + whole.slice(from, from + shown) });
      }
      start = end + 1;
    }
    parentPort.postMessage({ kind: 'matches', matches });
  } catch (error) {
    parentPort.postMessage({ kind: 'failed', message: String(error) });
  }
});`;

/**
 * Matches lines in a worker thread, which is stopped at a deadline: an expression that never ends blocks nothing else. One
 * text at a time; call `dispose` when done.
 */
export class LineMatcher {
  readonly #pattern: LinePattern;
  #worker: Worker | undefined;

  constructor(pattern: LinePattern) {
    this.#pattern = pattern;
  }

  /** Never rejects. */
  match({ text, most, timeoutMs, signal }: MatchRequest): Promise<MatchOutcome> {
    this.#worker ??= startWorker();
    const worker = this.#worker;
    return new Promise((resolve) => {
      const end = (outcome: MatchOutcome): void => {
        clearTimeout(timer);
        signal.removeEventListener('abort', stop);
        worker.removeAllListeners('message');
        worker.removeAllListeners('error');
        if (outcome.kind === 'slow') this.dispose();
        resolve(outcome);
      };
      const stop = (): void => end({ kind: 'slow' });
      const timer = setTimeout(stop, timeoutMs);
      signal.addEventListener('abort', stop);
      worker.once('message', end);
      worker.once('error', (error) => {
        this.#worker = undefined;
        end({ kind: 'failed', message: String(error) });
      });
      const { source, ignoreCase } = this.#pattern;
      worker.postMessage({ text, source, flags: ignoreCase ? 'iu' : 'u', most, shown: SHOWN, before: SHOWN_BEFORE });
    });
  }

  dispose(): void {
    void this.#worker?.terminate();
    this.#worker = undefined;
  }
}

function startWorker(): Worker {
  const worker = new Worker(WORKER_CODE, { eval: true, execArgv: [], resourceLimits: { maxOldGenerationSizeMb: 128 } });
  worker.unref();
  return worker;
}
