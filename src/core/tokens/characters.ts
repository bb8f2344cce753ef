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
