import { phrase, type Words } from '../phrase.ts';
import { withoutUndefined } from '../result.ts';
import { findInterruption, type Gathered, gather, normalise } from './gather.ts';
import { EVIDENCE_CHARACTERS, toEvidence } from './secrets.ts';
import { CODES, type ModelErrorKind, QUOTING, WORDINGS } from './wordings.ts';

/** A failed model request, classified once at the edge. Has token figures only where the server's text states them. */
export interface ModelError {
  readonly kind: ModelErrorKind;
  /** The total that the text compares with the limit. Tokens. */
  readonly actualTokens?: number;
  /** The text calls `actualTokens` a lower bound (vLLM: "at least"), so it must not be used for calibration. */
  readonly lowerBound?: true;
  /** The window or input limit that the text states, in tokens; never a lower bound, an excess or a quota. */
  readonly limitTokens?: number;
  /** Output tokens that the request asked for, if the text states them. */
  readonly outputTokens?: number;
  /** The limit for the output tokens of one reply, if an `output-limit` states it. */
  readonly outputLimitTokens?: number;
  /** The tool definitions alone are at fault: compacting the history cannot help. */
  readonly tools?: true;
  /** The words may be a quotation (`QUOTING` in `wordings.ts`), so the figures are not about this request. */
  readonly quoted?: true;
  /** What the server said about an overflow, at most 300 characters, without secrets. */
  readonly words?: string;
  /** Whether sending the same request again later may succeed. */
  readonly retryable: boolean;
  /** Money or an allowance is used up, so that retrying soon does not help. */
  readonly spent?: true;
  /** The server answered, but not with a usable reply, so fewer attempts are made (`retry.ts`). */
  readonly answered?: true;
  /** The connection was cut after the answer had begun. */
  readonly brokeOff?: true;
  /** The reply ended without words or calls; whether after reasoning, and whether by itself, its output limit or a filter. */
  readonly empty?: { readonly reasoned: boolean; readonly ended: 'by-itself' | 'cut-off' | 'filtered' };
  /** Why VS Code refused access to its model, or the model refused to answer. `failed`: any other failure. */
  readonly refusal?: 'no-permission' | 'blocked' | 'not-found' | 'failed';
  /** How long the server asks to wait. Milliseconds. */
  readonly retryAfterMs?: number;
  /** HTTP status, where one was seen. */
  readonly status?: number;
  /** What decided the kind: a code, a field or the matching sentence; at most 300 characters, without secrets. */
  readonly evidence: Words;
}

/** Statuses with which servers refuse a request for its content; some report an overflow with 500. */
const REFUSALS: ReadonlySet<number> = new Set([400, 404, 413, 422]);
/** Statuses after which the same request may succeed. */
const RETRYABLE: readonly number[] = [408, 409, 425, 500, 502, 503, 504, 520, 521, 522, 523, 524, 529];
/** Characters of a plausible overflow report: the longest one seen has about 500. */
const LONGEST_STATEMENT = 1_200;

type Figures = Pick<
  ModelError,
  'actualTokens' | 'lowerBound' | 'limitTokens' | 'outputTokens' | 'outputLimitTokens' | 'tools'
>;

/** The kind of a failure and what decided it: a status, a code, or a wording with its figures. */
interface Verdict {
  readonly kind: ModelErrorKind;
  readonly evidence?: string;
  readonly figures?: Figures;
}

/**
 * Classifies the failure of a model request, given in any form (an error with causes, a body, an event, a string), and
 * reads the figures that its text states. Never throws. `now` (epoch milliseconds) is for a Retry-After date only.
 */
export function classifyModelError(error: unknown, now?: number): ModelError {
  const gathered = gather(error);
  const { texts, text, status, headers, codes } = gathered;
  const interruption = findInterruption(error);
  const { kind, figures, evidence }: Verdict =
    interruption === undefined ? decide(gathered) : { kind: interruption[0] };
  const isOverflow = kind === 'overflow';
  const retryAfterMs = findRetryAfter(headers, text, now);
  const isSpent = kind === 'rate-limit' && (status === 402 || (SPENT.test(text) && retryAfterMs === undefined));
  const words = toEvidence([...new Set(texts.map(withoutStatus))].join(' ').trim());
  // A failure without words is named by its status or codes.
  const code = interruption?.[1] ?? toEvidence(codes.join(' '));
  const name = interruption === undefined && status !== undefined ? phrase('error.status', String(status)) : code;
  return withoutUndefined<ModelError>({
    kind,
    ...figures,
    words: isOverflow ? words : undefined,
    quoted: (isOverflow && isQuoted(gathered)) || undefined,
    spent: isSpent || undefined,
    retryAfterMs,
    status,
    retryable: kind === 'timeout' || (kind === 'rate-limit' && !isSpent) || (kind === 'other' && mayPass(gathered)),
    evidence: findOriginal(texts, evidence) ?? (words || name),
  });
}

/** Decides by the status, then counts in fields, then a code, then the words. */
function decide({ codes, counts, text, status }: Gathered): Verdict {
  if (RATE_STATUSES.includes(status)) return { kind: 'rate-limit' };
  if (TIMEOUT_STATUSES.includes(status)) return { kind: 'timeout' };
  if (counts !== undefined) return { kind: 'overflow', figures: counts };
  const [coded] = CODES.find(([, pattern]) => codes.some((code) => pattern.test(code))) ?? [];
  const worded = findWording(text, coded);
  if (coded !== undefined) return sized(worded ?? { kind: coded });
  const isRefusal = status === undefined || status === 500 || REFUSALS.has(status);
  if (worded !== undefined && (worded.kind !== 'overflow' || isRefusal)) return sized(worded);
  const isBody = status === 413 || codes.some((code) => BODY_CODE.test(code));
  return { kind: isBody ? 'payload-too-large' : 'other' };
}

/** Codes for a body too large for a proxy or server; words about tokens take precedence. */
const BODY_CODE = /^(?:request|payload|request_entity|content)_too_large$/;

const RATE_STATUSES: readonly unknown[] = [402, 429];
const TIMEOUT_STATUSES: readonly unknown[] = [408, 504, 524];

/** The first wording that matches a text, of one kind or of any, with the figures of the first that has some. */
function findWording(text: string, only?: ModelErrorKind): Verdict | undefined {
  let found: Verdict | undefined;
  for (const { kind, pattern } of WORDINGS) {
    const match = kind === (found?.kind ?? only ?? kind) ? pattern.exec(text) : null;
    const figures = match === null ? undefined : figuresIn(match.groups);
    if (match === null || figures === undefined) continue;
    found = { kind, figures, evidence: found?.evidence ?? match[0] };
    if (Object.keys(figures).length > 0) return found;
  }
  return found;
}

/** The figures of a match; undefined if they contradict an overflow. */
function figuresIn(groups: Readonly<Record<string, string>> = {}): Figures | undefined {
  const { input, output, limit, tools, cap, exclusive, least } = groups;
  const total = groups.actual ?? (input && String(Number(input) + Number(output ?? 0)));
  const [actualTokens, limitTokens, outputTokens, most] = [total, limit, output, cap].map(
    (figure) => figure && Number(figure),
  ) as (number | undefined)[];
  if (actualTokens !== undefined && limitTokens !== undefined && actualTokens <= limitTokens) return undefined;
  return withoutUndefined<Figures>({
    actualTokens,
    limitTokens,
    outputTokens,
    outputLimitTokens: most === undefined || exclusive === undefined ? most : most - 1,
    lowerBound: least === undefined ? undefined : true,
    tools: Number(tools) >= Number(limit) || undefined,
  });
}

/** Compaction cannot help if the requested output alone fills the window: that is an `output-limit`. */
function sized(verdict: Verdict): Verdict {
  const { outputTokens = 0, limitTokens = Number.POSITIVE_INFINITY } = verdict.figures ?? {};
  return verdict.kind === 'overflow' && outputTokens >= limitTokens ? { ...verdict, kind: 'output-limit' } : verdict;
}

/**
 * Whether the words of an overflow may be a quotation: they are mixed with other matters, too many, or come with a status
 * that no server uses for an overflow, unless a code or counts confirm it.
 */
function isQuoted({ codes, counts, text, status }: Gathered): boolean {
  const isCoded =
    counts !== undefined || codes.some((code) => CODES.some(([kind, all]) => kind === 'overflow' && all.test(code)));
  if (status !== undefined && !REFUSALS.has(status) && !isCoded) return true;
  return text.length > LONGEST_STATEMENT || [text, ...codes].some((one) => QUOTING.test(one));
}

const TRANSIENT =
  /other side closed|socket hang ?up|connection (?:error|reset|closed|refused|aborted)|premature close|fetch failed|\beconn(?:reset|refused)\b|network error|\boverloaded\b|\bterminated\b|service unavailable|bad gateway/;
const NETWORK_CODE =
  /^(?:econn(?:reset|refused)|epipe|enotfound|eai_again|und_err_socket|err_stream_premature_close|(?:api)?connectionerror)$/;
/** Wordings about money and allowances. */
const SPENT =
  /insufficient[ _](?:credits?|balance|funds|quota)|\bcredits?\b|can only afford|paid account|billing|spending limit|payment (?:method|required)|exceeded your current quota|\bmax budget\b|extra usage|余额|欠费/;

/** Whether the same request, unchanged, may succeed later. */
function mayPass({ codes, text, status }: Gathered): boolean {
  if (status !== undefined) return RETRYABLE.includes(status);
  return TRANSIENT.test(text) || codes.some((code) => NETWORK_CODE.test(code));
}

/** The longest wait that is reported: one day. */
const LONGEST_MS = 86_400_000;
const UNIT_MS: Readonly<Record<string, number>> = { ms: 1, s: 1_000, m: 60_000, h: 3_600_000 };
const WAIT_IN_TEXT =
  /(?:try again|retry|wait|retry_?delay|retry[ _-]after|resets?)(?: again)?(?: in| after| for|:|=)? ?(?:about |at least )?((?:\d{1,6}(?:\.\d{1,9})? ?(?:ms|s|m|h|milliseconds?|sec(?:ond)?s?|min(?:ute)?s?|hours?)(?![a-z]) ?){1,4})/;

/** How long the server asks to wait. Headers count before text. Milliseconds. */
function findRetryAfter(headers: ReadonlyMap<string, string>, text: string, now = Number.NaN): number | undefined {
  const [inMs, after = '', date = ''] = ['retry-after-ms', 'retry-after', 'date'].map((name) =>
    headers.get(name)?.trim(),
  );
  const untilDate = Date.parse(after) - (Number.isNaN(Date.parse(date)) ? now : Date.parse(date));
  const seconds = /^\d+(?:\.\d+)?$/.test(after) ? Number(after) * 1_000 : Math.max(0, untilDate);
  const wait = [Number(inMs), seconds, waitIn(text)].find((one) => !Number.isNaN(one));
  return wait === undefined ? undefined : Math.min(Math.round(wait), LONGEST_MS);
}

function waitIn(text: string): number {
  const parts = WAIT_IN_TEXT.exec(text)?.[1]?.matchAll(/(\d{1,9}(?:\.\d{1,9})?) ?(ms|mil|s|m|h)/g) ?? [];
  const times = [...parts].map(([, count, unit = '']) => Number(count) * (UNIT_MS[unit === 'mil' ? 'ms' : unit] ?? 0));
  return times.length === 0 ? Number.NaN : Math.ceil(times.reduce((total, time) => total + time, 0));
}

/** The original text in which some words were found; undefined if there is none. */
function findOriginal(texts: readonly string[], words: string | undefined): string | undefined {
  const text = words === undefined ? undefined : texts.find((one) => normalise(one).includes(words));
  if (words === undefined || text === undefined) return undefined;
  return toEvidence(text.length <= EVIDENCE_CHARACTERS ? text : words);
}

/** Removes the status that a client writes before a text, and words that say no more than it. */
function withoutStatus(text: string): string {
  return text.replace(/^\s{0,9}[45]\d\d\b[\s:-]{0,9}/, '').replace(/^status (?:code \(no body\)|[45]\d\d)$/, '');
}
