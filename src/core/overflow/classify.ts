import { findOverflowCode, isOverflowCode } from './codes.ts';
import { toEvidence } from './evidence.ts';
import { type FoundWording, findWording, PART_SUBJECT, statesExcessIn, statesRefusal } from './findWording.ts';
import { type Gathered, gather } from './gather.ts';
import { findInterruption } from './interruption.ts';
import type { ModelError, ModelErrorKind } from './modelError.ts';
import { joinTokens, readTokens, type StatedTokens } from './numbers.ts';
import { readOutputLimit } from './outputLimit.ts';
import { findRetryAfter, isRetryable } from './retry.ts';
import { withoutStatus } from './status.ts';
import { findSum } from './sums.ts';
import { clauses, normalise, parts } from './text.ts';
import { readTwoFigures } from './twoFigures.ts';
import {
  BODY,
  BYTES,
  INPUT_STATED,
  NOT_A_REJECTION,
  OUTPUT_CAP,
  OUTPUT_CUT,
  RATE,
  RATE_HINT,
  SHORT_FIELD,
  TIMED_OUT,
} from './vetoes.ts';
import { CHARACTERS, CREDENTIAL, MINIMUM, OTHER_THING } from './vocabulary.ts';

/** Means the window at one gateway, an allowance at others: counts where no words of quotas stand beside it. */
const OVERFLOW_HINT = /^token_limit_exceeded$/;
const RATE_CODE =
  /^(?:rate_?limit(?:_exceeded|ed|_error|_reached)?|ratelimiterror|429|throttling.*|.*throttl.*|resource_exhausted|too_many_requests|insufficient_quota|quota_exceeded|insufficient_credits|payment_required|billing_.*|servicequotaexceededexception)$/;
const BYTES_CODE = /^(?:string_above_max_length|string_too_long|image_too_large)$/;
/** Bytes, unless the sentence is about the prompt or its tokens. */
const BODY_CODE = /^(?:request_too_large|payload_too_large|request_entity_too_large)$/;
const TIMEOUT_CODE = /^(?:deadline_exceeded|(?:request_|gateway_)?timeout(?:_error)?)$/;
const OUTPUT_CODE = /^(?:lengthfinishreasonerror|max_tokens_exceeded|invalid_max_tokens|max_output_tokens)$/;
/** The cap's name, but the request asks for too little, or the field itself is refused. */
const NOT_TOO_MUCH =
  /not supported with this model|unsupported parameter|unrecognized|required key|unknown|below (?:the )?minimum|expected a value >=|(?:must|should)[^\n]{0,20} greater than or equal to|is required\b|must be (?:an? )?(?:positive|integer|number|non-negative)|at the same time|simultaneously|mutually exclusive|only one of/;

/** Figures count as tokens of a model's input only in a text that speaks of such. */
const ABOUT_INPUT =
  /\btokens\b|_tokens\b|\btoken count\b|\bn_ctx\b|context (?:length|window|size)|max_seq_len|input_ids|\b(?:input|prompt) (?:length|limit)\b/;

/** The status 413 alone means bytes; a sentence must name the model's input to mean tokens. */
const INPUT_NAMED = /token|context|prompt|window|conversation|messages|input|history/;

/** Words and codes of a body yield to these: not to `request` and `message`, which a body is called too. */
const PROMPT_NAMED = /\b(?:prompts?|tokens?|context|conversation)\b|\binput (?:is )?too long\b/;

/** What one rule says, before figures and retry advice are added. */
interface Verdict {
  readonly kind: ModelErrorKind;
  readonly evidence: string;
}

/** A failure, read once. */
interface Reading {
  readonly gathered: Gathered;
  /** Normalised texts. */
  readonly texts: readonly string[];
  readonly whole: string;
  /** Not a log line or complaint of another thing: a request was refused. */
  readonly isRejection: boolean;
}

/**
 * Says what kind of failure a model request met, with the token figures that its text states. Takes anything: an error
 * with causes, a response body, an SSE error event, a string. Never throws. `now` (epoch milliseconds) is needed only to
 * turn a Retry-After date into a wait where the response carries no date of its own.
 */
export function classifyModelError(error: unknown, now?: number): ModelError {
  const gathered = gather(error);
  const texts = gathered.texts.map(normalise);
  const whole = texts.join('\n');
  const isRejection = !NOT_A_REJECTION.test(whole) || statesRefusal(texts);
  const reading: Reading = { gathered, texts, whole, isRejection };
  const interruption = findInterruption(error);
  const status = gathered.status ?? statusInText(reading.whole);
  if (interruption !== undefined) return complete(interruption, reading, { status, now });
  return complete(decide(reading, status), reading, { status, now });
}

/** The decision, in order: timeout, code, quota, output cap, bytes, wording, nothing. */
function decide(reading: Reading, status: number | undefined): Verdict {
  const { gathered, whole, isRejection } = reading;
  const timedOut = TIMED_OUT.exec(whole);
  const timeoutCode = gathered.codes.find((one) => TIMEOUT_CODE.test(one));
  if (timedOut !== null || timeoutCode !== undefined || status === 408 || status === 504 || status === 524) {
    return { kind: 'timeout', evidence: quote(reading, timedOut?.[0] ?? timeoutCode ?? `status ${status}`) };
  }
  const code = gathered.codes.find(isOverflowCode) ?? (isRejection ? findOverflowCode(whole) : undefined);
  const rate = findRate(reading, status);
  // Words of quotas yield to a code that means overflow; a code or status of quotas does not.
  if (code !== undefined && (rate === undefined || rate.byWords)) return { kind: 'overflow', evidence: `code ${code}` };
  const wording = isRejection ? findWording(reading.texts) : undefined;
  const isExplicit = wording !== undefined && statesExplicitly(reading, wording);
  // A window stated with both figures beats all of it; a sentence about the window or with both figures, mere hints.
  const beatsRate = isExplicit
    ? wording.strong === true || rate?.byHint
    : rate?.byHint && (namesWindow(wording) || isFreeOfRates(wording));
  if (rate !== undefined && beatsRate !== true) return rate;
  const outputCap = findOutputCap(reading);
  if (outputCap !== undefined) return outputCap;
  const bytes = isExplicit || namesWindow(wording) ? undefined : findBytes(reading, status);
  if (bytes !== undefined) return bytes;
  const hint = code ?? gathered.codes.find((one) => OVERFLOW_HINT.test(one));
  if (hint !== undefined) return { kind: 'overflow', evidence: `code ${hint}` };
  if (wording !== undefined) return { kind: 'overflow', evidence: quote(reading, wording.clause) };
  if (statesExcess(reading)) return { kind: 'overflow', evidence: quote(reading, whole) };
  return { kind: 'other', evidence: quote(reading, whole) };
}

/** `byWords`: no code or status says so; `byHint`: nor do words that mean nothing else. */
function findRate(
  reading: Reading,
  status: number | undefined,
): (Verdict & { byWords: boolean; byHint: boolean }) | undefined {
  const code = reading.gathered.codes.find((one) => RATE_CODE.test(one));
  const fact = RATE.exec(reading.whole)?.[0];
  const words = fact ?? RATE_HINT.exec(reading.whole)?.[0];
  if (code === undefined && words === undefined && status !== 429 && status !== 402) return undefined;
  const byWords = code === undefined && status !== 429 && status !== 402;
  return {
    kind: 'rate-limit',
    byWords,
    byHint: byWords && fact === undefined,
    evidence: words === undefined ? `code ${code ?? status}` : quote(reading, words),
  };
}

function findOutputCap(reading: Reading): Verdict | undefined {
  const code = reading.gathered.codes.find((one) => OUTPUT_CODE.test(one));
  if (code !== undefined) return { kind: 'output-limit', evidence: `code ${code}` };
  const cut = OUTPUT_CUT.exec(reading.whole)?.[0];
  if (cut !== undefined) return { kind: 'output-limit', evidence: quote(reading, cut) };
  if (INPUT_STATED.test(reading.whole) || reading.texts.some(addsInputAndOutput)) return undefined; // the arithmetic decides, in `complete`
  for (const pattern of OUTPUT_CAP) {
    const match = pattern.exec(reading.whole);
    if (match !== null) {
      if (NOT_TOO_MUCH.test(reading.whole)) continue;
      return { kind: 'output-limit', evidence: quote(reading, match[0]) };
    }
  }
  return undefined;
}

function findBytes(reading: Reading, status: number | undefined): Verdict | undefined {
  const { gathered, whole } = reading;
  if (!reading.isRejection) return undefined;
  if (SHORT_FIELD.test(whole))
    return { kind: 'other', evidence: quote(reading, SHORT_FIELD.exec(whole)?.[0] ?? whole) };
  const code = gathered.codes.find((one) => BYTES_CODE.test(one));
  if (code !== undefined) return { kind: 'payload-too-large', evidence: `code ${code}` };
  const unit = BYTES.map((pattern) => pattern.exec(whole)).find((one) => one !== null);
  const isOfPrompt = unit === undefined && PROMPT_NAMED.test(findWording(reading.texts)?.clause ?? '');
  const bodyCode = isOfPrompt ? undefined : gathered.codes.find((one) => BODY_CODE.test(one));
  if (bodyCode !== undefined) return { kind: 'payload-too-large', evidence: `code ${bodyCode}` };
  const match = unit ?? (isOfPrompt ? undefined : (BODY.exec(whole) ?? undefined));
  if (match !== undefined && !/\d{1,9} (?:input |prompt )?tokens?\b/.test(whole))
    return { kind: 'payload-too-large', evidence: quote(reading, match[0]) };
  if (status === 413 && !INPUT_NAMED.test(findWording(reading.texts)?.clause ?? ''))
    return { kind: 'payload-too-large', evidence: quote(reading, 'status 413') };
  return undefined;
}

/** Both figures are stated, in a sentence that names the window or is free of quotas itself. */
function statesExplicitly(reading: Reading, wording: FoundWording): boolean {
  if (wording.strong === true) return statesBoth(reading);
  return statesExcessIn(wording.clause) && !RATE.test(wording.clause);
}

/** No known wording, but token figures that say it: more than the stated limit. */
function statesExcess(reading: Reading): boolean {
  if (!reading.isRejection) return false;
  return reading.texts.some(
    (text) =>
      readTwoFigures(text) !== undefined ||
      addsInputAndOutput(text) ||
      isExcessOfTokens(text) ||
      [...clauses(text), ...clauses(text).flatMap(parts)].some(
        (part) => PART_SUBJECT.test(part) && isExcessOfTokens(part),
      ),
  );
}

function isExcessOfTokens(text: string): boolean {
  return (
    ABOUT_INPUT.test(text) &&
    !OTHER_THING.test(text) &&
    !CREDENTIAL.test(text) &&
    !MINIMUM.test(text) &&
    statesExcessIn(text)
  );
}

/** `prompt 7000 + output 2000 > 8192`: only tokens are added like this. */
function addsInputAndOutput(text: string): boolean {
  return findSum(withoutStatus(text))?.sum?.isOfTokens === true;
}

/** `exceeds the context window`: images and files beside it are what was sent. */
function namesWindow(wording: FoundWording | undefined): boolean {
  return (
    wording?.strong === true &&
    /context (?:window|length|size)/.test(wording.clause) &&
    !CHARACTERS.test(wording.clause)
  );
}

/** `prompt too long`, in a sentence of its own. */
function isFreeOfRates(wording: FoundWording | undefined): boolean {
  return wording?.isComplete === true && !RATE.test(wording.clause) && !RATE_HINT.test(wording.clause);
}

function statesBoth(reading: Reading): boolean {
  const { actual, limit } = joinTokens(reading.texts.map(readTokens));
  return actual !== undefined && limit !== undefined;
}

/** Adds figures, status and retry advice, and turns an overflow that the output alone causes into `output-limit`. */
function complete(
  verdict: Verdict,
  reading: Reading,
  at: { status: number | undefined; now: number | undefined },
): ModelError {
  const { gathered, whole } = reading;
  const counts = verdict.kind === 'overflow' ? countTokens(reading) : {};
  const kind =
    counts.output !== undefined && counts.limit !== undefined && counts.output >= counts.limit
      ? 'output-limit'
      : verdict.kind;
  const cap = kind === 'output-limit' && verdict.kind === kind ? readOutputLimit(reading.texts) : undefined;
  const onlyTools = kind === 'overflow' && areToolsAtFault(counts, whole);
  const retryAfterMs = findRetryAfter({
    headers: gathered.headers,
    text: whole,
    ...(at.now === undefined ? {} : { now: at.now }),
  });
  return {
    kind,
    ...(counts.actual === undefined ? {} : { actualTokens: counts.actual }),
    ...(counts.lowerBound === true && counts.actual !== undefined ? { lowerBound: true as const } : {}),
    ...(counts.limit === undefined ? {} : { limitTokens: counts.limit }),
    ...(counts.output === undefined ? {} : { outputTokens: counts.output }),
    ...(cap === undefined ? {} : { outputLimitTokens: cap }),
    ...(onlyTools ? { tools: true as const } : {}),
    retryable: isRetryable({ kind, whole, codes: gathered.codes, status: at.status }),
    ...(retryAfterMs === undefined ? {} : { retryAfterMs }),
    ...(at.status === undefined ? {} : { status: at.status }),
    evidence: toEvidence(verdict.evidence),
  };
}

function countTokens(reading: Reading): StatedTokens {
  const { actual, limit } = reading.gathered.counts;
  const fields: StatedTokens = {
    ...(actual === undefined ? {} : { actual }),
    ...(limit === undefined ? {} : { limit }),
  };
  const stated = joinTokens([fields, ...reading.texts.map(readTokens)]);
  if (stated.actual !== undefined && stated.limit !== undefined) return stated;
  const excess = reading.texts.map(readTwoFigures).find((one) => one !== undefined);
  const agrees =
    excess !== undefined &&
    (stated.actual ?? excess.actual) === excess.actual &&
    (stated.limit ?? excess.limit) === excess.limit;
  return agrees ? { ...stated, ...excess } : stated;
}

function areToolsAtFault(counts: StatedTokens, whole: string): boolean {
  if (counts.tools !== undefined) return counts.limit !== undefined && counts.tools >= counts.limit;
  return /(?:tool|function)s? (?:definitions?|schemas?|declarations?)[^\n]{0,60}(?:exceed|too large|too long|larger than)/.test(
    whole,
  );
}

function statusInText(whole: string): number | undefined {
  const match =
    /^(?:error: )?([45]\d\d)(?= (?!tokens?\b)|:|$)|\b(?:status(?: code)?|http(?:\/\d(?:\.\d)?)?|error code|upstream_status)(?:: ?(?:http )?|=| )([45]\d\d)\b|\berror \(([45]\d\d)\)/.exec(
      whole,
    );
  const figure = match?.[1] ?? match?.[2] ?? match?.[3];
  return figure === undefined ? undefined : Number(figure);
}

/** The original text where it is short, else the sentence around what matched. */
function quote(reading: Reading, matched: string): string {
  const position = reading.texts.findIndex((text) => text.includes(matched));
  const original = reading.gathered.texts[position];
  if (original !== undefined && original.length <= 300) return original;
  const text = reading.texts[position];
  if (text === undefined || matched.length >= 120) return matched;
  const at = text.indexOf(matched);
  return text.slice(Math.max(0, at - 80), at + matched.length + 160);
}
