import { isUtf8 } from 'node:buffer';
import { crc32 } from 'node:zlib';
import { type Sentence, sentence } from '../../core/language.ts';
import type { ChatMessage } from '../../core/messages/chat.ts';
import type { Message } from '../../core/messages/message.ts';
import { InvalidMessageError, parseMessage } from '../../core/messages/parse.ts';
import { parseJson } from '../../core/messages/parseJson.ts';
import type { Steps } from '../../core/steps.ts';
import { encodeInSteps } from './durableWrite.ts';

/** A line of `conversation-raw.jsonl`. `id` is the message's position, also where other lines cannot be read. */
export interface RawRecord {
  readonly id: number;
  /** Milliseconds since 1970. */
  readonly at: number;
  readonly message: ChatMessage;
}

/** A record as it was read; its position is the id of its message. */
export interface ReadRecord extends Pick<RawRecord, 'at'> {
  readonly message: Message;
}

/** Records by position, in two columns, since a long conversation has a hundred thousand. */
export interface RawRecords {
  readonly messages: ChatMessage[];
  /** `at` of each record. */
  readonly times: number[];
}

/** The contents of a line. `sealed`: its checksum is right, so nothing was changed; lines of Karl 0.1 have none. */
export type RawLine =
  | { readonly kind: 'record'; readonly record: ReadRecord; readonly sealed: boolean }
  | { readonly kind: 'damaged'; readonly reason: Sentence };

/** How every record begins. Separates records when the line end between them was damaged. */
export const RECORD_START = '{"v":1,"id":';

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
export function parseRecord(bytes: Buffer): RawLine {
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
