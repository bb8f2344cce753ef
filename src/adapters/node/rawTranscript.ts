import { isUtf8 } from 'node:buffer';
import { crc32 } from 'node:zlib';
import type { Message } from '../../core/chat/message.ts';
import { InvalidMessageError, parseMessage } from '../../core/chat/parse.ts';
import { parseJson } from '../../core/chat/parseJson.ts';
import { type ReadTranscript, Transcript } from '../../core/chat/transcript.ts';
import type { ChatMessage } from '../../core/chat/wire.ts';
import { isEqual } from '../../core/result.ts';
import type { Steps } from '../../core/steps.ts';

/** A line of `conversation-raw.jsonl`. `id` is the message's position, even if other lines cannot be read. */
export interface RawRecord {
  readonly id: number;
  /** Milliseconds since 1970. */
  readonly at: number;
  readonly message: ChatMessage;
}

/** A record as it was read; its position is the id of its message. */
interface ReadRecord extends Pick<RawRecord, 'at'> {
  readonly message: Message;
  /** Its checksum is right, so nothing was changed; lines of Karl 0.1 have none. */
  readonly sealed: boolean;
}

/** A place between two records, by which they are told apart when a line end was damaged. */
const BETWEEN_RECORDS = /(?<=,"sum":"[0-9a-f]{8}"\})|(?=\{"v":1,"id":)/;

/** The last field of a line: the CRC-32 of everything before it. */
const SEAL = /^,"sum":"([0-9a-f]{8})"\}$/;
const SEAL_LENGTH = ',"sum":"00000000"}'.length;

/** A record as a line with its checksum and its line end. Throws when the message cannot be written as JSON. */
export function formatRecord({ id, at, message }: RawRecord): string {
  const text = JSON.stringify({ v: 1, id, at, message }).slice(0, -1);
  return `${text},"sum":"${checksum(text)}"}\n`;
}

/** Reads a line without its line end; undefined when it is damaged. */
function parseRecord(bytes: Buffer): ReadRecord | undefined {
  const seal = SEAL.exec(bytes.toString('latin1', Math.max(0, bytes.length - SEAL_LENGTH)))?.[1];
  // Without a checksum, invalid UTF-8 would be parsed as replacement characters.
  if (seal === undefined ? !isUtf8(bytes) : seal !== checksum(bytes.subarray(0, -SEAL_LENGTH))) return undefined;
  const { v, id, at, message, ...others } = Object(parseJson(bytes.toString('utf8')));
  if (v !== 1 || !Number.isInteger(id) || id < 0) return undefined;
  // Any other field is a damaged checksum.
  if (seal === undefined && Object.keys(others).length > 0) return undefined;
  try {
    return { at: typeof at === 'number' ? at : 0, message: parseMessage(message, id), sealed: seal !== undefined };
  } catch (error) {
    if (error instanceof InvalidMessageError) return undefined;
    throw error;
  }
}

function checksum(data: string | Buffer): string {
  return crc32(data).toString(16).padStart(8, '0');
}

/** A line that was not accepted as it is; its bytes are kept aside. */
interface DamagedLine {
  /** Counted from 1. */
  readonly line: number;
  readonly bytes: Buffer;
  /** Only its position was wrong, and its neighbours show the right one; the message is in the transcript. */
  readonly repaired: boolean;
}

/** The contents of a raw file. */
export interface RawTranscript {
  /** By position. */
  readonly records: RawRecord[];
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

/** No more positions may be missing than this: a line with a higher one is damaged. */
const LARGEST_GAP = 10_000;

/**
 * Reads a raw file in steps. Placeholders fill the gaps between messages, so that every message keeps the position that
 * compactions and handles refer to. A line with the right checksum has the right position; without one, it is believed
 * only if its neighbours agree.
 */
export function* parseRawTranscript(file: Buffer): Steps<RawTranscript> {
  const lines: PlacedLine[] = [];
  for (const line of readLines(file)) {
    lines.push(line);
    yield;
  }
  const last = lines.at(-1);
  const isCut = last?.stop === file.length;
  const torn = isCut && last.record === undefined ? file.subarray(last.start) : undefined;
  if (torn !== undefined) lines.pop();
  const highest = lines.length + LARGEST_GAP;
  const read: ReadRecord[] = [];
  const damaged: DamagedLine[] = [];
  /** The position after the last message, how many damaged lines came since, and how many came in gaps. */
  let [next, waiting, unreadable] = [0, 0, 0];
  for (const [index, { number: line, start, stop, record }] of lines.entries()) {
    const setAside = (repaired = false) => damaged.push({ line, bytes: file.subarray(start, stop), repaired });
    yield;
    if (record === undefined || record.message.id > highest) {
      waiting += 1;
      setAside();
      continue;
    }
    const { message, sealed } = record;
    const { id } = message;
    const place = next + waiting;
    const known = read[id];
    if (known !== undefined && (sealed || isEqual(known.message.wire, message.wire))) {
      setAside();
      continue;
    }
    const isFollowed = lines[index + 1]?.record?.message.id === id + 1;
    const isBelieved = sealed || (id >= next && (id <= place || isFollowed));
    if (!isBelieved) setAside(true);
    const at = isBelieved ? id : place;
    read[at] = isBelieved ? record : { ...record, message: { ...message, id: place } };
    if (at < next) continue;
    unreadable += Math.min(at - next, waiting);
    [next, waiting] = [at + 1, 0];
  }
  const transcript = new Transcript();
  const records: RawRecord[] = [];
  let lost = 0;
  for (let id = 0; id < read.length; id += 1) {
    if (read[id] === undefined) lost += 1;
    const { at, message } = read[id] ?? { at: records.at(-1)?.at ?? 0, message: parseMessage(LOST, id) };
    transcript.append(message);
    records.push({ id, at, message: message.wire });
    yield;
  }
  return {
    ...{ transcript, records, damaged, lost },
    missing: Math.max(0, lost - unreadable),
    unread: waiting + (torn === undefined ? 0 : 1),
    unfinished: isCut && torn === undefined,
    ...(torn && { torn }),
  };
}

/** An assistant message, so that it never looks like the words of a person or a tool. */
const LOST: ChatMessage = { role: 'assistant', content: '[Karl: this message could not be read from the disk.]' };

/** A line of a raw file, and its place: the bytes from `start` up to `stop`, without the line end. */
interface PlacedLine {
  /** Counted from 1. */
  readonly number: number;
  readonly start: number;
  readonly stop: number;
  readonly record: ReadRecord | undefined;
}

/** The lines of a raw file; splits a line where the line end between records was damaged. */
function* readLines(file: Buffer): Generator<PlacedLine> {
  let number = 1;
  for (let start = 0; start < file.length; number += 1) {
    const end = file.indexOf(0x0a, start);
    const stop = end < 0 ? file.length : end;
    const line = { number, start, stop, record: parseRecord(file.subarray(start, stop)) };
    const parts = line.record === undefined ? splitLine(file, line) : [];
    if (parts.some(({ record }) => record !== undefined)) yield* parts;
    else yield line;
    start = stop + 1;
  }
}

/** Splits a line that may hold several records, with a byte between them that was a line end. */
function splitLine(file: Buffer, line: PlacedLine): PlacedLine[] {
  let stop = line.start;
  return file
    .toString('latin1', line.start, line.stop)
    .split(BETWEEN_RECORDS)
    .flatMap((text) => {
      const start = stop;
      stop += text.length;
      // Records of Karl 0.1 end where that byte is.
      const record = parseRecord(file.subarray(start, stop)) ?? parseRecord(file.subarray(start, stop - 1));
      return text.length === 1 ? [] : [{ ...line, start, stop, record }];
    });
}
