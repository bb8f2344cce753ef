/**
 * Character classes of the pre-tokenizers. They follow the regular expressions of the public encodings, evaluated by
 * this JavaScript engine, so that `\s` and `\p{L}` mean exactly what they mean in js-tiktoken.
 */

/** `\p{Ll}` */
export const LOWER = 0;
/** `\p{Lu}` and `\p{Lt}` */
export const UPPER = 1;
/** `\p{Lm}` and `\p{Lo}`: letters without case. */
export const CASELESS = 2;
/** `\p{M}`: marks that combine with a letter; not letters themselves. */
export const MARK = 3;
/** `\p{N}` */
export const NUMBER = 4;
/** `\s` without the line ends. */
export const SPACE = 5;
/** `\r` and `\n` */
export const LINE_END = 6;
/** Everything else: punctuation, symbols, control characters, lone surrogates. */
export const OTHER = 7;
/** A byte of a character above U+007F; its class needs the whole character. */
export const NON_ASCII = 8;
/** The class of the byte after the last one of a buffer. */
export const END = 9;

/** Never part of UTF-8, so it can mark the end of a buffer. */
export const END_BYTE = 0xff;

/** Class of each UTF-8 byte; bytes from 0x80 on are NON_ASCII, the end mark is END. */
export const BYTE_CLASS: Uint8Array = classifyBytes();

function classifyBytes(): Uint8Array {
  const classes = new Uint8Array(256).fill(NON_ASCII);
  for (let code = 0; code < 0x80; code++) classes[code] = classify(code);
  classes[END_BYTE] = END;
  return classes;
}

/** The classes of code points asked for so far, stored as class + 1; 0 is "not asked yet". */
let known: Uint8Array | undefined;

/** The class of a code point above U+007F. */
export function classOf(codePoint: number): number {
  known ??= new Uint8Array(0x110000);
  const kept = known[codePoint] as number;
  if (kept !== 0) return kept - 1;
  const found = classify(codePoint);
  known[codePoint] = found + 1;
  return found;
}

function classify(codePoint: number): number {
  const character = String.fromCodePoint(codePoint);
  if (/\p{Ll}/u.test(character)) return LOWER;
  if (/[\p{Lu}\p{Lt}]/u.test(character)) return UPPER;
  if (/\p{L}/u.test(character)) return CASELESS;
  if (/\p{M}/u.test(character)) return MARK;
  if (/\p{N}/u.test(character)) return NUMBER;
  if (/[\r\n]/u.test(character)) return LINE_END;
  return /\s/u.test(character) ? SPACE : OTHER;
}

/** The class of the character that starts at byte `at`; END after the last one. */
export function classAt(bytes: Uint8Array, at: number): number {
  const lead = bytes[at] as number;
  const byteClass = BYTE_CLASS[lead] as number;
  return byteClass === NON_ASCII ? classOf(codePointAt(bytes, at, lead)) : byteClass;
}

function codePointAt(bytes: Uint8Array, at: number, lead: number): number {
  const second = (bytes[at + 1] as number) & 0x3f;
  if (lead < 0xe0) return ((lead & 0x1f) << 6) | second;
  const third = (bytes[at + 2] as number) & 0x3f;
  if (lead < 0xf0) return ((lead & 0x0f) << 12) | (second << 6) | third;
  return ((lead & 0x07) << 18) | (second << 12) | (third << 6) | ((bytes[at + 3] as number) & 0x3f);
}

/** The position after the character that starts at byte `at`. */
export function next(bytes: Uint8Array, at: number): number {
  const lead = bytes[at] as number;
  if (lead < 0xc0) return at + 1;
  return at + (lead < 0xe0 ? 2 : lead < 0xf0 ? 3 : 4);
}

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
