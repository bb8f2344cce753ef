import type { ModelErrorKind } from './modelError.ts';
import { SPENT } from './vetoes.ts';

const NETWORK_CODE =
  /^(?:econnreset|econnrefused|epipe|enotfound|eai_again|und_err_socket|err_stream_premature_close|apiconnectionerror|connectionerror)$/;
/** The same from text: the connection broke, or the server is busy. */
const TRANSIENT =
  /other side closed|socket hang ?up|connection (?:error|reset|closed|refused|aborted)|premature close|\beconn(?:reset|refused)\b|fetch failed|network error|\boverloaded\b|\bterminated\b|service unavailable|bad gateway/;
/** Statuses after which the same request may succeed: timeout, conflict, too early, server faults, Anthropic's overload. */
const RETRYABLE_STATUS = new Set([408, 409, 425, 500, 502, 503, 504, 520, 521, 522, 523, 524, 529]);

const UNIT_MS: Readonly<Record<string, number>> = { ms: 1, s: 1_000, m: 60_000, h: 3_600_000 };
/** A longer wait is told as this, one day: long enough that nobody waits for it. */
const LONGEST_MS = 86_400_000;

/** How long the server asks to wait, milliseconds: headers before text. `now` (epoch ms) is needed for a date where the response has none. */
export function findRetryAfter(source: {
  headers: ReadonlyMap<string, string>;
  text: string;
  now?: number;
}): number | undefined {
  const { headers, text, now } = source;
  const wait = fromMilliseconds(headers.get('retry-after-ms')) ?? fromHeader(headers, now) ?? fromText(text);
  return wait !== undefined && wait >= 0 ? Math.min(wait, LONGEST_MS) : undefined;
}

function fromMilliseconds(value: string | undefined): number | undefined {
  return value !== undefined && /^\s*\d+(?:\.\d+)?\s*$/.test(value) ? Math.round(Number(value)) : undefined;
}

function fromHeader(headers: ReadonlyMap<string, string>, now: number | undefined): number | undefined {
  const value = headers.get('retry-after')?.trim();
  if (value === undefined || value === '') return undefined;
  if (/^\d+(?:\.\d+)?$/.test(value)) return Math.round(Number(value) * 1_000);
  const until = Date.parse(value);
  const from = Date.parse(headers.get('date') ?? '');
  const start = Number.isNaN(from) ? now : from;
  return Number.isNaN(until) || start === undefined ? undefined : Math.max(0, until - start);
}

function fromText(text: string): number | undefined {
  const match =
    /(?:try again|retry|wait|retry_?delay|retry[ _-]after|reset(?:s)?)(?: again)?(?: in| after| for|:|=)? ?(?:about |at least |approximately )?((?:\d{1,6}(?:\.\d{1,9})? ?(?:milliseconds?|ms|seconds?|secs?|s|minutes?|mins?|m|hours?|h)\b ?|\d{1,4}(?:\.\d{1,9})?[hms](?=\d)){1,4})/.exec(
      text,
    );
  if (match?.[1] === undefined) return undefined;
  let total = 0;
  for (const part of match[1].matchAll(/(\d+(?:\.\d+)?) ?(milliseconds?|ms|s|m|h)?/g)) {
    const unit = part[2] ?? 's';
    total += Number(part[1]) * (UNIT_MS[unit.startsWith('mil') ? 'ms' : unit] ?? 0);
  }
  return Math.ceil(total);
}

/** Whether the same request may succeed later, without any change of it. */
export function isRetryable(failure: {
  kind: ModelErrorKind;
  whole: string;
  codes: readonly string[];
  status: number | undefined;
}): boolean {
  const { kind, whole, codes, status } = failure;
  if (kind === 'timeout') return true;
  if (kind === 'rate-limit') return status !== 402 && !SPENT.test(whole);
  if (kind !== 'other') return false;
  if (status !== undefined) return RETRYABLE_STATUS.has(status);
  return TRANSIENT.test(whole) || codes.some((code) => NETWORK_CODE.test(code));
}
