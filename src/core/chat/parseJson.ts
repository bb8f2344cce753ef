import type { Steps } from '../steps.ts';

/** The value of a JSON text, as models and servers write it; undefined (which is no JSON value) for any other text. */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}

/** At most this much is parsed at once, or looked through between two pauses. Bytes. */
const PART = 65_536;
/** Nested lists and objects are split up to this depth; anything deeper is parsed at once. */
const DEEPEST = 8;

const [QUOTE, BACKSLASH] = [0x22, 0x5c];

/** The bytes that delimit lists, objects and their entries in JSON. */
export const [LIST, LIST_END, OBJECT, OBJECT_END, COMMA, COLON] = [0x5b, 0x5d, 0x7b, 0x7d, 0x2c, 0x3a] as const;

/** Keeps a byte order mark inside a text, where JSON does not allow it. */
const UTF_8 = new TextDecoder('utf-8', { ignoreBOM: true });

/**
 * The same as `JSON.parse` of a text in UTF-8, in steps: long lists and objects are parsed entry by entry. A byte order
 * mark before it is left out.
 * @throws SyntaxError when it is not JSON.
 */
export function* parseLongJson(marked: Uint8Array): Steps<unknown> {
  const isMarked = marked[0] === 0xef && marked[1] === 0xbb && marked[2] === 0xbf;
  return yield* parseValue(isMarked ? marked.subarray(3) : marked);
}

/** The same for an entry of such a text, which has no byte order mark. `depth`: how far it is nested in the text. */
export function* parseValue(bytes: Uint8Array, depth = 0): Steps<unknown> {
  yield;
  const first = bytes.findIndex((byte) => !isBlank(byte));
  const last = bytes.findLastIndex((byte) => !isBlank(byte));
  const isList = bytes[first] === LIST && bytes[last] === LIST_END;
  const isObject = bytes[first] === OBJECT && bytes[last] === OBJECT_END;
  if (bytes.length <= PART || depth === DEEPEST || !(isList || isObject)) return JSON.parse(UTF_8.decode(bytes));
  const items: unknown[] = [];
  const entries: [string, unknown][] = [];
  let end = first;
  do {
    const start = end + 1;
    end = (yield* findInEntry(bytes, start, COMMA)).at;
    const entry = bytes.subarray(start, end);
    if (isList) items.push(yield* parseValue(entry, depth + 1));
    else entries.push(yield* parseField(entry, depth + 1));
  } while (bytes[end] === COMMA);
  if (end !== last) throw new SyntaxError(`the bracket at byte ${end} closes nothing`);
  return isList ? items : Object.fromEntries(entries);
}

function* parseField(bytes: Uint8Array, depth: number): Steps<[string, unknown]> {
  const { at: colon } = yield* findInEntry(bytes, 0, COLON);
  const name: unknown = JSON.parse(UTF_8.decode(bytes.subarray(0, colon)));
  if (typeof name !== 'string') throw new SyntaxError(`${name} is not the name of a field`);
  return [name, yield* parseValue(bytes.subarray(colon + 1), depth)];
}

/** Whether a byte is white space between the parts of JSON. */
export function isBlank(byte: number): boolean {
  return byte === 0x20 || byte === 0x0a || byte === 0x0d || byte === 0x09;
}

/**
 * `at`: the next position of a byte in a list or an object, outside strings and nested values; otherwise the end of that
 * list or object, or of the bytes. `names`: how many field names are before it, however deeply nested. `from`: a place
 * between or at the beginning of entries. `deepest`: the most levels of what is nested.
 * @throws SyntaxError when there are more.
 */
export function* findInEntry(
  bytes: Uint8Array,
  from: number,
  wanted: number,
  deepest = Number.POSITIVE_INFINITY,
): Steps<{ readonly at: number; readonly names: number }> {
  let depth = 0;
  let names = 0;
  let inString = false;
  let stepped = from;
  for (let at = from; at < bytes.length; at += 1) {
    const byte = bytes[at];
    if (inString) {
      if (byte === BACKSLASH) at += 1;
      else if (byte === QUOTE) inString = false;
    } else if (byte === wanted && depth === 0) return { at, names };
    else if (byte === QUOTE) inString = true;
    else if (byte === LIST || byte === OBJECT) {
      depth += 1;
      if (depth > deepest) throw new SyntaxError(`nested too deeply at byte ${at}`);
    } else if (byte === LIST_END || byte === OBJECT_END) {
      if (depth === 0) return { at, names };
      depth -= 1;
    } else if (byte === COLON) names += 1;
    if (at - stepped > PART) {
      stepped = at;
      yield;
    }
  }
  return { at: bytes.length, names };
}
