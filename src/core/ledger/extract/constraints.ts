import type { Found } from '../found.ts';
import { humanReplyIn } from '../read/humanReply.ts';
import type { Reading } from '../read/reading.ts';
import { looksLikeCode, normalizeWords, sentences } from '../read/sentences.ts';
import { isRule } from '../words/ruleStems.ts';

/** At most this many rules are taken from one text; the rest of a longer list stays in the text itself. */
const MOST_PER_TEXT = 60;

/** "I don't know", "we probably don't need it": statements of fact, not rules. */
const WHO = 'I|you|we|it|they|he|she|that|this|there|ich|er|sie|es|je|yo';
const STATE = "do(?:es)? not|don['’]?t|think|know|see|guess|wonder|weiß|glaube|denke|sehe";
const OWN_STATE = new RegExp(`(?:^|[\\s,;("])(?:${WHO})\\s+(?:\\p{L}+ly |just |still |also )?(?:${STATE})`, 'giu');

/** A question, the heading of a list, a numbered line of a file, or text within JSON. */
const NO_STATEMENT = /[?\uff1f]["')\]]?$|[:\uff1a]$|^\d{1,6}\s?[:|→]|\\n/;

/** Rules that the human stated explicitly: in a message, or when declining or correcting a call. */
export function findConstraints(reading: Reading): Found[] {
  const replies = reading.uses.flatMap(({ result }) => {
    const text = result === undefined ? undefined : humanReplyIn(result.text);
    return result === undefined || text === undefined ? [] : [{ text, at: result.at }];
  });
  const said = reading.human === undefined ? replies : [{ text: reading.human, at: reading.at }, ...replies];
  return said.flatMap(({ text, at }) =>
    rulesIn(text).map(
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

/** The sentences of a text that are rules, in order, at most `MOST_PER_TEXT`. */
export function rulesIn(text: string): string[] {
  return sentences(text)
    .filter((sentence) => !NO_STATEMENT.test(sentence) && !looksLikeCode(sentence))
    .filter((sentence) => isRule(sentence.replace(OWN_STATE, ' ')))
    .slice(0, MOST_PER_TEXT);
}
