import { cutHead, cutTail } from '../messages/cut.ts';
import { anyOf } from '../result.ts';

/** Of longer prose, only the beginning and the end are read. Characters. */
const LONGEST_PROSE = 48_000;

/** Lines that belong together: up to a blank line, a list mark or a code fence. */
export interface Paragraph {
  /** Without list marks and quotation marks. */
  readonly text: string;
  /** Where each sentence of the text begins and ends. A line end ends one too. */
  readonly sentences: readonly Span[];
  /** The list mark before it; '' for none. */
  readonly mark: string;
  /** True when only blank lines and the mark are between the paragraph before it and this one. */
  readonly continues: boolean;
}

interface Span {
  readonly start: number;
  readonly end: number;
}

/**
 * The paragraphs of prose written by a person or a model, without code in fences. Works for scripts with and without
 * spaces.
 */
export function paragraphs(text: string): Paragraph[] {
  const prose =
    text.length <= LONGEST_PROSE ? text : `${cutHead(text, LONGEST_PROSE / 2)}\n${cutTail(text, LONGEST_PROSE / 2)}`;
  const found: Paragraph[] = [];
  let lines: string[] = [];
  let mark = '';
  let continues = false;
  const close = (): void => {
    const joined = lines.join('\n');
    if (joined !== '') found.push({ text: joined, sentences: spansIn(joined), mark, continues });
    continues ||= joined !== '';
    mark = '';
    lines = [];
  };
  let fenced = false;
  for (const line of prose.split('\n')) {
    const isFence = /^\s*(?:```|~~~)/.test(line);
    const given = line.slice(0, 4000).trimStart();
    const marked = LIST_MARKS.exec(given)?.[0].trim() ?? '';
    const bare = given.replace(LIST_MARKS, '').trimEnd();
    if (isFence || fenced || bare === '' || marked !== '') close();
    if (isFence) fenced = !fenced;
    if (isFence || fenced) continues = false;
    else if (bare !== '') {
      if (marked !== '') mark = marked;
      lines.push(bare);
    } else if (marked !== '') continues = false;
  }
  close();
  return found;
}

function spansIn(text: string): Span[] {
  const found: Span[] = [];
  let at = 0;
  for (const part of text.split('\n').flatMap((line) => line.split(SENTENCE_END))) {
    const sentence = part.trim();
    if (sentence.length >= 4 || (sentence.length >= 2 && /[\u3040-\u9fff]/.test(sentence))) {
      const start = text.indexOf(sentence, at);
      at = start + sentence.length;
      found.push({ start, end: at });
    }
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

/** The beginning of a text, without a word that would not fit whole, so that every word kept is in the source too. */
export function cutAtWord(text: string, limit: number): string {
  return text.length <= limit ? text : cutHead(text, limit).trimEnd();
}

/** Text without the colour and cursor codes of a terminal. */
export function withoutColours(text: string): string {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: escape sequences begin with a control character
  return text.includes('\u001b') ? text.replace(/\u001b\[[0-9;?]{0,20}[A-Za-z]/g, '') : text;
}
