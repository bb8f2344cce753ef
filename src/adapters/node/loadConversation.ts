import { open, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { parseJson } from '../../core/messages/parseJson.ts';
import {
  type ConversationDetails,
  parseSummary,
  type StorageProblem,
  type StoredConversation,
} from '../../core/session/conversationStore.ts';
import { replaceFile } from './durableWrite.ts';
import { formatRecord, parseRawTranscript, type RawRecord, type RawTranscript } from './rawTranscript.ts';
import { errorCode } from './storageError.ts';

/** The names of a conversation's files in its folder. */
export const RAW_FILE = 'conversation-raw.jsonl';
export const VIEW_FILE = 'conversation.json';
export const SUMMARY_FILE = 'session-summary.json';
export const LOCK_FILE = 'conversation.lock';
const TORN_FILE = `${RAW_FILE}.torn`;
const CORRUPT_FILE = `${RAW_FILE}.corrupt`;

/** A conversation as read, with what the writer needs to go on. */
export interface LoadedConversation {
  readonly stored: StoredConversation;
  readonly records: readonly RawRecord[];
  /** Bytes of the transcript's file as it stands after the repair. */
  readonly length: number;
}

/**
 * Reads a conversation's folder. With `repair` (the caller holds the lock) what cannot be read is moved aside, so that
 * it is reported once; without it the files are only read, and an unfinished last line is another window's, just being
 * written. Throws the file system's error when the transcript cannot be read.
 */
export async function loadConversation(folder: string, repair: boolean): Promise<LoadedConversation> {
  const path = join(folder, RAW_FILE);
  const content = await readFile(path);
  const raw = parseRawTranscript(content);
  const problems: StorageProblem[] = [];
  let length = content.length;
  if (repair) {
    length = (await setAside(folder, raw)) ?? length;
    problems.push(...describeDamage(folder, raw));
  }
  const summary = await loadSummary(join(folder, SUMMARY_FILE), raw.messages.length, problems);
  const createdAt = raw.records[0]?.at ?? 0;
  const stored = {
    title: '',
    createdAt,
    details: NO_DETAILS,
    ...summary,
    messages: raw.messages,
    problems,
  };
  return { stored, records: raw.records, length };
}

const NO_DETAILS: ConversationDetails = { compactions: [], pins: [] };

/**
 * Moves what is no record into files beside the transcript, before the transcript is written without it. Answers the
 * new length of the transcript, or nothing when it was whole.
 */
async function setAside(folder: string, raw: RawTranscript): Promise<number | undefined> {
  if (raw.torn !== undefined) await appendDurably(join(folder, TORN_FILE), [raw.torn, Buffer.from('\n')]);
  if (raw.corrupt.length > 0) {
    await appendDurably(
      join(folder, CORRUPT_FILE),
      raw.corrupt.flatMap(({ bytes }) => [bytes, Buffer.from('\n')]),
    );
  }
  if (raw.torn === undefined && raw.corrupt.length === 0 && !raw.unfinished) return undefined;
  const whole = Buffer.from(raw.records.map(formatRecord).join(''));
  await replaceFile(join(folder, RAW_FILE), whole);
  return whole.length;
}

async function appendDurably(path: string, parts: readonly Uint8Array[]): Promise<void> {
  const file = await open(path, 'a', 0o600);
  try {
    await file.appendFile(Buffer.concat(parts));
    await file.sync();
  } finally {
    await file.close();
  }
}

function describeDamage(folder: string, raw: RawTranscript): StorageProblem[] {
  const path = join(folder, RAW_FILE);
  const torn: StorageProblem[] =
    raw.torn === undefined
      ? []
      : [
          {
            kind: 'torn-line',
            path,
            message: `The last line was cut off while it was written (${raw.torn.length} bytes). It is kept in ${TORN_FILE}; everything before it was loaded.`,
          },
        ];
  const corrupt = raw.corrupt.map(
    ({ line, reason }): StorageProblem => ({
      kind: 'corrupt-line',
      path,
      message: `Line ${line} could not be read: ${reason}. It is kept in ${CORRUPT_FILE}; the rest was loaded.`,
    }),
  );
  return [...torn, ...corrupt];
}

async function loadSummary(
  path: string,
  length: number,
  problems: StorageProblem[],
): Promise<{ title: string; createdAt: number; details: ConversationDetails } | undefined> {
  const missing = 'The transcript was loaded whole; compactions, pins and the title start anew.';
  let text: string;
  try {
    text = await readFile(path, 'utf8');
  } catch (error) {
    problems.push({
      kind: 'corrupt-summary',
      path,
      message: `${path} cannot be read (${errorCode(error) ?? error}). ${missing}`,
    });
    return undefined;
  }
  const parsed = parseSummary(parseJson(text), length);
  if (parsed === undefined) {
    problems.push({ kind: 'corrupt-summary', path, message: `${path} is damaged. ${missing}` });
    return undefined;
  }
  const { title, createdAt, details, dropped } = parsed;
  for (const reason of dropped) {
    problems.push({ kind: 'dropped-compaction', path, message: `${reason}.` });
  }
  return { title, createdAt, details };
}
