import { anyOf } from '../../messages/anyOf.ts';
import { cutHead, cutTail } from '../../messages/cut.ts';
import { remember } from '../remember.ts';

/** A sentence longer than this is cut, characters. */
const LONGEST_SENTENCE = 300;

/** Prose longer than this is read at its beginning and end, characters. */
const LONGEST_PROSE = 48_000;

/**
 * The sentences of prose that a person or a model wrote: code fences are skipped, list marks and quotation marks
 * removed, each sentence cut to `LONGEST_SENTENCE`. Works for scripts with and without blanks.
 */
export const sentences: (text: string) => readonly string[] = remember(splitSentences, 3);

function splitSentences(text: string): string[] {
  const prose =
    text.length <= LONGEST_PROSE ? text : `${cutHead(text, LONGEST_PROSE / 2)}\n${cutTail(text, LONGEST_PROSE / 2)}`;
  const found: string[] = [];
  let fenced = false;
  for (const line of prose.split('\n')) {
    if (/^\s*(?:```|~~~)/.test(line)) {
      fenced = !fenced;
      continue;
    }
    if (fenced || line.trim() === '') continue;
    const bare = line.slice(0, 4000).replace(LIST_MARKS, '');
    for (const part of bare.split(SENTENCE_END)) {
      const sentence = part.trim();
      if (sentence.length >= 4 || (sentence.length >= 2 && /[\u3040-\u9fff]/.test(sentence))) {
        found.push(cutAtWord(sentence, LONGEST_SENTENCE));
      }
    }
  }
  return found;
}

/** Marks before the words of a line. A blank follows each, so that "2.6 s" stays whole; `、` has its own. */
const LIST_MARKS = /^\s*(?:(?:[-*+•>]|\d{1,3}[.)]|#{1,6}|\[[ xX]\])\s+|\d{1,3}、\s*)+/;

/** A full stop ends a sentence before a blank that a capital, a digit or a mark follows; CJK stops always do. */
const SENTENCE_END = anyOf(
  /(?<=[.!?…]["')\]*_]{0,3})(?<!\b(?:e\.g|i\.e|z\.B|d\.h|u\.a|etc|vs|cf|p\.ex|bzw|ca|no|Nr|approx)\.)\s+(?=["'(`*_]{0,3}[\p{Lu}\p{N}\p{Lo}])/u,
  /(?<=[\u3002\uff01\uff1f\uff1b])/u,
);

/** True for a line that is program text or log output rather than prose: too many marks for its length. */
export function looksLikeCode(sentence: string): boolean {
  const marks = sentence.match(/[{}()[\];=<>|\\$&^~]/g)?.length ?? 0;
  return marks > 4 && marks / sentence.length > 0.08;
}

/** Text in the form in which facts of one class are told apart: NFKC, lower case, single blanks, no marks. */
export function normalizeWords(text: string): string {
  return text
    .normalize('NFKC')
    .toLowerCase()
    .replace(/[^\p{L}\p{N}./_-]+/gu, ' ')
    .trim();
}

/** The beginning of a text, cut before a word that would not fit whole: what is kept stands so in the source. */
export function cutAtWord(text: string, limit: number): string {
  if (text.length <= limit) return text;
  return cutHead(text, limit).trimEnd();
}
