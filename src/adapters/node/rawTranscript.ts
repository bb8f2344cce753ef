import { isUtf8 } from 'node:buffer';
import { crc32 } from 'node:zlib';
import { type Sentence, sentence } from '../../core/language.ts';
import type { ChatMessage } from '../../core/messages/chat.ts';
import type { Message } from '../../core/messages/message.ts';
import { InvalidMessageError, parseMessage } from '../../core/messages/parse.ts';
import { parseJson } from '../../core/messages/parseJson.ts';
import { type ReadTranscript, Transcript } from '../../core/messages/transcript.ts';
import { type Steps, sortInSteps } from '../../core/steps.ts';
import { encodeInSteps } from './durableWrite.ts';

/** A line of `conversation-raw.jsonl`. `id` is the message's position, also where other lines cannot be read. */
export interface RawRecord {
  readonly id: number;
  /** Milliseconds since 1970. */
  readonly at: number;
  readonly message: ChatMessage;
}

/** A record as it was read; its position is the id of its message. */
interface ReadRecord extends Pick<RawRecord, 'at'> {
  readonly message: Message;
}

/** Records by position, in two columns, since a long conversation has a hundred thousand. */
export interface RawRecords {
  readonly messages: ChatMessage[];
  /** `at` of each record. */
  readonly times: number[];
}

/** The contents of a line. `sealed`: its checksum is right, so nothing was changed; lines of Karl 0.1 have none. */
type RawLine =
  | { readonly kind: 'record'; readonly record: ReadRecord; readonly sealed: boolean }
  | { readonly kind: 'damaged'; readonly reason: Sentence };

/** How every record begins. Separates records when the line end between them was damaged. */
const RECORD_START = '{"v":1,"id":';

/** The last field of a line: the CRC-32 of everything before it. */
const SEAL = /^,"sum":"([0-9a-f]{8})"\}$/;
const SEAL_LENGTH = ',"sum":"00000000"}'.length;

/** The fields of a line without a checksum; any other field is a damaged checksum. */
const FIELDS = new Set(['v', 'id', 'at', 'message']);

/** A record as a line with its checksum and its line end. Throws when the message cannot be written as JSON. */
export function formatRecord({ id, at, message }: RawRecord): string {
  const text = JSON.stringify({ v: 1, id, at, message }).slice(0, -1);
  return `${text},"sum":"${checksum(text)}"}\n`;
}

/** Many records in the format of the file. */
export function* formatRecords({ messages, times }: RawRecords): Steps<Buffer> {
  return yield* encodeInSteps(linesOf(messages, times));
}

function* linesOf(messages: readonly ChatMessage[], times: RawRecords['times']): Generator<string> {
  for (const [id, message] of messages.entries()) yield formatRecord({ id, at: times[id] ?? 0, message });
}

/** Reads a line without its line end. */
function parseRecord(bytes: Buffer): RawLine {
  const seal = SEAL.exec(bytes.toString('latin1', Math.max(0, bytes.length - SEAL_LENGTH)))?.[1];
  if (seal !== undefined && seal !== checksum(bytes.subarray(0, -SEAL_LENGTH)))
    return damaged(sentence('its checksum is wrong'));
  // Otherwise it would be parsed with replacement characters.
  if (seal === undefined && !isUtf8(bytes)) return damaged(sentence('it is not UTF-8'));
  const value = parseJson(bytes.toString('utf8'));
  if (value === undefined) return damaged(sentence('it is not JSON'));
  if (typeof value !== 'object' || value === null || !('v' in value) || value.v !== 1)
    return damaged(sentence('it is no record of this version'));
  if (seal === undefined && Object.keys(value).some((field) => !FIELDS.has(field)))
    return damaged(sentence('its checksum cannot be read'));
  const { id, at, message } = value as Readonly<Record<string, unknown>>;
  if (typeof id !== 'number' || !Number.isInteger(id) || id < 0) return damaged(sentence('it has no position'));
  try {
    const record = { at: typeof at === 'number' ? at : 0, message: parseMessage(message, id) };
    return { kind: 'record', record, sealed: seal !== undefined };
  } catch (error) {
    if (error instanceof InvalidMessageError) return damaged(sentence('its message is malformed ({0})', error.field));
    throw error;
  }
}

function damaged(reason: Sentence): RawLine {
  return { kind: 'damaged', reason };
}

function checksum(data: string | Buffer): string {
  return crc32(data).toString(16).padStart(8, '0');
}

/** A line that was not accepted as it is; its bytes are kept aside. */
interface DamagedLine {
  /** Counted from 1. */
  readonly line: number;
  readonly bytes: Buffer;
  readonly reason: Sentence;
  /** Only its position was wrong, and its neighbours show the right one; the message is in the transcript. */
  readonly repaired: boolean;
}

/** The contents of a raw file. */
export interface RawTranscript extends RawRecords {
  /** The same messages, parsed. */
  readonly transcript: ReadTranscript;
  readonly damaged: readonly DamagedLine[];
  /** The end of the file if it is not a whole line. */
  readonly torn?: Buffer;
  /** The number of placeholders, for messages whose line is missing or damaged. */
  readonly lost: number;
  /** How many of these have no line at all. */
  readonly missing: number;
  /** The number of damaged and torn lines after the last message. */
  readonly unread: number;
  /** The last line is complete except for its line end. */
  readonly unfinished: boolean;
}

/** A line that implies more missing positions than this is damaged. */
const LARGEST_GAP = 10_000;

/**
 * Reads a raw file in steps. Placeholders fill the gaps between messages, so that every message keeps the position that
 * compactions and handles refer to. A position that does not fit its neighbours is not trusted.
 */
export function* parseRawTranscript(file: Buffer): Steps<RawTranscript> {
  return (yield* readWhole(file)) ?? (yield* readDamaged(file));
}

/** Reads an intact file, with no object per line besides its record; undefined when a line is damaged or misplaced. */
function* readWhole(file: Buffer): Steps<RawTranscript | undefined> {
  const transcript = new Transcript();
  const messages: ChatMessage[] = [];
  const times: number[] = [];
  for (const { content, stop } of readLines(file)) {
    if (content.kind === 'damaged' || !content.sealed || stop === file.length) return undefined;
    const { at, message } = content.record;
    if (message.id !== transcript.nextId) return undefined;
    transcript.append(message);
    messages.push(message.wire);
    times.push(at);
    yield;
  }
  return { transcript, messages, times, damaged: [], lost: 0, missing: 0, unread: 0, unfinished: false };
}

/** Reads a damaged file; the lines around a damaged one determine its position. */
function* readDamaged(file: Buffer): Steps<RawTranscript> {
  const lines: PlacedLine[] = [];
  for (const line of readLines(file)) {
    lines.push(line);
    yield;
  }
  const last = lines.at(-1);
  const isWhole = last === undefined || last.stop < file.length;
  const torn = isWhole || last.content.kind === 'record' ? undefined : file.subarray(last.start);
  if (torn !== undefined) lines.pop();
  const reading = new Reading(lines.length + LARGEST_GAP);
  const damaged: DamagedLine[] = [];
  for (const [index, { content, number, start, stop }] of lines.entries()) {
    const next = lines[index + 1]?.content;
    const fault = reading.take(content, next?.kind === 'record' ? next.record.message.id : undefined);
    if (fault !== undefined) damaged.push({ line: number, bytes: file.subarray(start, stop), ...fault });
    yield;
  }
  return {
    ...(yield* reading.content()),
    damaged,
    unread: reading.waiting + (torn === undefined ? 0 : 1),
    unfinished: !isWhole && torn === undefined,
    ...(torn && { torn }),
  };
}

/** Why a line was not accepted unchanged. */
type Fault = Pick<DamagedLine, 'reason' | 'repaired'>;

/** Reads the lines of a file in order, and accepts each or puts it aside. */
class Reading {
  /** Damaged lines since the last one with a position. */
  waiting = 0;
  /** By position. */
  readonly #records = new Map<number, ReadRecord>();
  /** The position after that of the last line. */
  #next = 0;
  /** The positions of damaged lines. */
  readonly #unreadable = new Set<number>();
  readonly #highest: number;

  /** `highest`: a line that states a higher position is damaged. */
  constructor(highest: number) {
    this.#highest = highest;
  }

  /** Takes the next line; `following` is the position that the line after it states. */
  take(content: RawLine, following: number | undefined): Fault | undefined {
    if (content.kind === 'damaged') {
      this.waiting += 1;
      return { reason: content.reason, repaired: false };
    }
    const { record, sealed } = content;
    const { id } = record.message;
    if (id > this.#highest) {
      this.waiting += 1;
      return { reason: sentence('its position {0} is far beyond the others', String(id)), repaired: false };
    }
    const misplaced = sentence('its position {0} does not go with the lines around it', String(id));
    if (this.#repeats(record)) return { reason: misplaced, repaired: false };
    const place = this.#next + this.waiting;
    const isInOrder = id >= this.#next && (id <= place || following !== this.#next);
    if (sealed) {
      if (isInOrder) this.#accept(record);
      else if (this.#records.has(id)) return { reason: misplaced, repaired: false };
      // Out of order, but the only copy of its message.
      else this.#records.set(id, record);
      return isInOrder ? undefined : { reason: misplaced, repaired: true };
    }
    // Without a checksum the position may be wrong: it must fit the lines before it or the one after it.
    const isBelieved = id >= this.#next && (id <= place || following === id + 1);
    this.#accept(isBelieved ? record : { ...record, message: { ...record.message, id: place } });
    return isBelieved ? undefined : { reason: misplaced, repaired: true };
  }

  #accept(record: ReadRecord): void {
    const { id } = record.message;
    for (let lost = this.#next; lost < Math.min(id, this.#next + this.waiting); lost += 1) this.#unreadable.add(lost);
    this.waiting = 0;
    this.#records.set(id, record);
    this.#next = id + 1;
  }

  /** Whether the same message is there already. */
  #repeats({ message: { id, wire } }: ReadRecord): boolean {
    const held = this.#records.get(id);
    return held !== undefined && JSON.stringify(held.message.wire) === JSON.stringify(wire);
  }

  /** The records by position, with placeholders in the gaps. */
  *content(): Steps<RawRecords & Pick<RawTranscript, 'transcript' | 'lost' | 'missing'>> {
    const records = yield* sortInSteps([...this.#records.values()], (one, other) => one.message.id - other.message.id);
    const transcript = new Transcript();
    const messages: ChatMessage[] = [];
    const times: number[] = [];
    const add = ({ at, message }: ReadRecord): void => {
      transcript.append(message);
      messages.push(message.wire);
      times.push(at);
    };
    for (const record of records) {
      const { at, message } = record;
      for (; messages.length < message.id; yield) add({ at, message: parseMessage(LOST, messages.length) });
      add(record);
      yield;
    }
    const lost = messages.length - records.length;
    const unreadable = [...this.#unreadable].filter((id) => !this.#records.has(id));
    return { transcript, messages, times, lost, missing: lost - unreadable.length };
  }
}

/** An assistant message, so that it never looks like something that a person or a tool said. */
const LOST: ChatMessage = { role: 'assistant', content: '[Karl: this message could not be read from the disk.]' };

/** A line of a raw file, and its place: the bytes from `start` up to `stop`, without the line end. */
interface PlacedLine {
  /** Counted from 1. */
  readonly number: number;
  readonly start: number;
  readonly stop: number;
  readonly content: RawLine;
}

/** The lines of a raw file; splits a line where the line end between records was damaged. */
function* readLines(file: Buffer): Generator<PlacedLine> {
  let number = 1;
  for (let start = 0; start < file.length; number += 1) {
    const end = file.indexOf(0x0a, start);
    const stop = end < 0 ? file.length : end;
    const content = parseRecord(file.subarray(start, stop));
    const line = { number, start, stop, content };
    const parts = content.kind === 'record' ? [] : splitLine(file, line);
    if (parts.some((part) => part.content.kind === 'record')) yield* parts;
    else yield line;
    start = stop + 1;
  }
}

/** Splits a line that may hold several records, each of them perhaps followed by a byte that was a line end. */
function splitLine(file: Buffer, line: PlacedLine): PlacedLine[] {
  const bytes = file.subarray(0, line.stop);
  const parts: PlacedLine[] = [];
  for (let start = line.start; start < line.stop; ) {
    const next = bytes.indexOf(RECORD_START, start + 1);
    const stop = next < 0 ? beforeTorn(bytes, start + 1) : next;
    const content = parseRecord(file.subarray(start, stop));
    const isRecord = content.kind === 'record';
    parts.push({ ...line, start, stop, content: isRecord ? content : parseRecord(file.subarray(start, stop - 1)) });
    start = stop;
  }
  return parts;
}

/** The end of the bytes, without the beginning of a record that was cut off too early to be recognized. */
function beforeTorn(bytes: Buffer, from: number): number {
  for (let length = RECORD_START.length - 1; length > 0; length -= 1) {
    const stop = bytes.length - length;
    if (stop >= from && bytes.toString('latin1', stop) === RECORD_START.slice(0, length)) return stop;
  }
  return bytes.length;
}
