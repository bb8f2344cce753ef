import type { Steps } from '../../core/steps.ts';

/** The number of bytes looked through between two pauses, even within one string. */
const AT_ONCE = 262_144;

const [QUOTE, BACKSLASH, COMMA, COLON, LIST, LIST_END, OBJECT, OBJECT_END] = [
  0x22, 0x5c, 0x2c, 0x3a, 0x5b, 0x5d, 0x7b, 0x7d,
];

/** The marks of JSON between values. */
export const JSON_MARK = { COMMA, LIST, LIST_END, OBJECT, OBJECT_END } as const;

/** The index of the first byte from `at` on that is not white space. */
export function skipBlanks(bytes: Uint8Array, at: number): number {
  let end = at;
  while (isBlank(bytes[end])) end += 1;
  return end;
}

function isBlank(byte: number | undefined): boolean {
  return byte === 0x20 || byte === 0x0a || byte === 0x0d || byte === 0x09;
}

/** The end of a value, and the number of things in it. */
export interface Extent {
  /** The index after its last byte, or that of the end of the bytes if the value has no end. */
  readonly end: number;
  /**
   * An upper limit of the number of values: the value itself, one for each comma, one for each list or object opened.
   */
  readonly values: number;
  /** The number of names in it; one that occurs twice in an object counts twice. */
  readonly names: number;
  /** How deeply lists and objects are nested. */
  readonly levels: number;
}

/**
 * Finds the end of the value that begins at `start`. It does not check that this is JSON: what is cut out must still be
 * parsed.
 */
export function* measureValue(bytes: Uint8Array, start: number): Steps<Extent> {
  let [values, names, levels] = [1, 0, 0];
  let depth = 0;
  let stepped = start;
  for (let at = start; at < bytes.length; at += 1) {
    switch (bytes[at]) {
      case QUOTE:
        for (at = toQuote(bytes, at + 1); at < bytes.length && bytes[at] !== QUOTE; at = toQuote(bytes, at)) yield;
        if (depth === 0) return { end: Math.min(at + 1, bytes.length), values, names, levels };
        break;
      case LIST:
      case OBJECT:
        depth += 1;
        if (depth > levels) levels = depth;
        values += 1;
        break;
      case LIST_END:
      case OBJECT_END:
        depth -= 1;
        if (depth <= 0) return { end: depth < 0 ? at : at + 1, values, names, levels };
        break;
      case COMMA:
        if (depth === 0) return { end: at, values, names, levels };
        values += 1;
        break;
      case COLON:
        names += 1;
        break;
    }
    if (at - stepped > AT_ONCE) {
      stepped = at;
      yield;
    }
  }
  return { end: bytes.length, values, names, levels };
}

/**
 * The index of the quote that ends the string to which the bytes from `start` on belong, or where this search stopped.
 */
function toQuote(bytes: Uint8Array, start: number): number {
  const to = Math.min(bytes.length, start + AT_ONCE);
  let at = start;
  while (at < to && bytes[at] !== QUOTE) at += bytes[at] === BACKSLASH ? 2 : 1;
  return at;
}

/**
 * Finds where the value of the first entry with this name begins, in bytes that are one object; undefined if there is
 * none.
 */
export function* findEntry(bytes: Uint8Array, name: string): Steps<number | undefined> {
  const wanted = Buffer.from(JSON.stringify(name));
  let at = skipBlanks(bytes, 0);
  if (bytes[at] !== OBJECT) return undefined;
  do {
    const key = skipBlanks(bytes, at + 1);
    if (bytes[key] !== QUOTE) return undefined;
    const { end: keyEnd } = yield* measureValue(bytes, key);
    const colon = skipBlanks(bytes, keyEnd);
    if (bytes[colon] !== COLON) return undefined;
    const value = skipBlanks(bytes, colon + 1);
    if (wanted.equals(bytes.subarray(key, keyEnd))) return value;
    at = skipBlanks(bytes, (yield* measureValue(bytes, value)).end);
  } while (bytes[at] === COMMA);
  return undefined;
}
