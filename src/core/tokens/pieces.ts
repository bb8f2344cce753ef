import { BYTE_CLASS, classAt, END, END_BYTE, LINE_END, NUMBER, next, OTHER, SPACE } from './characters.ts';

/**
 * What the two pre-tokenizers share. A pre-tokenizer cuts text into the pieces within which bytes are merged; it works
 * on UTF-8 bytes followed by END_BYTE.
 *
 * Each has two functions. `fast` knows only ASCII and answers UNSURE as soon as another character or the end could
 * matter. `general` knows every character and answers UNSURE only when the text is `open` (more may follow) and what
 * follows could change the piece.
 */
export interface PreTokenizer {
  /** The end of the piece that starts at `start`, or UNSURE. */
  fast(bytes: Uint8Array, start: number): number;
  /** The end of the piece that starts at `start`, or UNSURE. */
  general(bytes: Uint8Array, start: number, open: boolean): number;
}

export const UNSURE = -1;

const APOSTROPHE = 0x27;
const BLANK = 0x20;

/** True at a character that ` ?[^\s\p{L}\p{N}]+` may take as its leading space. */
export function isBlank(bytes: Uint8Array, at: number): boolean {
  return bytes[at] === BLANK;
}

/** True at an apostrophe, which may start a contraction. */
export function isApostrophe(bytes: Uint8Array, at: number): boolean {
  return bytes[at] === APOSTROPHE;
}

/**
 * The position after a contraction (`'s 't 'm 'd 're 've 'll`, any case) whose apostrophe is at `at`; `at` itself when
 * there is none; UNSURE when the bytes end before that is known.
 */
export function contractionEnd(bytes: Uint8Array, at: number): number {
  const first = bytes[at + 1] as number;
  if (first === END_BYTE) return UNSURE;
  switch (first | 0x20) {
    case 0x73: // s
    case 0x74: // t
    case 0x6d: // m
    case 0x64: // d
      return at + 2;
    case 0x72: // re
    case 0x76: // ve
      return secondLetter(bytes, at, 0x65);
    case 0x6c: // ll
      return secondLetter(bytes, at, 0x6c);
    default:
      return at;
  }
}

function secondLetter(bytes: Uint8Array, at: number, letter: number): number {
  const second = bytes[at + 2] as number;
  if (second === END_BYTE) return UNSURE;
  return (second | 0x20) === letter ? at + 3 : at;
}

/** Like `contractionEnd`, for text that ends with the bytes unless it is open. */
export function generalContractionEnd(bytes: Uint8Array, at: number, open: boolean): number {
  if (bytes[at] !== APOSTROPHE) return at;
  const end = contractionEnd(bytes, at);
  return end === UNSURE && !open ? at : end;
}

/** End of `\s*[\r\n]+|\s+(?!\S)|\s+` within ASCII. A run of white space keeps its last character for the next piece. */
export function fastSpaceEnd(bytes: Uint8Array, start: number): number {
  let at = start;
  let lineEnd = 0;
  for (;;) {
    const found = BYTE_CLASS[bytes[at] as number] as number;
    if (found === LINE_END) lineEnd = at + 1;
    else if (found !== SPACE) {
      if (found > OTHER) return UNSURE;
      if (lineEnd > 0) return lineEnd;
      return at - start > 1 ? at - 1 : at;
    }
    at++;
  }
}

/** Like `fastSpaceEnd`, for any white space. */
export function generalSpaceEnd(bytes: Uint8Array, start: number, open: boolean): number {
  let at = start;
  let last = start;
  let lineEnd = 0;
  for (;;) {
    const found = classAt(bytes, at);
    if (found === END && open) return UNSURE;
    if (found !== SPACE && found !== LINE_END) {
      if (lineEnd > 0) return lineEnd;
      return found !== END && last > start ? last : at;
    }
    last = at;
    at = next(bytes, at);
    if (found === LINE_END) lineEnd = at;
  }
}

/** End of `\p{N}{1,3}` within ASCII. */
export function fastNumberEnd(bytes: Uint8Array, start: number): number {
  const second = BYTE_CLASS[bytes[start + 1] as number] as number;
  if (second !== NUMBER) return second > OTHER ? UNSURE : start + 1;
  const third = BYTE_CLASS[bytes[start + 2] as number] as number;
  if (third !== NUMBER) return third > OTHER ? UNSURE : start + 2;
  return start + 3;
}

/** End of `\p{N}{1,3}`. */
export function generalNumberEnd(bytes: Uint8Array, start: number, open: boolean): number {
  let at = next(bytes, start);
  for (let count = 1; count < 3; count++) {
    const found = classAt(bytes, at);
    if (found === END && open) return UNSURE;
    if (found !== NUMBER) return at;
    at = next(bytes, at);
  }
  return at;
}
