import { findOverflowCode, isOverflowCode } from './codes.ts';
import { toEvidence } from './evidence.ts';
import { readTokens } from './figures.ts';
import { type Gathered, gather } from './gather.ts';
import { findInterruption } from './interruption.ts';
import type { ModelError, ModelErrorKind } from './modelError.ts';
import { readOutputLimit } from './outputLimit.ts';
import { findProvider } from './providers.ts';
import { findRetryAfter, isRetryable, isSpent } from './retry.ts';
import { clauses, findStatus, normalise, withoutStatus } from './text.ts';
import { joinTokens, type StatedTokens, toTokens } from './tokens.ts';
import * as veto from './vetoes.ts';
import { findWording, NOT_INPUT, TOKENS, WINDOW } from './words.ts';

const RATE_CODE = new RegExp(
  '^(?:rate_?limit(?:_exceeded|ed|_error|_reached)?|ratelimiterror|429|.*throttl.*|resource_exhausted|' +
    'too_many_requests|(?:insufficient_|service)?quota_?(?:exceeded(?:exception)?)?|insufficient_credits|payment_required|billing_.*)$',
);
const BYTES_CODE = /^(?:string_above_max_length|string_too_long|image_too_large)$/;
/** Bytes, unless the sentence is about the prompt or its tokens. */
const BODY_CODE = /^(?:request_too_large|payload_too_large|request_entity_too_large)$/;
const TIMEOUT_CODE = /^(?:deadline_exceeded|(?:request_|gateway_)?timeout(?:_error)?)$/;
const OUTPUT_CODE = /^(?:lengthfinishreasonerror|max_tokens_exceeded|invalid_max_tokens|max_output_tokens)$/;
/** Means the window at one gateway and an allowance at others: counts where no words about quotas are next to it. */
const OVERFLOW_HINT = /^token_limit_exceeded$/;
const TIMEOUT_STATUS: ReadonlySet<number | undefined> = new Set([408, 504, 524]);
const RATE_STATUS: ReadonlySet<number | undefined> = new Set([402, 429]);

/** The verdict of a rule, and what it is based on. */
type Verdict = readonly [kind: ModelErrorKind, evidence: string];

/** A failure and everything read from it. */
interface Reading {
  readonly gathered: Gathered;
  readonly texts: readonly string[]; // normalised, without statuses
  readonly whole: string; // the same with statuses
  readonly status: number | undefined;
  readonly tokens: StatedTokens; // of a refused input, should it be one
}

/**
 * Classifies the failure of a model request, given in any form (an error with causes, a body, an event, a string), and
 * reads the figures that its text states. Never throws. `now` (epoch milliseconds) is for a Retry-After date only.
 */
export function classifyModelError(error: unknown, now?: number): ModelError {
  const gathered = gather(error);
  const normalised = gathered.texts.map(normalise);
  const whole = normalised.join('\n');
  const texts = normalised.map(withoutStatus);
  const tokens = joinTokens([gathered.counts, ...texts.map(readStated)]);
  const reading: Reading = { gathered, texts, whole, status: gathered.status ?? findStatus(whole), tokens };
  return complete(findInterruption(error) ?? decide(reading), reading, now);
}

/** The figures of one text: those of a known provider's sentence, completed by those in general wording in the rest. */
function readStated(text: string): StatedTokens {
  const found = findProvider(text);
  return found === undefined ? readTokens(text) : { ...readTokens(found.rest, found.figures.limit), ...found.figures };
}

/** Decides by, in this order: timeout, code, quota, output cap, bytes, sentences; otherwise `other`. */
function decide(reading: Reading): Verdict {
  const { gathered, whole, status } = reading;
  const coded = (codes: RegExp): string | undefined => gathered.codes.find((one) => codes.test(one));
  const timedOut = veto.TIMED_OUT.exec(whole)?.[0] ?? coded(TIMEOUT_CODE);
  if (timedOut !== undefined || TIMEOUT_STATUS.has(status)) return ['timeout', timedOut ?? `status ${status}`];

  const sentence = findSentence(reading);
  const isRejection = !veto.NOT_A_REJECTION.test(whole) || sentence?.isExact === true;
  const code = gathered.codes.find(isOverflowCode) ?? (isRejection ? findOverflowCode(whole) : undefined);
  const rateCode = coded(RATE_CODE) ?? (RATE_STATUS.has(status) ? `status ${status}` : undefined);
  const rate = rateCode ?? veto.RATE.exec(whole)?.[0] ?? veto.RATE_HINT.exec(whole)?.[0];
  // Words about quotas yield to a code that means overflow; a code or status for quotas does not.
  if (code !== undefined && rateCode === undefined) return ['overflow', `code ${code}`];
  if (rate !== undefined && (rateCode !== undefined || !isRejection || sentence?.isFree !== true))
    return ['rate-limit', rate];

  const cap = coded(OUTPUT_CODE) ?? veto.OUTPUT_CUT.exec(whole)?.[0];
  if (cap !== undefined) return ['output-limit', cap];
  const refusedCap = isRejection && sentence?.isInput !== true ? findOutputCap(reading) : undefined;
  if (refusedCap !== undefined) return ['output-limit', refusedCap];
  const bytes = isRejection && sentence?.isExact !== true ? findBytes(reading, sentence?.text) : undefined;
  if (bytes !== undefined) return bytes;
  const hint = code ?? coded(OVERFLOW_HINT);
  if (hint !== undefined) return ['overflow', `code ${hint}`];
  return sentence !== undefined && isRejection ? ['overflow', sentence.text] : ['other', whole];
}

/** A sentence that says that the input is too long. */
interface Sentence {
  readonly text: string;
  readonly isExact: boolean; // known word for word, or with both figures: means nothing else, whatever stands beside it
  readonly isFree: boolean; // words of quotas elsewhere in the text are a wrapper's
  readonly isInput: boolean; // not about the cap of the reply
}

/** What is too long in a refused request; `context` alone may refer to a setting of a server. */
const REFUSED = /\b(?:prompts?|inputs?|messages|conversation|request)\b/;
const CAP_NAME = /max_?\w{0,12}tokens/;

function findSentence({ texts, whole, tokens }: Reading): Sentence | undefined {
  const known = texts.map(findProvider).find((one) => one !== undefined)?.sentence;
  const wording = findWording(texts, veto.CAP) ?? findWording(texts);
  const isOver = tokens.actual !== undefined && tokens.limit !== undefined && tokens.actual > tokens.limit;
  const isOfTokens = (one: string): boolean => tokens.output !== undefined || TOKENS.test(one) || WINDOW.test(one);
  const stated = isOver ? texts.find((one) => isOfTokens(one) && !NOT_INPUT.test(one)) : undefined; // in no known words
  const text = known ?? wording?.clause ?? stated;
  if (text === undefined) return undefined;
  const around = texts.flatMap(clauses).find((clause) => clause.includes(text)) ?? text;
  const isFirm = wording?.isFirm === true;
  const isSure = known !== undefined || WINDOW.test(around) || !(veto.RATE.test(whole) || veto.RATE_HINT.test(around));
  return {
    text,
    isExact: known !== undefined || (isOver && isFirm && REFUSED.test(text) && isOfTokens(text)),
    isFree: isSure && !veto.RATE.test(around) && (isOver || isFirm),
    isInput: (isFirm && !veto.CAP.test(wording.clause)) || (known !== undefined && !CAP_NAME.test(whole)),
  };
}

function findOutputCap({ texts, whole }: Reading): string | undefined {
  if (veto.INPUT_STATED.test(whole) || veto.NOT_TOO_MUCH.test(whole)) return undefined; // arithmetic decides
  return texts.flatMap(clauses).find((one) => veto.CAP.test(one) && veto.TOO_MUCH.test(one));
}

function findBytes({ gathered, whole, status }: Reading, sentence = ''): Verdict | undefined {
  const short = veto.SHORT_FIELD.exec(whole)?.[0];
  if (short !== undefined) return ['other', short];
  const isOfPrompt = /\b(?:prompts?|tokens?|context|conversation|inputs?|messages|history)\b/.test(sentence);
  const code = gathered.codes.find((one) => BYTES_CODE.test(one) || (BODY_CODE.test(one) && !isOfPrompt));
  const words = veto.BYTES.exec(whole)?.[0] ?? (isOfPrompt ? undefined : veto.BODY.exec(whole)?.[0]);
  const unit = /\d{1,9} (?:input |prompt )?tokens?\b/.test(whole) ? undefined : words;
  const evidence = code ?? unit ?? (status === 413 && !isOfPrompt ? 'status 413' : undefined);
  return evidence === undefined ? undefined : ['payload-too-large', evidence];
}

/** Adds figures, status and retry advice. Turns an overflow that only the output causes into `output-limit`. */
function complete([verdict, evidence]: Verdict, reading: Reading, now: number | undefined): ModelError {
  const { gathered, whole, status, texts } = reading;
  const { actual, limit, output, tools, lowerBound } = verdict === 'overflow' ? reading.tokens : {};
  const isCap = output !== undefined && limit !== undefined && output >= limit;
  const kind = isCap ? 'output-limit' : verdict;
  const onlyTools = kind === 'overflow' && tools !== undefined && limit !== undefined && tools >= limit;
  const figures = {
    actualTokens: actual,
    limitTokens: limit,
    outputTokens: output,
    outputLimitTokens: verdict === 'output-limit' ? readOutputLimit(texts) : undefined,
    retryAfterMs: findRetryAfter({ headers: gathered.headers, text: whole, now }),
    status,
  };
  const said = { whole, codes: gathered.codes, status, retryAfterMs: figures.retryAfterMs };
  const reason = kind === 'rate-limit' ? findReason(evidence, reading) : undefined;
  const original = reason ?? gathered.texts[texts.findIndex((text) => text.includes(evidence))];
  return {
    kind,
    ...toTokens(figures),
    ...(lowerBound === true && actual !== undefined ? { lowerBound } : {}),
    ...(onlyTools ? { tools: true } : {}),
    ...(isSpent(kind, said) && { spent: true }),
    retryable: isRetryable(kind, said),
    evidence: toEvidence(
      original !== undefined && (reason !== undefined || original.length <= 300) ? original : evidence,
    ),
  };
}

/** What the server said, in more than a word, beside a status or a code that decided alone. */
function findReason(evidence: string, { gathered }: Reading): string | undefined {
  if (!gathered.codes.includes(evidence) && !/^status \d+$/.test(evidence)) return undefined;
  const said = gathered.texts.map((text) => text.replace(/^\s*[45]\d\d\b[\s:-]*/, '').trim());
  return said.find((text) => /\p{L}\s+\S/u.test(text) && !/^status code \(no body\)$/i.test(text));
}
