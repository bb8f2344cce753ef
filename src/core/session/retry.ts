import type { ModelError } from '../model/classify.ts';
import { refusesTools } from './toolSupport.ts';

/** How often a model call is attempted, the first time included. */
export const MOST_ATTEMPTS = 4;

/** The same when the server did answer, but not with a usable reply. */
export const MOST_ANSWERED_ATTEMPTS = 3;

/** The first wait; each further wait is twice as long, up to the longest. Milliseconds. */
const FIRST_DELAY_MS = 1_000;
const LONGEST_DELAY_MS = 30_000;

/** When a server asks for a longer wait than this, there is no retry: the user decides. Milliseconds. */
export const LONGEST_WAIT_MS = 300_000;

/** Waits are lengthened at random by up to this share, so that many clients do not come back at once. */
const JITTER = 0.25;

/** Errors that the same request would only meet again. */
const NEVER_RETRIED = new Set<ModelError['kind']>(['overflow', 'output-limit', 'payload-too-large', 'cancelled']);

/** One failed attempt. */
export interface FailedAttempt {
  readonly error: ModelError;
  /** Counted from 1. */
  readonly attempt: number;
  /** Something of the reply was passed on: asking again would repeat it. */
  readonly passedOn: boolean;
  /** 0 to 1. */
  readonly random: number;
}

/** How often a call with such an error is attempted, the first time included. */
export function mostAttempts(error: ModelError): number {
  return error.answered === true ? MOST_ANSWERED_ATTEMPTS : MOST_ATTEMPTS;
}

/** How long to wait before the next attempt in milliseconds; undefined: do not try again. */
export function planRetry({ error, attempt, passedOn, random }: FailedAttempt): number | undefined {
  if (passedOn || !error.retryable || NEVER_RETRIED.has(error.kind) || refusesTools(error)) return undefined;
  if (attempt >= mostAttempts(error)) return undefined;
  if (error.retryAfterMs !== undefined && error.retryAfterMs > LONGEST_WAIT_MS) return undefined;
  const backoff = Math.min(FIRST_DELAY_MS * 2 ** (attempt - 1), LONGEST_DELAY_MS);
  // Never earlier than the server asks for.
  const delay = Math.max(backoff, error.retryAfterMs ?? 0);
  return Math.round(delay * (1 + JITTER * random));
}
