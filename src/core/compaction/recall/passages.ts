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
  let held: string[] = [];
  let size = 0;
  let from = 1;
  let number = 0;
  const take = (to: number): TextPassage[] => {
    const passage = { text: held.join('\n').trimEnd(), from, to };
    held = [];
    size = 0;
    return passage.text.trim() === '' ? [] : [passage];
  };
  for (const line of linesOf(text)) {
    number += 1;
    const isBlank = line.trim() === '';
    if (size > 0 && (size + line.length > MOST || (isBlank && size >= ENOUGH))) yield* take(number - 1);
    if (size === 0) {
      if (isBlank) continue;
      from = number;
    }
    if (line.length > MOST) {
      for (const piece of piecesOf(line)) yield { text: piece, from: number, to: number };
      continue;
    }
    held.push(line);
    size += line.length + 1;
  }
  yield* take(number);
}

function* linesOf(text: string): Generator<string, void, void> {
  let start = 0;
  for (let end = text.indexOf('\n'); end >= 0; end = text.indexOf('\n', start)) {
    yield text.slice(start, end);
    start = end + 1;
  }
  yield text.slice(start);
}

/** A long line in pieces, cut between words where possible. */
function* piecesOf(line: string): Generator<string, void, void> {
  let start = 0;
  while (start < line.length) {
    const window = line.slice(start, start + MOST + 1);
    const piece = cutHead(window, MOST) || window.slice(0, MOST);
    if (piece.trim() !== '') yield piece;
    start += piece.length;
  }
}
