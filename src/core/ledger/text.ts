import { anyOf } from '../result.ts';

/** Longer lines are cut. Characters. */
const LONGEST_LINE = 4000;

/** A stretch of a text, by its place. */
export interface Span {
  readonly start: number;
  readonly end: number;
}

/**
 * The sentences of prose written by a person or a model, without list marks and code in fences. A line end ends a sentence
 * too. Works for scripts with and without spaces.
 */
export function sentencesIn(text: string): Span[] {
  const found: Span[] = [];
  let isFenced = false;
  let lineStart = 0;
  for (const line of text.split('\n')) {
    const isFence = /^\s*(?:```|~~~)/.test(line);
    if (isFence) isFenced = !isFenced;
    if (!isFence && !isFenced) {
      const prose = line.slice(0, LONGEST_LINE);
      let at = lineStart + (LIST_MARKS.exec(prose)?.[0].length ?? 0);
      for (const part of prose.slice(at - lineStart).split(SENTENCE_END)) {
        const sentence = part.trim();
        if (sentence.length < 4 && !(sentence.length >= 2 && /[\u3040-\u9fff]/.test(sentence))) continue;
        const start = text.indexOf(sentence, at);
        at = start + sentence.length;
        found.push({ start, end: at });
      }
    }
    lineStart += line.length + 1;
  }
  return found;
}

/** Marks before the words of a line. Each is followed by a space, so that "2.6 s" stays whole, except for `、`. */
const LIST_MARKS = /^\s*(?:(?:[-*+•>]|\d{1,3}[.)]|#{1,6}|\[[ xX]\])\s+|\d{1,3}、\s*)+/;

/**
 * A full stop ends a sentence when a space and then a capital, a digit or a mark follow; a CJK full stop always does.
 */
const SENTENCE_END = anyOf(
  /(?<=[.!?…]["')\]*_]{0,3})(?<!\b(?:e\.g|i\.e|z\.B|d\.h|u\.a|etc|vs|cf|p\.ex|bzw|ca|no|Nr|approx)\.)\s+(?=["'(`*_]{0,3}[\p{Lu}\p{N}\p{Lo}])/u,
  /(?<=[\u3002\uff01\uff1f\uff1b])/u,
);

/**
 * True for a line of program text or log output rather than prose: it has too many special characters for its length.
 */
export function looksLikeCode(sentence: string): boolean {
  const marks = sentence.match(/[{}()[\];=<>|\\$&^~]/g)?.length ?? 0;
  return marks > 4 && marks / sentence.length > 0.08;
}

/** Text in the form in which facts of one class are compared: NFKC, lower case, single spaces, no punctuation. */
export function normalizeWords(text: string): string {
  return text
    .normalize('NFKC')
    .toLowerCase()
    .replace(/[^\p{L}\p{N}./_-]+/gu, ' ')
    .trim();
}

/** Text without the colour and cursor codes of a terminal. */
export function withoutColours(text: string): string {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: escape sequences begin with a control character
  return text.includes('\u001b') ? text.replace(/\u001b\[[0-9;?]{0,20}[A-Za-z]/g, '') : text;
}
