import { isUtf8 } from 'node:buffer';
import { DEEPEST_FIELD } from '../../core/chat/parse.ts';
import {
  COMMA,
  findInEntry,
  isBlank,
  LIST,
  LIST_END,
  OBJECT,
  parseLongJson,
  parseValue,
} from '../../core/chat/parseJson.ts';
import type { Steps } from '../../core/steps.ts';
import { type Fields, isFields } from '../fields.ts';

/** A list that is a field of a body. */
interface List {
  /** What is between its brackets. */
  readonly bytes: Buffer;
  /** Where in `bytes` each of its items ends. */
  readonly ends: readonly number[];
  readonly items: readonly unknown[];
}

/** The newest body of a conversation, with its lists in their order. */
interface Source {
  bytes: Buffer;
  lists: readonly List[];
}

/** The conversation in whose bytes each object came; none for one in which a name is repeated. */
const SOURCES = new WeakMap<object, Source>();

const NOTHING: Readonly<Source> = { bytes: Buffer.alloc(0), lists: [] };

/** The most conversations whose bodies are kept. */
const MOST_SOURCES = 32;

/** How many bytes of bodies are kept; the newest body is always kept. */
const MOST_BYTES = 32_000_000;

/**
 * Parses the bodies of requests. Agents send their whole history with each request: items of lists that have come before
 * are the same objects again, and only what follows them is parsed.
 */
export class BodyParser {
  /** Most recently used first. */
  #sources: readonly Source[] = [];

  /**
   * The fields of a body, no two of which have the same objects; undefined when it is something else than a JSON object.
   * @throws SyntaxError when it is not JSON, or nested so deeply that it could not be written again.
   */
  *parse(body: Buffer): Steps<Fields | undefined> {
    const bytes = isUtf8(body) ? body : Buffer.from(body.toString());
    const source = this.#sources.find((known) => continues(bytes, known.bytes)) ?? { ...NOTHING };
    // Another body of the conversation may be parsed between two steps.
    const { lists: known } = source;
    const lists: List[] = [];
    /** The body with a number in each list instead of its items: its place among the lists. */
    const frame: Uint8Array[] = [];
    let end = 0;
    for (let from = bytes.indexOf(OBJECT) + 1; ; from = end + 1) {
      const { at: bracket } = yield* findInEntry(bytes, from, LIST, DEEPEST_FIELD);
      if (bytes[bracket] !== LIST) break;
      frame.push(bytes.subarray(end, bracket + 1), Buffer.from(String(lists.length)));
      const list = yield* parseList(bytes.subarray(bracket + 1), known[lists.length], source);
      lists.push(list);
      end = bracket + 1 + list.bytes.length;
    }
    const value = yield* parseLongJson(Buffer.concat([...frame, bytes.subarray(end)]));
    if (!isFields(value)) return undefined;
    for (const [name, field] of Object.entries(value))
      if (Array.isArray(field)) value[name] = lists[Number(field[0])]?.items;
    this.#keep(Object.assign(source, { bytes, lists }));
    return value;
  }

  #keep(source: Source): void {
    let size = 0;
    this.#sources = [source, ...this.#sources.filter((one) => one !== source)].filter((one, place) => {
      size += one.bytes.length;
      const stays = place === 0 || (place < MOST_SOURCES && size <= MOST_BYTES);
      // Threads may still hold its objects.
      if (!stays) Object.assign(one, NOTHING);
      return stays;
    });
  }
}

/** Whether a body begins with more than half of another. */
function continues(bytes: Buffer, last: Buffer): boolean {
  const half = (last.length >> 1) + 1;
  return bytes.subarray(0, half).equals(last.subarray(0, half));
}

/** Parses a list, whose bytes begin behind its bracket. `known`: the list that may begin as it does. */
function* parseList(bytes: Buffer, known: List | undefined, source: Source): Steps<List> {
  const same = known === undefined ? 0 : countKnown(bytes, known);
  const ends = known?.ends.slice(0, same) ?? [];
  const items = known?.items.slice(0, same) ?? [];
  let end = ends.at(-1) ?? -1;
  while (end < 0 || bytes[end] === COMMA) {
    const start = end + 1;
    const found = yield* findInEntry(bytes, start, COMMA, DEEPEST_FIELD);
    end = found.at;
    const item = bytes.subarray(start, end);
    if (start === 0 && bytes[end] !== COMMA && item.every(isBlank)) break;
    const value = yield* parseValue(item);
    // Its reader may take the first of two fields with the same name.
    const repeats = (yield* countFields(value)) !== found.names;
    if (typeof value === 'object' && value !== null && !repeats) SOURCES.set(value, source);
    items.push(value);
    ends.push(end);
  }
  const isKnown = known?.items.length === same && items.length === same;
  return { bytes: bytes.subarray(0, end), ends, items: isKnown ? known.items : items };
}

/** How many fields the objects in a value have. */
function* countFields(value: unknown): Steps<number> {
  const left = [value];
  let fields = 0;
  let seen = 0;
  while (left.length > 0) {
    const one = left.pop();
    if (typeof one !== 'object' || one === null) continue;
    const inside: readonly unknown[] = Array.isArray(one) ? one : Object.values(one);
    if (inside !== one) fields += inside.length;
    for (const item of inside) {
      seen += 1;
      if (seen % 10_000 === 0) yield;
      if (typeof item === 'object' && item !== null) left.push(item);
    }
  }
  return fields;
}

/** How many items a list has in common with a known one. */
function countKnown(bytes: Buffer, known: List): number {
  const common = commonLength(bytes, known.bytes);
  const differs = known.ends.findIndex((end) => end > common);
  const same = differs < 0 ? known.ends.length : differs;
  const next = bytes[known.ends[same - 1] ?? 0];
  // A number may go on.
  return next === COMMA || next === LIST_END ? same : Math.max(0, same - 1);
}

/** How many first bytes are the same. */
function commonLength(one: Buffer, other: Buffer): number {
  let common = 0;
  for (let most = Math.min(one.length, other.length); common < most; ) {
    const middle = (common + most + 1) >> 1;
    if (one.compare(other, common, middle, common, middle) === 0) common = middle;
    else most = middle - 1;
  }
  return common;
}

/** The most text that is encoded at once. Characters. */
const PART = 1_000_000;

/** More pieces than this are joined: many small ones are slow to send. */
const MOST_PIECES = 64;

/**
 * A body as JSON, in pieces: list items that came in an agent's body are sent as the same bytes; others, and those in
 * which a name is repeated, are serialized.
 * @throws TypeError for what JSON cannot hold.
 */
export function* writeBody(body: object): Steps<readonly Uint8Array[]> {
  const pieces: Uint8Array[] = [];
  let text = '{';
  const flush = () => {
    pieces.push(Buffer.from(text));
    text = '';
  };
  let separator = '';
  for (const [name, value] of Object.entries(body)) {
    const items: readonly unknown[] | undefined = Array.isArray(value) ? value : undefined;
    const json = items === undefined ? JSON.stringify(value) : '[';
    if (json === undefined) continue;
    text += `${separator}${JSON.stringify(name)}:${json}`;
    separator = ',';
    for (let at = 0; items !== undefined && at < items.length; yield) {
      if (at > 0) text += ',';
      const run = findRun(items, at);
      if (run === undefined) text += JSON.stringify(items[at]) ?? 'null';
      if (run !== undefined || text.length > PART) flush();
      if (run !== undefined) pieces.push(run.bytes);
      at += run?.count ?? 1;
    }
    if (items !== undefined) text += ']';
  }
  text += '}';
  flush();
  return pieces.length > MOST_PIECES ? [Buffer.concat(pieces)] : pieces;
}

/** The bytes of the items from a place on, as far as they came in this order. */
function findRun(
  items: readonly unknown[],
  at: number,
): { readonly bytes: Buffer; readonly count: number } | undefined {
  for (const list of SOURCES.get(items[at] as object)?.lists ?? []) {
    const first = list.items.indexOf(items[at]);
    if (first < 0) continue;
    let count = 1;
    while (items[at + count] === list.items[first + count] && SOURCES.has(items[at + count] as object)) count += 1;
    const start = first === 0 ? 0 : (list.ends[first - 1] ?? 0) + 1;
    return { bytes: list.bytes.subarray(start, list.ends[first + count - 1]), count };
  }
  return undefined;
}
