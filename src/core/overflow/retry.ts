import { anyOf } from '../messages/anyOf.ts';
import type { ModelErrorKind } from './modelError.ts';
import { SPENT } from './vetoes.ts';

const NETWORK_CODE =
  /^(?:econn(?:reset|refused)|epipe|enotfound|eai_again|und_err_socket|err_stream_premature_close|(?:api)?connectionerror)$/;
/** The same as text: the connection broke, or the server is busy. */
const TRANSIENT = anyOf(
  /other side closed|socket hang ?up|connection (?:error|reset|closed|refused|aborted)|premature close|fetch failed/,
  /\beconn(?:reset|refused)\b|network error|\boverloaded\b|\bterminated\b|service unavailable|bad gateway/,
);
/** Statuses after which the same request may succeed: timeout, conflict, too early, server errors, overload. */
const RETRYABLE_STATUS = new Set([408, 409, 425, 500, 502, 503, 504, 520, 521, 522, 523, 524, 529]);

/** Where a server may ask to wait. `now` (epoch milliseconds) is used for a date when the response has none. */
interface Wait {
  readonly headers: ReadonlyMap<string, string>;
  readonly text: string;
  readonly now: number | undefined;
}
/** The longest wait that is reported, one day: nobody waits that long anyway. */
const LONGEST_MS = 86_400_000;
const UNIT_MS: Readonly<Record<string, number>> = { ms: 1, s: 1_000, m: 60_000, h: 3_600_000 };
const UNIT = '(?:milliseconds?|ms|seconds?|secs?|s|minutes?|mins?|m|hours?|h)';
const IN_TEXT = new RegExp(
  String.raw`(?:try again|retry|wait|retry_?delay|retry[ _-]after|resets?)(?: again)?(?: in| after| for|:|=)? ?` +
    '(?:about |at least |approximately )?' +
    String.raw`((?:\d{1,6}(?:\.\d{1,9})? ?${UNIT}\b ?|\d{1,4}(?:\.\d{1,9})?[hms](?=\d)){1,4})`,
);

/** How long the server asks to wait, in milliseconds: headers count before text. */
export function findRetryAfter({ headers, text, now }: Wait): number | undefined {
  const [milliseconds, value] = [headers.get('retry-after-ms')?.trim(), headers.get('retry-after')?.trim()];
  const isNumber = (field: string | undefined): field is string => /^\d+(?:\.\d+)?$/.test(field ?? '');
  const inHeader = isNumber(value) ? Math.round(Number(value) * 1_000) : untilDate(value, headers.get('date'), now);
  const wait = isNumber(milliseconds) ? Math.round(Number(milliseconds)) : (inHeader ?? fromText(text));
  return wait === undefined ? undefined : Math.min(wait, LONGEST_MS);
}

function untilDate(value = '', date = '', now: number | undefined = undefined): number | undefined {
  const [until, from] = [Date.parse(value), Date.parse(date)];
  const start = Number.isNaN(from) ? now : from;
  return Number.isNaN(until) || start === undefined ? undefined : Math.max(0, until - start);
}

function fromText(text: string): number | undefined {
  const wait = IN_TEXT.exec(text)?.[1];
  if (wait === undefined) return undefined;
  let total = 0;
  for (const [, count, unit = 's'] of wait.matchAll(/(\d+(?:\.\d+)?) ?(milliseconds?|ms|s|m|h)?/g)) {
    total += Number(count) * (UNIT_MS[unit.startsWith('mil') ? 'ms' : unit] ?? 0);
  }
  return Math.ceil(total);
}

/** What is read of a failure to decide whether to try again. */
interface Said {
  readonly whole: string;
  readonly codes: readonly string[];
  readonly status: number | undefined;
  /** How long the server asks to wait, if it does. */
  readonly retryAfterMs: number | undefined;
}

/**
 * Whether money or an allowance is used up, rather than a rate exceeded. A server that says when to try again means a
 * rate: Google's "You exceeded your current quota" may be that of a minute.
 */
export function isSpent(kind: ModelErrorKind, { whole, status, retryAfterMs }: Said): boolean {
  return kind === 'rate-limit' && (status === 402 || (SPENT.test(whole) && retryAfterMs === undefined));
}

/** Whether the same request, unchanged, may succeed later. */
export function isRetryable(kind: ModelErrorKind, said: Said): boolean {
  const { whole, codes, status } = said;
  if (kind === 'rate-limit') return !isSpent(kind, said);
  if (kind !== 'other') return kind === 'timeout';
  if (status !== undefined) return RETRYABLE_STATUS.has(status);
  return TRANSIENT.test(whole) || codes.some((code) => NETWORK_CODE.test(code));
}
