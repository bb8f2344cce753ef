import { cutHead } from '../../messages/cut.ts';

/** A passage ends at the first blank line after this many characters, or at the end of a line before MOST. */
const ENOUGH = 300;
const MOST = 700;

/** A few hundred characters of a text, ending at a paragraph or line. */
export interface TextPassage {
  readonly text: string;
  /** The lines of the text that it covers, both ends included, counted from 1. */
  readonly from: number;
  readonly to: number;
}

/** Splits a text into passages, without blank ones. Lazy, so that a caller can pause within a long text. */
export function* splitPassages(text: string): Generator<TextPassage, void, void> {
  let held = '';
  let from = 1;
  let number = 0;
  for (const line of numberedLines(text)) {
    number += 1;
    const isBlank = line.trim() === '';
    const isFull = held.length + line.length > MOST || (isBlank && held.length >= ENOUGH) || !held.endsWith('\n');
    if (held !== '' && isFull) {
      yield { text: held.trimEnd(), from, to: number - 1 };
      held = '';
    }
    if (held === '') {
      if (isBlank) continue;
      from = number;
    }
    held += line;
  }
  if (held !== '') yield { text: held.trimEnd(), from, to: number };
}

/**
 * The lines of a text, each with its end, as recall counts them: a line of more than a few hundred characters counts as
 * several, so that each part of any text has a number.
 */
export function* numberedLines(text: string): Generator<string, void, void> {
  let start = 0;
  while (start < text.length) {
    const found = text.indexOf('\n', start);
    const end = found < 0 ? text.length : found + 1;
    while (end - start > MOST + 1) {
      const window = text.slice(start, start + MOST + 1);
      const piece = cutHead(window, MOST) || window.slice(0, MOST);
      yield piece;
      start += piece.length;
    }
    yield text.slice(start, end);
    start = end;
  }
}
