import { findInterruption, type Gathered, gather } from './gather.ts';
import type { ModelError, ModelErrorKind } from './modelError.ts';
import { CODES, findStatus, normalise, QUOTING, WORDINGS } from './wordings.ts';

/** With these statuses servers refuse a request for its content; some, an overflow with 500. */
const REFUSALS: ReadonlySet<number> = new Set([400, 404, 413, 422]);
/** Statuses after which the same request may succeed: timeout, conflict, too early, server errors, overload. */
const RETRYABLE_STATUS: ReadonlySet<number> = new Set([408, 409, 425, 500, 502, 503, 504, 520, 521, 522, 523, 524, 529]);
/** A server needs a few sentences to say that something is too long; the longest seen has about 500 characters. */
const LONGEST_STATEMENT = 1_200;

/** What the kind of an error was decided by: a status, a code, or a wording and its figures. */
interface Verdict {
  readonly kind: ModelErrorKind;
  readonly evidence?: string;
  readonly figures?: Figures;
}

/** In tokens; see `Wording`. */
type Figures = { readonly [Name in 'actual' | 'limit' | 'input' | 'output' | 'tools' | 'cap']?: number } & {
  readonly least?: true;
};

/**
 * Classifies the failure of a model request, given in any form (an error with causes, a body, an event, a string), and
 * reads the figures that its text states. Never throws. `now` (epoch milliseconds) is for a Retry-After date only.
 */
export function classifyModelError(error: unknown, now?: number): ModelError {
  const gathered = gather(error);
  const text = gathered.texts.map(normalise).join('\n');
  const status = gathered.status ?? findStatus(text);
  const verdict = decide(findInterruption(error), gathered, text, status);
  const { kind, figures = {} } = verdict;
  const retryAfterMs = findRetryAfter(gathered.headers, text, now);
  const isSpent = kind === 'rate-limit' && (status === 402 || (SPENT.test(text) && retryAfterMs === undefined));
  const said = toEvidence(gathered.texts.join(' '));
  const stated = {
    actualTokens: figures.actual,
    limitTokens: figures.limit,
    outputTokens: figures.output,
    outputLimitTokens: figures.cap,
    retryAfterMs,
    status,
  };
  const isForeign = kind === 'overflow' && isQuoted(gathered, text, status);
  return {
    kind,
    ...Object.fromEntries(Object.entries(stated).filter(([, value]) => value !== undefined)),
    ...(figures.least === true && { lowerBound: true }),
    ...(kind === 'overflow' && (figures.tools ?? 0) >= (figures.limit ?? Number.POSITIVE_INFINITY) && { tools: true }),
    ...(isForeign && { quoted: true }),
    ...(kind === 'overflow' && { words: said }),
    ...(isSpent && { spent: true }),
    retryable: kind === 'timeout' || (kind === 'rate-limit' ? !isSpent : kind === 'other' && mayPass(gathered, text, status)),
    evidence: original(gathered, verdict.evidence) ?? (said === '' ? toEvidence(verdict.evidence ?? gathered.codes.join(' ')) : said),
  };
}

/** By, in this order: who gave up, the status, a code, the words. */
function decide(
  interruption: readonly ['cancelled' | 'timeout', string] | undefined,
  { codes, counts }: Gathered,
  text: string,
  status: number | undefined,
): Verdict {
  if (interruption !== undefined) return { kind: interruption[0], evidence: interruption[1] };
  const byStatus = status === undefined ? undefined : STATUSES[status];
  if (byStatus !== undefined) return { kind: byStatus, evidence: `status ${status}` };
  const [coded, names] = CODES.find(([, pattern]) => codes.some((code) => pattern.test(code))) ?? [];
  if (counts !== undefined) return sized({ kind: 'overflow', figures: counts, evidence: 'counts' });
  if (coded === 'overflow') return sized(findWording(text, 'overflow') ?? { kind: 'overflow' });
  if (coded !== undefined && names !== undefined) return { ...findWording(text, coded), kind: coded };
  const worded = findWording(text);
  const isRefusal = status === undefined || status === 500 || REFUSALS.has(status);
  if (worded !== undefined && (worded.kind !== 'overflow' || isRefusal)) return sized(worded);
  return status === 413 || codes.some((code) => BODY_CODE.test(code)) ? { kind: 'payload-too-large' } : { kind: 'other' };
}

/** Of a body too large for a proxy or server; where the words tell of tokens, they count. */
const BODY_CODE = /^(?:request|payload|request_entity|content)_too_large$/;

const STATUSES: Readonly<Record<number, ModelErrorKind>> = {
  402: 'rate-limit',
  408: 'timeout',
  429: 'rate-limit',
  504: 'timeout',
  524: 'timeout',
};

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

/** The figures of a match; undefined where they contradict each other: nothing is too long by these. */
function figuresIn(groups: Readonly<Record<string, string>> = {}): Figures | undefined {
  const number = (name: string): number | undefined => (groups[name] === undefined ? undefined : Number(groups[name]));
  const [input, output, limit] = [number('input'), number('output'), number('limit')];
  const actual = number('actual') ?? (input === undefined ? undefined : input + (output ?? 0));
  if (actual !== undefined && limit !== undefined && actual <= limit) return undefined;
  const cap = number('cap');
  return {
    ...(actual !== undefined && { actual }),
    ...(limit !== undefined && { limit }),
    ...(output !== undefined && { output }),
    ...(groups.tools !== undefined && { tools: Number(groups.tools) }),
    ...(cap !== undefined && { cap: groups.exclusive === undefined ? cap : cap - 1 }),
    ...(groups.least !== undefined && { least: true }),
  };
}

/** An answer that alone is as long as the window is too long: compaction cannot help. */
function sized(verdict: Verdict): Verdict {
  const { output = 0, limit = Number.POSITIVE_INFINITY } = verdict.figures ?? {};
  return verdict.kind === 'overflow' && output >= limit ? { ...verdict, kind: 'output-limit' } : verdict;
}

/**
 * Whether the words of an overflow may be somebody else's: beside words of other matters, too many of them, or with a
 * status that no server refuses a request for its length with, unless a code or counts say it.
 */
function isQuoted({ codes, counts }: Gathered, text: string, status: number | undefined): boolean {
  const isCoded = counts !== undefined || codes.some((code) => CODES.some(([kind, all]) => kind === 'overflow' && all.test(code)));
  if (status !== undefined && !REFUSALS.has(status) && !isCoded) return true;
  return text.length > LONGEST_STATEMENT || [text, ...codes].some((one) => QUOTING.test(one));
}

const TRANSIENT =
  /other side closed|socket hang ?up|connection (?:error|reset|closed|refused|aborted)|premature close|fetch failed|\beconn(?:reset|refused)\b|network error|\boverloaded\b|\bterminated\b|service unavailable|bad gateway/;
const NETWORK_CODE =
  /^(?:econn(?:reset|refused)|epipe|enotfound|eai_again|und_err_socket|err_stream_premature_close|(?:api)?connectionerror)$/;
/** Money and allowances: waiting a moment does not help. */
const SPENT =
  /insufficient[ _](?:credits?|balance|funds|quota)|\bcredits?\b|can only afford|paid account|billing|spending limit|payment (?:method|required)|exceeded your current quota|\bmax budget\b|extra usage|余额|欠费/;

/** Whether the same request, unchanged, may succeed later. */
function mayPass({ codes }: Gathered, text: string, status: number | undefined): boolean {
  if (status !== undefined) return RETRYABLE_STATUS.has(status);
  return TRANSIENT.test(text) || codes.some((code) => NETWORK_CODE.test(code));
}

/** The longest wait that is reported, one day: nobody waits that long anyway. */
const LONGEST_MS = 86_400_000;
const UNIT_MS: Readonly<Record<string, number>> = { ms: 1, s: 1_000, m: 60_000, h: 3_600_000 };
const UNIT = '(?:milliseconds?|ms|seconds?|secs?|s|minutes?|mins?|m|hours?|h)';
const WAIT_IN_TEXT = new RegExp(
  String.raw`(?:try again|retry|wait|retry_?delay|retry[ _-]after|resets?)(?: again)?(?: in| after| for|:|=)? ?` +
    '(?:about |at least |approximately )?' +
    String.raw`((?:\d{1,6}(?:\.\d{1,9})? ?${UNIT}\b ?|\d{1,4}(?:\.\d{1,9})?[hms](?=\d)){1,4})`,
);

/** How long the server asks to wait, in milliseconds: headers count before text. */
function findRetryAfter(headers: ReadonlyMap<string, string>, text: string, now?: number): number | undefined {
  const number = (name: string): number => Number.parseFloat(/^\d+(?:\.\d+)?$/.exec(headers.get(name)?.trim() ?? '')?.[0] ?? '');
  const [from, until] = ['date', 'retry-after'].map((name) => Date.parse(headers.get(name) ?? ''));
  const untilDate = (until ?? Number.NaN) - (Number.isNaN(from) ? (now ?? Number.NaN) : (from ?? 0));
  const stated = [number('retry-after-ms'), number('retry-after') * 1_000, Math.max(0, untilDate), waitIn(text)];
  const wait = stated.find((one) => !Number.isNaN(one));
  return wait === undefined ? undefined : Math.min(Math.round(wait), LONGEST_MS);
}

function waitIn(text: string): number {
  const wait = WAIT_IN_TEXT.exec(text)?.[1];
  if (wait === undefined) return Number.NaN;
  const parts = [...wait.matchAll(/(\d+(?:\.\d+)?) ?(milliseconds?|ms|s|m|h)?/g)];
  const inMs = ([, count, unit = 's']: RegExpExecArray) =>
    Number(count) * (UNIT_MS[unit.startsWith('mil') ? 'ms' : unit] ?? 0);
  return Math.ceil(parts.reduce((total, part) => total + inMs(part), 0));
}

/** The text in which some words were found, as it was written; undefined where it is not known or too long. */
function original({ texts }: Gathered, words: string | undefined): string | undefined {
  if (words === undefined) return undefined;
  const text = texts.find((one) => normalise(one).includes(words));
  return text === undefined ? undefined : toEvidence(text.length <= EVIDENCE_CHARACTERS ? text : words);
}

/** How many characters are read (masking may shorten them), and how long the evidence may be. */
const READ_CHARACTERS = 2_000;
const EVIDENCE_CHARACTERS = 300;

const KEY = /\b(?:[spr]k|gsk|xai|hf|gh[pous]|github_pat|glpat|AIza|nvapi|csk|fw|pplx|r8|key|AKIA)[-_]?[\w*-]{6,}/g;
const NAMED = /((?:api[-_ ]?key|token|secret|authorization|password)["']?\s{0,2}[:=]\s{0,2}["']?)[^\s"',}]{8,}/gi;

/** Text that may be shown and logged: keys masked, white space joined, at most 300 characters. */
export function toEvidence(text: string): string {
  const masked = text
    .slice(0, READ_CHARACTERS)
    .replace(/\b(bearer|basic)\s+[\w.~+/=-]{6,}/gi, '$1 ***')
    .replace(KEY, maskIfKey)
    .replace(NAMED, '$1***')
    .replace(/\/\/[^/\s@]{1,200}@/g, '//***@')
    .replace(/[A-Za-z0-9_+/=-]{32,}/g, maskIfKey)
    .replace(/\s+/g, ' ')
    .trim();
  return masked.length <= EVIDENCE_CHARACTERS ? masked : `${masked.slice(0, EVIDENCE_CHARACTERS - 1)}…`;
}

/** A long word without a digit is an ordinary word (`prompt_tokens_details_and_more`); one with digits may be a key. */
function maskIfKey(word: string): string {
  return /\d/.test(word) || word.includes('*') ? '***' : word;
}
