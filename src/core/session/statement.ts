import { anyOf } from '../messages/anyOf.ts';
import { isOverflowCode } from '../overflow/codes.ts';
import { toEvidence } from '../overflow/evidence.ts';
import { gather } from '../overflow/gather.ts';
import { findStatus, normalise } from '../overflow/text.ts';

/** Words of other failures and of texts that are handed on: an overflow beside them may be somebody else's, or nobody's. */
const OTHER_MATTER = anyOf(
  // What could not be read is quoted.
  /\b(?:pars(?:e|ed|er|ing)|json|yaml|xml|syntax|malformed|decod(?:e|ed|er|ing)|deserializ\w*|unmarshal\w*)\b/,
  /\bunexpected (?:token|end|character|value|type)|\bat (?:pos|position|offset|line|char)\b|\b(?:template|grammar|schema)\b/,
  // What must not be said is quoted.
  /\bfilter(?:s|ed|ing)?\b|\bpolic(?:y|ies)\b|moderat(?:ed|ion)|\bflagged\b|\bblocked\b|\bsafety\b|guardrail|\bviolat/,
  /\b(?:censor|refus|harm|sensitive|inappropriate|jailbreak)\w*|content management/,
  // Whoever was asked before or instead.
  /fall(?:en|ing)?[ _-]?backs?\b(?!=none)|\b(?:previous|earlier|original|other|another|alternate|secondary)(?:ly)?\b/,
  /\b(?:all|every|both|each|any) (?:\w+ ){0,3}(?:models?|providers?|attempts?|deployments?|endpoints?|backends?) /,
  /\battempt(?:s|ed)?\b|\bretr(?:y|ied|ies|ying)\b|\brerouted?\b|\bswitch(?:ed|ing)\b|overloaded|unavailable|\bno (?:healthy|available)\b/,
  // What a model wrote.
  /\b(?:models?|assistant|llm) (?:said|says|wrote|writes|answered|generated)\b/,
  /\b(?:reply|response|completion|output|generation)(?: text)? (?:said|says|was|is|reads|contain(?:s|ed))\b/,
  /\b(?:tool|function)[ _]?(?:call|use|result|output)|\b(?:generated|received|returned|raw) (?:text|content|output|body)\b|\bquot(?:e|ed|ing)\b/,
);

/** A server states in a few sentences what is too long; the longest that was seen has about 500 characters. */
const LONGEST_STATEMENT = 1_200;

/** Statuses with which servers refuse what a request holds. */
const REFUSALS: ReadonlySet<number> = new Set([400, 404, 413, 422]);

/** What a server said, and whether it may be words that somebody else said. */
export interface Statement {
  /** At most 300 characters, without secrets. */
  readonly words: string;
  /** A reply that could not be parsed, what a filter found, the error of another model: its figures teach nothing. */
  readonly quoted: boolean;
}

/** Reads the statement of an overflow error. Takes what `classifyModelError` takes; never throws. */
export function readStatement(error: unknown): Statement {
  const { texts, codes, counts, status: seen } = gather(error);
  const whole = texts.map(normalise).join('\n');
  const status = seen ?? findStatus(whole);
  // Some report an overflow as a fault of their own, with its code or its counts in fields.
  const isCoded = counts.limit !== undefined || codes.some((code) => isOverflowCode(code));
  const isRefusal = status === undefined || REFUSALS.has(status) || isCoded;
  const isOther = whole.length > LONGEST_STATEMENT || [whole, ...codes].some((text) => OTHER_MATTER.test(text));
  return { words: toEvidence(texts.join(' ')), quoted: !isRefusal || isOther };
}
