import { anyOf } from '../messages/anyOf.ts';
import { isOverflowCode } from '../overflow/codes.ts';
import { toEvidence } from '../overflow/evidence.ts';
import { gather } from '../overflow/gather.ts';
import { findStatus, normalise } from '../overflow/text.ts';

/**
 * Words of other failures and of forwarded texts: an overflow mentioned beside them may be about another request, or
 * about none.
 */
const OTHER_MATTER = anyOf(
  // Errors that quote what could not be read.
  /\b(?:pars(?:e|ed|er|ing)|json|yaml|xml|syntax|malformed|decod(?:e|ed|er|ing)|deserializ\w*|unmarshal\w*)\b/,
  /\bunexpected (?:token|end|character|value|type)|\bat (?:pos|position|offset|line|char)\b|\b(?:template|grammar|schema)\b/,
  // Errors that quote what must not be said.
  /\bfilter(?:s|ed|ing)?\b|\bpolic(?:y|ies)\b|moderat(?:ed|ion)|\bflagged\b|\bblocked\b|\bsafety\b|guardrail|\bviolat/,
  /\b(?:censor|refus|harm|sensitive|inappropriate|jailbreak)\w*|content management/,
  // Errors that tell of another attempt, before or instead of this one.
  /fall(?:en|ing)?[ _-]?backs?\b(?!=none)|\b(?:previous|earlier|original|other|another|alternate|secondary)(?:ly)?\b/,
  /\b(?:all|every|both|each|any) (?:\w+ ){0,3}(?:models?|providers?|attempts?|deployments?|endpoints?|backends?) /,
  /\battempt(?:s|ed)?\b|\bretr(?:y|ied|ies|ying)\b|\brerouted?\b|\bswitch(?:ed|ing)\b|overloaded|unavailable|\bno (?:healthy|available)\b/,
  // Errors that quote what a model wrote.
  /\b(?:models?|assistant|llm) (?:said|says|wrote|writes|answered|generated)\b/,
  /\b(?:reply|response|completion|output|generation)(?: text)? (?:said|says|was|is|reads|contain(?:s|ed))\b/,
  /\b(?:tool|function)[ _]?(?:call|use|result|output)|\b(?:generated|received|returned|raw) (?:text|content|output|body)\b|\bquot(?:e|ed|ing)\b/,
);

/** A server needs a few sentences to say that something is too long; the longest seen has about 500 characters. */
const LONGEST_STATEMENT = 1_200;

/** The statuses with which servers refuse a request because of its content. */
const REFUSALS: ReadonlySet<number> = new Set([400, 404, 413, 422]);

/** What a server said, and whether it may be quoting somebody else. */
export interface Statement {
  /** At most 300 characters, without secrets. */
  readonly words: string;
  /**
   * It quotes something: a reply that could not be parsed, what a filter found, another model's error. Its figures
   * teach nothing.
   */
  readonly quoted: boolean;
}

/** Reads the statement of an overflow error. Takes what `classifyModelError` takes; never throws. */
export function readStatement(error: unknown): Statement {
  const { texts, codes, counts, status: seen } = gather(error);
  const whole = texts.map(normalise).join('\n');
  const status = seen ?? findStatus(whole);
  // Some servers report an overflow with the status of a server error, but with its code or its counts in fields.
  const isCoded = counts.limit !== undefined || codes.some((code) => isOverflowCode(code));
  const isRefusal = status === undefined || REFUSALS.has(status) || isCoded;
  const isOther = whole.length > LONGEST_STATEMENT || [whole, ...codes].some((text) => OTHER_MATTER.test(text));
  return { words: toEvidence(texts.join(' ')), quoted: !isRefusal || isOther };
}
