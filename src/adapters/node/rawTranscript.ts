import type { ChatMessage } from '../../core/messages/chat.ts';
import { InvalidMessageError, parseMessage } from '../../core/messages/parse.ts';

/** One line of `conversation-raw.jsonl`. `id` is the message's position: it outlives lines that cannot be read. */
export interface RawRecord {
  readonly v: 1;
  readonly id: number;
  /** Milliseconds since 1970. */
  readonly at: number;
  readonly message: ChatMessage;
}

/** What a raw file holds. Byte sequences that are no records are given back so that they can be kept aside. */
export interface RawTranscript {
  readonly records: readonly RawRecord[];
  readonly messages: readonly ChatMessage[];
  readonly corrupt: readonly { readonly line: number; readonly bytes: Buffer; readonly reason: string }[];
  /** The end of the file when it is no whole line. */
  readonly torn?: Buffer;
  /** The last line is whole but for its line end. */
  readonly unfinished: boolean;
}

/** More positions than this cannot be missing between two lines: such a line is corrupt itself. */
const LARGEST_GAP = 10_000;

/** A record as a line with its line end. */
export function formatRecord(record: RawRecord): string {
  return `${JSON.stringify(record)}\n`;
}

/**
 * Reads a raw file. Messages that are missing between two that are there get a placeholder, so that every message keeps
 * the position that compactions and handles refer to.
 */
export function parseRawTranscript(content: Buffer): RawTranscript {
  const records: RawRecord[] = [];
  const messages: ChatMessage[] = [];
  const corrupt: { line: number; bytes: Buffer; reason: string }[] = [];
  let torn: Buffer | undefined;
  let unfinished = false;
  const accept = (record: RawRecord): void => {
    records.push(record);
    while (messages.length < record.id) messages.push(lostMessage());
    messages.push(record.message);
  };
  for (const { line, bytes, whole } of splitLines(content)) {
    const record = parseRecord(bytes, messages.length);
    if (typeof record !== 'string') {
      accept(record);
      unfinished = !whole;
    } else if (whole) corrupt.push({ line, bytes, reason: record });
    else torn = bytes;
  }
  return { records, messages, corrupt, unfinished, ...(torn !== undefined && { torn }) };
}

function* splitLines(content: Buffer): Generator<{ line: number; bytes: Buffer; whole: boolean }> {
  let line = 1;
  for (let start = 0; start < content.length; line += 1) {
    const end = content.indexOf(0x0a, start);
    const stop = end < 0 ? content.length : end;
    yield { line, bytes: content.subarray(start, stop), whole: end >= 0 };
    start = stop + 1;
  }
}

/** The record in a line, or why it is none. */
function parseRecord(bytes: Buffer, next: number): RawRecord | string {
  let value: unknown;
  try {
    // `fatal`: a line with broken UTF-8 was damaged, even if what replaces the damage would parse.
    value = JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes));
  } catch (error) {
    return error instanceof SyntaxError ? 'it is not JSON' : 'it is not UTF-8';
  }
  if (typeof value !== 'object' || value === null || !('v' in value) || value.v !== 1)
    return 'it is no record of this version';
  const at = 'at' in value && typeof value.at === 'number' ? value.at : 0;
  const id = 'id' in value && typeof value.id === 'number' ? value.id : next;
  if (!Number.isInteger(id) || id < next) return `its position ${id} is taken`;
  if (id > next + LARGEST_GAP) return `its position ${id} is far beyond the one before`;
  try {
    const { wire } = parseMessage('message' in value ? value.message : undefined, id);
    return { v: 1, id, at, message: wire };
  } catch (error) {
    if (error instanceof InvalidMessageError) return error.message;
    throw error;
  }
}

/** An assistant's words: a lost user or tool message must not be mistaken for something that a person or a tool said. */
function lostMessage(): ChatMessage {
  return { role: 'assistant', content: '[Karl: this message could not be read from the disk.]' };
}
