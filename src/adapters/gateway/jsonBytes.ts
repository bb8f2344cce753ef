import type { Steps } from '../../core/steps.ts';

/** So much is looked through between two pauses, also of one string. Bytes. */
const AT_ONCE = 262_144;

const [QUOTE, BACKSLASH, COMMA, COLON, LIST, LIST_END, OBJECT, OBJECT_END] = [
  0x22, 0x5c, 0x2c, 0x3a, 0x5b, 0x5d, 0x7b, 0x7d,
];

/** The marks of JSON that stand between values. */
export const JSON_MARK = { COMMA, LIST, LIST_END, OBJECT, OBJECT_END } as const;

/** The first byte from `at` on that is no blank. */
export function skipBlanks(bytes: Uint8Array, at: number): number {
  let end = at;
  while (isBlank(bytes[end])) end += 1;
  return end;
}

function isBlank(byte: number | undefined): boolean {
  return byte === 0x20 || byte === 0x0a || byte === 0x0d || byte === 0x09;
}

/** How far a value goes, and how much is in it. */
export interface Extent {
  /** Behind its last byte, or the end of all where it has none. */
  readonly end: number;
  /** How many values it is made of, at most: itself, what stands behind a comma, what may stand first in a list or object. */
  readonly values: number;
  /** How many names stand in it, one that stands twice in an object twice. */
  readonly names: number;
  /** How many lists and objects stand in each other, at most. */
  readonly levels: number;
}

/** How far the value goes that begins at `start`. Whether it is JSON is not looked at: what is cut out so must still be parsed. */
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

/** The quote that ends a string of which the bytes from `start` on are part, or how far it was looked for. */
function toQuote(bytes: Uint8Array, start: number): number {
  const to = Math.min(bytes.length, start + AT_ONCE);
  let at = start;
  while (at < to && bytes[at] !== QUOTE) at += bytes[at] === BACKSLASH ? 2 : 1;
  return at;
}

/** Where the value of an entry of the object begins that all of it is; undefined where it has no such entry. The first one counts. */
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
