import type { Found } from '../found.ts';
import type { Reading } from '../read/reading.ts';
import { looksLikeCode, normalizeWords, sentences } from '../read/sentences.ts';
import { EXPLICIT_RULE, REFUSAL } from '../words/constraintCues.ts';
import { LIFTED_RULE, SOFT_RULE } from '../words/softRuleCues.ts';

/** At most this many rules are taken from one message; a longer list of rules stays with the message itself. */
const MOST_PER_MESSAGE = 60;

/** "I don't know", "we do not see": a speaker's own state, not a rule. */
const OWN_STATE =
  /(?:^|[\s,;("])(?:I|you|it|they|he|she|that|this|there|ich|er|sie|es|je|yo)\s+(?:do(?:es)? not|don['’]?t|doesn['’]?t|(?:really |just )?(?:think|know|see|guess|wonder|weiß|glaube|denke|sehe))/i;

const QUESTION = /[?\uff1f]["')\]]?$/;

/**
 * Rules that the human set: `explicit` when said in so many words, else `soft`. A rule that the human lifts later ends
 * where it was lifted.
 */
export function findConstraints(reading: Reading): Found[] {
  if (reading.human === undefined) return [];
  const found: Found[] = [];
  for (const sentence of sentences(reading.human)) {
    if (found.length >= MOST_PER_MESSAGE) break;
    if (QUESTION.test(sentence) || looksLikeCode(sentence)) continue;
    const lifted = LIFTED_RULE.test(sentence);
    const strength = lifted ? 'explicit' : strengthOf(sentence);
    if (strength === undefined) continue;
    found.push({
      class: 'constraint',
      value: sentence,
      key: normalizeWords(sentence),
      at: reading.at,
      strength,
      by: 'human',
      ...(lifted ? { lifts: contentWords(sentence) } : {}),
    });
  }
  return found;
}

function strengthOf(sentence: string): 'explicit' | 'soft' | undefined {
  if (OWN_STATE.test(sentence)) return SOFT_RULE.test(sentence) ? 'soft' : undefined;
  if (EXPLICIT_RULE.test(sentence) || REFUSAL.test(sentence)) return 'explicit';
  return SOFT_RULE.test(sentence) ? 'soft' : undefined;
}

/** The share of the shorter rule's words that must be common for one sentence to lift another. */
const LIFTED_SHARE = 0.5;

/** The latest live rule that `words` lift: it shares two words, and half of the shorter one's, with it. */
export function liftedBy<Rule extends { readonly value: string }>(
  words: readonly string[],
  live: Iterable<Rule>,
): Rule | undefined {
  const lifting = new Set(words);
  let best: { rule: Rule; share: number } | undefined;
  for (const rule of live) {
    const own = new Set(contentWords(rule.value));
    const common = [...own].filter((word) => lifting.has(word)).length;
    const share = common / Math.max(1, Math.min(own.size, lifting.size));
    if (common >= 2 && share >= LIFTED_SHARE && share >= (best?.share ?? 0)) best = { rule, share };
  }
  return best?.rule;
}

/** Words of four letters or more, file names, and pairs of ideographs. */
export function contentWords(sentence: string): string[] {
  const normal = normalizeWords(sentence);
  const words = normal
    .split(/\s+/)
    .map((word) => word.replace(/^[./_-]+|[./_-]+$/g, ''))
    .filter((word) => word.length >= 4 && !RULE_WORDS.has(word));
  const pairs = [...normal.matchAll(/[\u3400-\u9fff]{2,}/g)].flatMap(([run]) =>
    Array.from({ length: run.length - 1 }, (_, i) => run.slice(i, i + 2)),
  );
  return [...words, ...pairs];
}

const RULE_WORDS = new Set([
  'never',
  'must',
  'always',
  'only',
  'longer',
  'rule',
  'constraint',
  'about',
  'forget',
  'that',
  'this',
  'with',
  'have',
  'anymore',
  'nicht',
  'mehr',
  'kein',
  'keine',
  'immer',
  'jetzt',
  'darfst',
  'vergiss',
  'dans',
  'plus',
  'pour',
  'jamais',
  'toujours',
]);
