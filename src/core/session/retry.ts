import type { ModelError } from '../overflow/modelError.ts';
import { refusesTools } from './toolSupport.ts';

/** Attempts of one model call, the first included. */
export const MOST_ATTEMPTS = 4;

/** Attempts of one that the server answered with nothing that is a reply. */
export const MOST_ANSWERED_ATTEMPTS = 3;

/** First wait; each further one is twice as long. Milliseconds. */
const FIRST_DELAY_MS = 1_000;
const LONGEST_DELAY_MS = 30_000;

/** A server that asks for a longer wait than this is not waited for: the user decides. Milliseconds. */
export const LONGEST_WAIT_MS = 300_000;

/** Share by which a wait is lengthened at random, so that many clients do not come back at once. */
const JITTER = 0.25;

/** Kinds that the same request can never cure. */
const NEVER_RETRIED = new Set<ModelError['kind']>(['overflow', 'output-limit', 'payload-too-large', 'cancelled']);

/** One failed attempt. */
export interface FailedAttempt {
  readonly error: ModelError;
  /** Counted from 1. */
  readonly attempt: number;
  /** Something of the reply was passed on: asking again would say it twice. */
  readonly passedOn: boolean;
  /** 0 to 1. */
  readonly random: number;
}

/** Attempts that such an error is worth, the first included. */
export function mostAttempts(error: ModelError): number {
  return error.answered === true ? MOST_ANSWERED_ATTEMPTS : MOST_ATTEMPTS;
}

/** How long to wait before the next attempt, milliseconds; undefined = do not try again. */
export function planRetry({ error, attempt, passedOn, random }: FailedAttempt): number | undefined {
  if (passedOn || !error.retryable || NEVER_RETRIED.has(error.kind) || refusesTools(error)) return undefined;
  if (attempt >= mostAttempts(error)) return undefined;
  if (error.retryAfterMs !== undefined && error.retryAfterMs > LONGEST_WAIT_MS) return undefined;
  const backoff = Math.min(FIRST_DELAY_MS * 2 ** (attempt - 1), LONGEST_DELAY_MS);
  // Never earlier than the server asks.
  const delay = Math.max(backoff, error.retryAfterMs ?? 0);
  return Math.round(delay * (1 + JITTER * random));
}
