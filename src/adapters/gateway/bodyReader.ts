import { randomUUID } from 'node:crypto';
import type { ChatMessage } from '../../core/messages/chat.ts';
import { parseLongJson } from '../../core/messages/parseLongJson.ts';
import { weigh } from '../../core/messages/weigh.ts';
import { runInSlices, type Steps } from '../../core/steps.ts';
import { SLICES } from '../node/slices.ts';
import { isFields } from '../openai/mergeFields.ts';
import { writeMessage } from '../openai/requestBody.ts';
import { findEntry, JSON_MARK, skipBlanks, valueEnd } from './jsonBytes.ts';

/** One message of a body as it was read: the bytes that it stood in, and what they say. */
interface Element {
  readonly bytes: Buffer;
  readonly value: unknown;
}

type Elements = readonly Element[];

/** A body that was read: its messages, and all else as text and as what that says. */
interface Known {
  readonly elements: Elements;
  readonly rest: string;
  readonly fields: Fields;
}

type Fields = Readonly<Record<string, unknown>>;

/** So many bodies are kept at most: as many agents ask by turns. */
const MOST_BODIES = 16;

/** Bytes of all of them. */
const MOST_BYTES = 32 * 1024 * 1024;

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
    const rest = `${bytes.toString('utf8', 0, start)}"${MESSAGES}"${bytes.toString('utf8', list.end)}`;
    const fields = this.#known.find((known) => known.rest === rest)?.fields ?? (yield* parseLongJson(rest));
    // Where a name is given twice, the last one counts.
    if (!isFields(fields) || fields.messages !== MESSAGES) return undefined;
    this.#remember({ elements: list.elements, rest, fields });
    return { ...fields, messages: list.elements.map(({ value }) => value) };
  }

  *#readList(bytes: Buffer, start: number): Steps<{ readonly elements: Elements; readonly end: number } | undefined> {
    if (bytes[start] !== JSON_MARK.LIST || bytes[skipBlanks(bytes, start + 1)] === JSON_MARK.LIST_END) return undefined;
    const elements: Element[] = [];
    let guide = this.#known[0]?.elements;
    let at = start;
    do {
      at = skipBlanks(bytes, at + 1);
      const index = elements.length;
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

  /** A body takes the place of those that it goes on with. */
  #remember(body: Known): void {
    const others = this.#known.filter(({ elements }) => !isMostlyIn(elements, body.elements));
    let room = MOST_BYTES;
    this.#known = [body, ...others.slice(0, MOST_BODIES - 1)].filter(({ elements, rest }) => {
      room -= rest.length;
      for (const { bytes } of elements) room -= bytes.length;
      return room >= 0;
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
  const end = yield* valueEnd(bytes, start);
  const value = yield* parseLongJson(bytes.toString('utf8', start, end));
  yield;
  // What cannot be written is refused later, with a sentence.
  const isWritable = isFields(value) && weigh(value, Number.POSITIVE_INFINITY).kind === 'fits';
  if (!isWritable) return { bytes: Buffer.from(bytes.subarray(start, end)), value };
  const written = writeMessage(value as unknown as ChatMessage);
  yield;
  // As a rule clients write as Karl does: the bytes are kept once then.
  const isSame = written.equals(bytes.subarray(start, end));
  return { bytes: isSame ? written : Buffer.from(bytes.subarray(start, end)), value };
}

/** Whether one half of what is known came again. */
function isMostlyIn(known: Elements, elements: Elements): boolean {
  const middle = known.length >> 1;
  return known[middle] === elements[middle];
}
