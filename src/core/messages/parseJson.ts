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

/** At most this much is parsed at once. Characters. */
const PART = 65_536;
/** Nested lists and objects are split up to this depth; anything deeper is parsed at once. */
const DEEPEST = 8;

const BLANK = /^[ \t\n\r]*$/;
/** What is between the name and the value of an object's entry. */
const COLON = /[ \t\n\r]*:/y;

/** Parses the text of a list; may give the items that it gave for the same text before. */
export type ParseList = (text: string) => readonly unknown[];

/**
 * The same as `JSON.parse`, in steps: lists and objects are cut between their entries, and each piece is parsed; a piece
 * of a list that others follow by `parseAgain`, since it comes again where the list has grown.
 * @throws SyntaxError when the text is not JSON.
 */
export function* parseLongJson(text: string, parseAgain: ParseList = JSON.parse, depth = 0): Steps<unknown> {
  yield;
  const value = withoutBlanks(text);
  const close = value[0] === '[' ? ']' : value[0] === '{' ? '}' : undefined;
  if (value.length <= PART || depth === DEEPEST || close === undefined || !value.endsWith(close))
    return JSON.parse(value);
  const pieces = yield* cutEntries(value.slice(1, -1));
  return close === ']' ? yield* parseList(pieces, parseAgain, depth) : yield* parseObject(pieces, parseAgain, depth);
}

/** Without white space at the ends, as JSON defines it. */
function withoutBlanks(text: string): string {
  let [start, end] = [0, text.length];
  while (start < end && BLANK.test(text.charAt(start))) start += 1;
  while (end > start && BLANK.test(text.charAt(end - 1))) end -= 1;
  return text.slice(start, end);
}

function* parseList(pieces: readonly string[], parseAgain: ParseList, depth: number): Steps<unknown[]> {
  const list: unknown[] = [];
  for (const [index, piece] of pieces.entries()) {
    const parse: ParseList = index < pieces.length - 1 ? parseAgain : JSON.parse;
    if (piece.length > PART) list.push(yield* parseLongJson(piece, parseAgain, depth + 1));
    else list.push(...parse(`[${piece}]`));
    yield;
  }
  return list;
}

function* parseObject(pieces: readonly string[], parseAgain: ParseList, depth: number): Steps<Record<string, unknown>> {
  const entries: [string, unknown][] = [];
  for (const piece of pieces) {
    if (piece.length <= PART) entries.push(...Object.entries(JSON.parse(`{${piece}}`) as Record<string, unknown>));
    else {
      const end = (yield* stringEnd(piece, piece.indexOf('"'))) + 1;
      const name = String(JSON.parse(piece.slice(0, end)));
      COLON.lastIndex = end;
      if (!COLON.test(piece)) throw new SyntaxError(`a colon is missing behind ${JSON.stringify(name.slice(0, 40))}`);
      entries.push([name, yield* parseLongJson(piece.slice(COLON.lastIndex), parseAgain, depth + 1)]);
    }
    yield;
  }
  return Object.fromEntries(entries);
}

/**
 * The inside of a list or an object in pieces of whole entries; a piece is longer than a part only if it is a single
 * entry.
 */
function* cutEntries(inside: string): Steps<string[]> {
  const pieces: string[] = [];
  let start = 0;
  let last = -1;
  const cut = (end: number): void => {
    const piece = inside.slice(start, end);
    if (BLANK.test(piece)) throw new SyntaxError(`an entry is missing before character ${end}`);
    pieces.push(piece);
    start = end + 1;
  };
  for (const comma of yield* findCommas(inside)) {
    if (last >= start && comma - start > PART) cut(last);
    if (comma - start > PART) cut(comma);
    last = comma;
  }
  if (last >= start && inside.length - start > PART) cut(last);
  cut(inside.length);
  return pieces;
}

/** The positions of the commas that are not inside anything. */
function* findCommas(text: string): Steps<number[]> {
  const commas: number[] = [];
  let depth = 0;
  let stepped = 0;
  for (let at = 0; at < text.length; at += 1) {
    switch (text.charCodeAt(at)) {
      case QUOTE:
        at = yield* stringEnd(text, at);
        break;
      case COMMA:
        if (depth === 0) commas.push(at);
        break;
      case LIST:
      case OBJECT:
        depth += 1;
        break;
      case LIST_END:
      case OBJECT_END:
        depth -= 1;
        break;
    }
    if (at - stepped > PART) {
      stepped = at;
      yield;
    }
  }
  return commas;
}

const [QUOTE, BACKSLASH, COMMA, LIST, OBJECT, LIST_END, OBJECT_END] = [0x22, 0x5c, 0x2c, 0x5b, 0x7b, 0x5d, 0x7d];

/** The quote that ends the string which begins at `start`: the next one before which no odd number of backslashes stands. */
function* stringEnd(text: string, start: number): Steps<number> {
  let stepped = start;
  for (let at = text.indexOf('"', start + 1); at >= 0; at = text.indexOf('"', at + 1)) {
    let escapes = at;
    while (text.charCodeAt(escapes - 1) === BACKSLASH) escapes -= 1;
    if ((at - escapes) % 2 === 0) return at;
    if (at - stepped > PART) {
      stepped = at;
      yield;
    }
  }
  throw new SyntaxError(`the string at character ${start} has no end`);
}

/**
 * The arguments of a call as an object. What is no JSON object, as where a reply broke off, is the text of a field that no
 * tool has: the tool refuses it, and the model reads why.
 */
export function readInput(text: string): object {
  const value = parseJson(text);
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? value : { malformed: text };
}
