import { isUtf8 } from 'node:buffer';
import { randomUUID } from 'node:crypto';
import { parseLongJson } from '../../core/messages/parseJson.ts';
import type { WrittenMessages } from '../../core/session/modelClient.ts';
import { runInSlices, type Steps } from '../../core/steps.ts';
import { SLICES } from '../node/slices.ts';
import { isFields } from '../openai/mergeFields.ts';
import { findEntry, JSON_MARK, measureValue, skipBlanks } from './jsonBytes.ts';

/** One message of a body: its place in the bytes, and its parsed value. */
interface Element {
  readonly start: number;
  readonly end: number;
  readonly value: unknown;
  /** The number of JSON values in it. */
  readonly values: number;
  /** One of its objects has the same name twice: which one counts depends on the reader. */
  readonly repeats: boolean;
}

/** A body without its messages: the text, and its parsed fields. */
interface Rest {
  readonly text: string;
  readonly fields: Fields;
  /** The number of JSON values in it. */
  readonly values: number;
  /** How deeply lists and objects are nested. */
  readonly levels: number;
}

/** A body that was read before. */
interface Known {
  readonly bytes: Buffer;
  /** The offset at which the list of its messages begins. */
  readonly start: number;
  readonly elements: readonly Element[];
  readonly rest: Rest;
  /** The memory that it takes, bytes. */
  readonly room: number;
}

type Fields = Readonly<Record<string, unknown>>;

/** The contents of a body. */
export interface ReadBody {
  /** What `JSON.parse` makes of it; undefined when it is not JSON. */
  readonly value: unknown;
  /** Its messages as they were written. */
  readonly written?: WrittenMessages;
  /** How deeply lists and objects are nested outside the messages; absent where that was not counted. */
  readonly levels?: number;
}

/** The number of bodies kept at most: that many agents can ask in turn. */
const MOST_BODIES = 16;

/** The memory that all of them may take, bytes: about 30 MB of text. */
const MOST_ROOM = 96 * 1024 * 1024;

/** A body with more messages is parsed like any other JSON: no conversation has that many. */
const MOST_MESSAGES = 100_000;

/**
 * The memory that a value takes besides its text, bytes: an empty object takes 70, a message also needs its place in
 * the bytes.
 */
const VALUE_ROOM = 200;

/** Estimates the memory that a JSON text and its parsed value take, bytes: a string may need two for each character. */
function roomOf(length: number, values: number): number {
  return 3 * length + VALUE_ROOM * values;
}

/** A placeholder for the messages while the rest of a body is parsed; no client can know it. */
const MESSAGES = randomUUID();

/**
 * Reads the bodies of chat-completions requests. An agent sends its whole history with each request: messages that are
 * the same, byte for byte, as those at the same place of an earlier body become the very same objects and are not
 * parsed again. The same holds for everything around the messages, such as the tools.
 */
export class BodyReader {
  /** Newest first. */
  #known: readonly Known[] = [];

  /** Reads a body. Its bytes must not be changed afterwards. */
  async read(bytes: Buffer): Promise<ReadBody> {
    try {
      return await runInSlices(this.#read(bytes), SLICES);
    } catch (error) {
      if (error instanceof SyntaxError) return { value: undefined };
      throw error;
    }
  }

  *#read(bytes: Buffer): Steps<ReadBody> {
    return (yield* this.#readByMessages(bytes)) ?? { value: yield* parseLongJson(bytes.toString()) };
  }

  /** Undefined unless the body has one list of messages that can be found and is not empty. */
  *#readByMessages(bytes: Buffer): Steps<ReadBody | undefined> {
    const start = this.#findStart(bytes) ?? (yield* findEntry(bytes, 'messages'));
    const elements = start === undefined ? [] : yield* this.#readList(bytes, start);
    const last = elements.at(-1);
    if (start === undefined || last === undefined) return undefined;
    const end = skipBlanks(bytes, last.end) + 1;
    const text = `${bytes.toString('utf8', 0, start)}"${MESSAGES}"${bytes.toString('utf8', end)}`;
    const rest = this.#known.find((known) => known.rest.text === text)?.rest ?? (yield* readRest(text));
    // If the name occurs twice, the last one counts.
    if (rest?.fields.messages !== MESSAGES) return undefined;
    this.#remember({ bytes, start, elements, rest });
    const value = { ...rest.fields, messages: elements.map((one) => one.value) };
    // Bytes that are not UTF-8 were decoded with replacement characters.
    if (!isUtf8(bytes)) return { value, levels: rest.levels };
    const messages = elements.map((one) => (one.repeats ? undefined : one.value));
    const slice = (from: number, to: number) => bytes.subarray(elements[from]?.start, elements[to - 1]?.end);
    return { value, levels: rest.levels, written: { messages, slice } };
  }

  /** Where the list of messages begins, if the body begins like an earlier one. */
  #findStart(bytes: Buffer): number | undefined {
    const begins = ({ bytes: known, start }: Known) =>
      start < bytes.length && bytes.compare(known, 0, start + 1, 0, start + 1) === 0;
    return this.#known.find(begins)?.start;
  }

  /** The messages of a list; none if the list is not complete. */
  *#readList(bytes: Buffer, start: number): Steps<readonly Element[]> {
    if (bytes[start] !== JSON_MARK.LIST || bytes[skipBlanks(bytes, start + 1)] === JSON_MARK.LIST_END) return [];
    const elements: Element[] = [];
    let at = start;
    do {
      at = skipBlanks(bytes, at + 1);
      if (elements.length >= MOST_MESSAGES) return [];
      const known = this.#findKnown(bytes, at, elements.length);
      if (known.length === 0) elements.push(yield* readElement(bytes, at));
      const shift = at - (known[0]?.start ?? at);
      for (const one of known)
        elements.push(shift === 0 ? one : { ...one, start: one.start + shift, end: one.end + shift });
      yield;
      at = skipBlanks(bytes, elements.at(-1)?.end ?? at);
    } while (bytes[at] === JSON_MARK.COMMA);
    return bytes[at] === JSON_MARK.LIST_END ? elements : [];
  }

  /**
   * The messages of an earlier body, from this index on, that are found unchanged at this place: several, one or none.
   */
  #findKnown(bytes: Buffer, at: number, index: number): readonly Element[] {
    for (const count of [AT_ONCE, 1]) {
      const found = this.#known.find((known) => standsAt(bytes, at, known, index, index + count - 1));
      if (found !== undefined) return found.elements.slice(index, index + count);
    }
    return [];
  }

  /** A body replaces the earlier ones that it continues; one that is too large is not kept. */
  #remember(read: Omit<Known, 'room'>): void {
    const { bytes, elements, rest } = read;
    const room = roomOf(
      bytes.length,
      elements.reduce((sum, { values }) => sum + values, rest.values),
    );
    if (room > MOST_ROOM) return;
    const others = this.#known.filter((known) => !isMostlyIn(known.elements, elements));
    let left = MOST_ROOM;
    this.#known = [{ ...read, room }, ...others.slice(0, MOST_BODIES - 1)].filter((known) => {
      left -= known.room;
      return left >= 0;
    });
  }
}

/** The number of messages that are compared at once, with what is between them, as one step. */
const AT_ONCE = 64;

function standsAt(bytes: Buffer, at: number, known: Known, first: number, last: number): boolean {
  const [start, end] = [known.elements[first]?.start, known.elements[last]?.end];
  if (start === undefined || end === undefined || at + end - start > bytes.length) return false;
  return bytes.compare(known.bytes, start, end, at, at + end - start) === 0;
}

function* readElement(bytes: Buffer, start: number): Steps<Element> {
  const { end, values, names } = yield* measureValue(bytes, start);
  const value = yield* parseLongJson(bytes.toString('utf8', start, end));
  return { start, end, value, values, repeats: names > 0 && (yield* countNames(value)) < names };
}

/** The number of lists and objects looked at between two pauses. */
const LISTS_AT_ONCE = 1_024;

/** How many names its lists and objects have. */
function* countNames(value: unknown): Steps<number> {
  let names = 0;
  const waiting = [value];
  for (let seen = 1; waiting.length > 0; seen += 1) {
    const one = waiting.pop();
    const inside: readonly unknown[] = Array.isArray(one) ? one : Object.values(one ?? {});
    if (inside !== one) names += inside.length;
    for (const item of inside) if (typeof item === 'object') waiting.push(item);
    if (seen % LISTS_AT_ONCE === 0) yield;
  }
  return names;
}

/** Undefined if it is not an object. */
function* readRest(text: string): Steps<Rest | undefined> {
  const fields = yield* parseLongJson(text);
  if (!isFields(fields)) return undefined;
  const bytes = Buffer.from(text);
  const { values, levels } = yield* measureValue(bytes, skipBlanks(bytes, 0));
  return { text, fields, values, levels };
}

/** Whether at least half of what is known occurs again. */
function isMostlyIn(known: readonly Element[], elements: readonly Element[]): boolean {
  const middle = known.length >> 1;
  return known[middle]?.value === elements[middle]?.value;
}
