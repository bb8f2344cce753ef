import type { Found } from '../found.ts';
import type { Reading } from '../read/reading.ts';
import { looksLikeCode, normalizeWords, sentences } from '../read/sentences.ts';
import { cues } from '../words/cues.ts';

const MOST_PER_MESSAGE = 20;

const PREFERENCE = cues(
  [
    "(?:i|we|i['’]?d|we['’]?d)(?: would| really| much| generally| usually| always)* prefer",
    'prefer(?:red|s|ably|ence)?',
    "(?:i|we)(?:['’]?d)? (?:would )?rather",
    "(?:i|we)(?:['’]?d| would)? (?:really |also )?(?:like|love|hate|dislike)",
    "i(?:['’]?m| am) (?:a fan|used to|fond|partial)",
    'my (?:favou?rite|taste|style|habit)',
    'to my (?:taste|liking)',
    'not a fan',
    "i['’]?d (?:appreciate|be happy)",
    'it would be nice',
    "i (?:don['’]?t|do not) (?:like|want|care for)",
    'bevorzug\\p{L}+',
    'lieber',
    'am liebsten',
    'ich (?:mag|hätte gern\\p{L}*|möchte)',
    'gefällt mir',
    'mir (?:ist|wäre) .{1,60} lieber',
    'vorliebe',
    'ich finde .{1,60} (?:besser|schöner)',
    'préfèr\\p{L}+',
    'préfér\\p{L}+',
    "j['’]aime\\p{L}*",
    'de préférence',
    'plutôt',
    'prefier\\p{L}+',
    'prefer\\p{L}+',
    'me gusta\\p{L}*',
    'prefir\\p{L}+',
    'gosto',
    'prefer[io]\\p{L}*',
    'mi piace',
    'liever',
    'предпочита\\p{L}+',
    'мне (?:нравится|больше)',
  ],
  [
    '偏好',
    '更?喜欢',
    '倾向',
    '习惯',
    '希望',
    '最好',
    '宁愿',
    '比较喜欢',
    '好み',
    '好き',
    'の(?:ほう|方)が',
    'てほしい',
    '선호',
    '좋아',
    '더 좋',
  ],
);

/** What the human likes better: how answers, code or names should look. */
export function findPreferences(reading: Reading): Found[] {
  if (reading.human === undefined) return [];
  return sentences(reading.human)
    .filter((sentence) => PREFERENCE.test(sentence) && !looksLikeCode(sentence))
    .slice(0, MOST_PER_MESSAGE)
    .map((sentence) => ({
      class: 'preference',
      value: sentence,
      key: normalizeWords(sentence),
      at: reading.at,
      by: 'human',
    }));
}
