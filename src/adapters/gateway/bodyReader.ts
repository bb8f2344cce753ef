import { randomUUID } from 'node:crypto';
import type { ChatMessage } from '../../core/messages/chat.ts';
import { parseLongJson } from '../../core/messages/parseLongJson.ts';
import { weigh } from '../../core/messages/weigh.ts';
import { runInSlices, type Steps } from '../../core/steps.ts';
import { SLICES } from '../node/slices.ts';
import { isFields } from '../openai/mergeFields.ts';
import { writeMessage } from '../openai/requestBody.ts';
import { findEntry, JSON_MARK, measureValue, skipBlanks } from './jsonBytes.ts';

/** One message of a body as it was read: the bytes that it stood in, and what they say. */
interface Element {
  readonly bytes: Buffer;
  readonly value: unknown;
  /** Memory that it takes, bytes. */
  readonly room: number;
}

type Elements = readonly Element[];

/** What stands around the messages of a body: the text, and what that says. */
interface Rest {
  readonly text: string;
  readonly fields: Fields;
  /** Memory that it takes, bytes. */
  readonly room: number;
}

/** A body that was read. */
interface Known {
  readonly elements: Elements;
  readonly rest: Rest;
  /** Memory that it takes, bytes. */
  readonly room: number;
}

type Fields = Readonly<Record<string, unknown>>;

/** So many bodies are kept at most: as many agents ask by turns. */
const MOST_BODIES = 16;

/** Memory that all of them take, bytes: some 30 MB of text. */
const MOST_ROOM = 96 * 1024 * 1024;

/** A body of more messages is read as any other JSON: no conversation has so many. */
const MOST_MESSAGES = 100_000;

/** Memory that a value takes besides its text, bytes: an empty object has 70, a message its bytes' own object too. */
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

  /** What `JSON.parse` makes of a body; undefined when it is no JSON. */
  async read(bytes: Buffer): Promise<unknown> {
    try {
      return await runInSlices(this.#read(bytes), SLICES);
    } catch (error) {
      if (error instanceof SyntaxError) return undefined;
      throw error;
    }
  }

  *#read(bytes: Buffer): Steps<unknown> {
    return (yield* this.#readByMessages(bytes)) ?? (yield* parseLongJson(bytes.toString()));
  }

  /** Undefined where the messages are not one list of the body that can be found, and not empty. */
  *#readByMessages(bytes: Buffer): Steps<unknown> {
    const start = yield* findEntry(bytes, 'messages');
    const list = start === undefined ? undefined : yield* this.#readList(bytes, start);
    if (list === undefined) return undefined;
    const text = `${bytes.toString('utf8', 0, start)}"${MESSAGES}"${bytes.toString('utf8', list.end)}`;
    const rest = this.#known.find((known) => known.rest.text === text)?.rest ?? (yield* readRest(text));
    // Where a name is given twice, the last one counts.
    if (rest?.fields.messages !== MESSAGES) return undefined;
    this.#remember(list.elements, rest);
    const messages = list.elements.map(({ value }) => value);
    return { ...rest.fields, messages };
  }

  *#readList(bytes: Buffer, start: number): Steps<{ readonly elements: Elements; readonly end: number } | undefined> {
    if (bytes[start] !== JSON_MARK.LIST || bytes[skipBlanks(bytes, start + 1)] === JSON_MARK.LIST_END) return undefined;
    const elements: Element[] = [];
    let guide = this.#known[0]?.elements;
    let at = start;
    do {
      at = skipBlanks(bytes, at + 1);
      const index = elements.length;
      if (index === MOST_MESSAGES) return undefined;
      if (!standsAt(bytes, at, guide?.[index])) guide = this.#findGuide(bytes, at, index);
      const element = guide?.[index] ?? (yield* readElement(bytes, at));
      elements.push(element);
      at = skipBlanks(bytes, at + element.bytes.length);
      if (index % AT_ONCE === 0) yield;
    } while (bytes[at] === JSON_MARK.COMMA);
    return bytes[at] === JSON_MARK.LIST_END ? { elements, end: at + 1 } : undefined;
  }

  #findGuide(bytes: Buffer, at: number, index: number): Elements | undefined {
    return this.#known.find(({ elements }) => standsAt(bytes, at, elements[index]))?.elements;
  }

  /** A body takes the place of those that it goes on with; one that is too large is not kept. */
  #remember(elements: Elements, rest: Rest): void {
    const body = { elements, rest, room: elements.reduce((room, element) => room + element.room, rest.room) };
    if (body.room > MOST_ROOM) return;
    const others = this.#known.filter((known) => !isMostlyIn(known.elements, elements));
    let left = MOST_ROOM;
    this.#known = [body, ...others.slice(0, MOST_BODIES - 1)].filter(({ room }) => {
      left -= room;
      return left >= 0;
    });
  }
}

/** So many messages are looked at between two pauses; one that is new ends a step. */
const AT_ONCE = 64;

function standsAt(bytes: Buffer, at: number, element: Element | undefined): boolean {
  if (element === undefined) return false;
  const end = at + element.bytes.length;
  return end <= bytes.length && bytes.compare(element.bytes, 0, element.bytes.length, at, end) === 0;
}

function* readElement(bytes: Buffer, start: number): Steps<Element> {
  const { end, values } = yield* measureValue(bytes, start);
  const room = roomOf(end - start, values);
  const value = yield* parseLongJson(bytes.toString('utf8', start, end));
  yield;
  // What cannot be written is refused later, with a sentence.
  const isWritable = isFields(value) && weigh(value, Number.POSITIVE_INFINITY).kind === 'fits';
  if (!isWritable) return { bytes: Buffer.from(bytes.subarray(start, end)), value, room };
  const written = writeMessage(value as unknown as ChatMessage);
  yield;
  // As a rule clients write as Karl does: the bytes are kept once then.
  const isSame = written.equals(bytes.subarray(start, end));
  return { bytes: isSame ? written : Buffer.from(bytes.subarray(start, end)), value, room };
}

/** Undefined where it is no object. */
function* readRest(text: string): Steps<Rest | undefined> {
  const fields = yield* parseLongJson(text);
  if (!isFields(fields)) return undefined;
  const bytes = Buffer.from(text);
  const { values } = yield* measureValue(bytes, skipBlanks(bytes, 0));
  return { text, fields, room: roomOf(bytes.length, values) };
}

/** Whether one half of what is known came again. */
function isMostlyIn(known: Elements, elements: Elements): boolean {
  const middle = known.length >> 1;
  return known[middle] === elements[middle];
}
