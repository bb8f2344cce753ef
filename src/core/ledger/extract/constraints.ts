import type { Found } from '../found.ts';
import type { Reading } from '../read/reading.ts';
import { cutAtWord, looksLikeCode, normalizeWords, type Paragraph, paragraphs } from '../read/sentences.ts';
import { isRule, lifts } from '../words/ruleStems.ts';

/** At most this many rules are taken from one text; the rest of a longer list stays in the text itself. */
export const MOST_PER_TEXT = 60;

/** What stands before a rule in its paragraph is taken along while both together are no longer. Characters. */
const LONGEST_RULE = 300;

/** "I don't know", "we probably don't need it": statements of fact, not rules. */
const WHO = 'I|you|we|it|they|he|she|that|this|there|ich|er|sie|es|je|yo';
const STATE = "do(?:es)? not|don['’]?t|think|know|see|guess|wonder|weiß|glaube|denke|sehe";
const OWN_STATE = new RegExp(`(?:^|[\\s,;("])(?:${WHO})\\s+(?:\\p{L}+ly |just |still |also )?(?:${STATE})`, 'giu');

/** A question, the heading of a list, a numbered line of a file, or text within JSON. */
const NO_STATEMENT = /[?\uff1f]["')\]]?$|[:\uff1a]$|^\d{1,6}\s?[:|→]|\\n/;

/**
 * Rules that the human stated explicitly: in a message, or when answering a tool or declining its call. What lifts a rule
 * counts in messages only.
 */
export function findConstraints(reading: Reading): Found[] {
  const written = reading.human === undefined ? [] : [{ rules: rulesIn(reading.human), at: reading.at }];
  const replies = reading.uses.flatMap(({ result }) =>
    result?.reply === undefined ? [] : [{ rules: rulesIn(result.reply).filter((rule) => !lifts(rule)), at: result.at }],
  );
  return [...written, ...replies].flatMap(({ rules, at }) =>
    rules.map(
      (value): Found => ({
        class: 'constraint',
        value,
        key: normalizeWords(value),
        at,
        strength: 'explicit',
        by: 'human',
      }),
    ),
  );
}

/**
 * The rules in a text, in order, at most `MOST_PER_TEXT`. Each is quoted with what stands before it in its paragraph, or
 * with the last sentence of the one before, so that "never exceed it" keeps what it is about; rules that follow each other
 * in a paragraph are one quotation while that is short.
 */
export function rulesIn(text: string): string[] {
  const found = paragraphs(text);
  return found
    .flatMap((paragraph, index) => quotationsIn(paragraph, paragraph.continues ? found[index - 1] : undefined))
    .slice(0, MOST_PER_TEXT);
}

function quotationsIn({ text, sentences, mark }: Paragraph, before: Paragraph | undefined): string[] {
  const quotations: { start: number; end: number }[] = [];
  for (const [index, { start, end }] of sentences.entries()) {
    if (!saysRule(text.slice(start, end))) continue;
    const last = quotations.at(-1);
    if (last !== undefined && end - last.start <= LONGEST_RULE) last.end = end;
    else quotations.push({ start: contextStart(sentences, index), end });
  }
  const lead = before?.text.slice(before.sentences.at(-1)?.start) ?? '';
  const isLed = lead !== '' && !saysRule(lead);
  return quotations.map(({ start, end }) => {
    const rule = text.slice(start, end);
    const takesLead = isLed && start === sentences[0]?.start && lead.length + rule.length < LONGEST_RULE;
    const quotation = takesLead ? `${lead}\n${mark}\n${rule}` : rule;
    const isAlone = sentences.some((one) => one.start === start && one.end === end);
    return cutAtWord(quotation.replace(/\s*\n\s*/g, ' '), isAlone ? LONGEST_RULE : 2 * LONGEST_RULE);
  });
}

/** Where the quotation of a rule begins: at least with the sentence before it, if that is not endless. */
function contextStart(sentences: Paragraph['sentences'], index: number): number {
  const end = sentences[index]?.end ?? 0;
  const before = sentences.slice(0, index);
  const near = before.find(({ start }) => end - start <= LONGEST_RULE) ?? before.at(-1);
  const start = near?.start ?? 0;
  return near !== undefined && end - start <= 2 * LONGEST_RULE ? start : (sentences[index]?.start ?? 0);
}

/** True for a sentence that states a rule. */
export function saysRule(sentence: string): boolean {
  if (NO_STATEMENT.test(sentence) || looksLikeCode(sentence)) return false;
  return isRule(sentence.replace(OWN_STATE, ' '));
}
