import { isUtf8 } from 'node:buffer';
import { randomUUID } from 'node:crypto';
import { parseLongJson } from '../../core/messages/parseLongJson.ts';
import type { WrittenMessages } from '../../core/session/modelClient.ts';
import { runInSlices, type Steps } from '../../core/steps.ts';
import { SLICES } from '../node/slices.ts';
import { isFields } from '../openai/mergeFields.ts';
import { findEntry, JSON_MARK, measureValue, skipBlanks } from './jsonBytes.ts';

/** One message of a body: where it stands in the bytes, and what they say. */
interface Element {
  readonly start: number;
  readonly end: number;
  readonly value: unknown;
  /** How many values it is made of. */
  readonly values: number;
  /** A name stands twice in one of its objects: which one counts is up to who reads it. */
  readonly repeats: boolean;
}

/** What stands around the messages of a body: the text, and what that says. */
interface Rest {
  readonly text: string;
  readonly fields: Fields;
  /** How many values it is made of. */
  readonly values: number;
  /** How many lists and objects stand in each other, at most. */
  readonly levels: number;
}

/** A body that was read. */
interface Known {
  readonly bytes: Buffer;
  readonly elements: readonly Element[];
  readonly rest: Rest;
  /** Memory that it takes, bytes. */
  readonly room: number;
}

type Fields = Readonly<Record<string, unknown>>;

/** What a body says. */
export interface ReadBody {
  /** What `JSON.parse` makes of it; undefined when it is no JSON. */
  readonly value: unknown;
  /** Its messages as they were written. */
  readonly written?: WrittenMessages;
  /** How many lists and objects stand in each other, at most, but for the messages; absent where that was not counted. */
  readonly levels?: number;
}

/** So many bodies are kept at most: as many agents ask by turns. */
const MOST_BODIES = 16;

/** Memory that all of them take, bytes: some 30 MB of text. */
const MOST_ROOM = 96 * 1024 * 1024;

/** A body of more messages is read as any other JSON: no conversation has so many. */
const MOST_MESSAGES = 100_000;

/** Memory that a value takes besides its text, bytes: an empty object has 70, a message its place in the bytes too. */
const VALUE_ROOM = 200;

/** Memory that a JSON text and what it says take, bytes, about: a character of a string has two where one in it needs them. */
function roomOf(length: number, values: number): number {
  return 3 * length + VALUE_ROOM * values;
}

/** Stands for the messages while the rest of a body is parsed; no client knows it. */
const MESSAGES = randomUUID();

/**
 * Reads the bodies of chat-completions requests. An agent sends its whole history with each: messages that stand in a
 * body byte for byte as they stood at the same place of an earlier one are the very same objects, and are not parsed again;
 * so is all that stands around the messages, the tools among it.
 */
export class BodyReader {
  /** Newest first. */
  #known: readonly Known[] = [];

  /** Reads a body, whose bytes must not be changed afterwards. */
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

  /** Undefined where the messages are not one list of the body that can be found, and not empty. */
  *#readByMessages(bytes: Buffer): Steps<ReadBody | undefined> {
    const start = yield* findEntry(bytes, 'messages');
    const elements = start === undefined ? [] : yield* this.#readList(bytes, start);
    const last = elements.at(-1);
    if (last === undefined) return undefined;
    const end = skipBlanks(bytes, last.end) + 1;
    const text = `${bytes.toString('utf8', 0, start)}"${MESSAGES}"${bytes.toString('utf8', end)}`;
    const rest = this.#known.find((known) => known.rest.text === text)?.rest ?? (yield* readRest(text));
    // Where a name is given twice, the last one counts.
    if (rest?.fields.messages !== MESSAGES) return undefined;
    this.#remember(bytes, elements, rest);
    const value = { ...rest.fields, messages: elements.map((one) => one.value) };
    // What is no text was read with replacements.
    if (!isUtf8(bytes)) return { value, levels: rest.levels };
    const messages = elements.map((one) => (one.repeats ? undefined : one.value));
    const slice = (from: number, to: number) => bytes.subarray(elements[from]?.start, elements[to - 1]?.end);
    return { value, levels: rest.levels, written: { messages, slice } };
  }

  /** The messages of a list; none where it is no whole list. */
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

  /** The messages of an earlier body, from one at this place on, that stand here as they stood there: many, one, or none. */
  #findKnown(bytes: Buffer, at: number, index: number): readonly Element[] {
    for (const count of [AT_ONCE, 1]) {
      const found = this.#known.find((known) => standsAt(bytes, at, known, index, index + count - 1));
      if (found !== undefined) return found.elements.slice(index, index + count);
    }
    return [];
  }

  /** A body takes the place of those that it goes on with; one that is too large is not kept. */
  #remember(bytes: Buffer, elements: readonly Element[], rest: Rest): void {
    const room = roomOf(
      bytes.length,
      elements.reduce((sum, { values }) => sum + values, rest.values),
    );
    if (room > MOST_ROOM) return;
    const others = this.#known.filter((known) => !isMostlyIn(known.elements, elements));
    let left = MOST_ROOM;
    this.#known = [{ bytes, elements, rest, room }, ...others.slice(0, MOST_BODIES - 1)].filter((known) => {
      left -= known.room;
      return left >= 0;
    });
  }
}

/** So many messages are compared at once, with what stands between them, and make a step. */
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

/** So many lists and objects are looked at between two pauses. */
const LISTS_AT_ONCE = 1_024;

/** How many names stand in a list or an object. */
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

/** Undefined where it is no object. */
function* readRest(text: string): Steps<Rest | undefined> {
  const fields = yield* parseLongJson(text);
  if (!isFields(fields)) return undefined;
  const bytes = Buffer.from(text);
  const { values, levels } = yield* measureValue(bytes, skipBlanks(bytes, 0));
  return { text, fields, values, levels };
}

/** Whether one half of what is known came again. */
function isMostlyIn(known: readonly Element[], elements: readonly Element[]): boolean {
  const middle = known.length >> 1;
  return known[middle]?.value === elements[middle]?.value;
}
