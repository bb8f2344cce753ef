import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { parseLongJson } from '../../core/chat/parseJson.ts';
import type { StorageProblem, StoredConversation } from '../../core/session/conversationStore.ts';
import { type ParsedSummary, parseSummary } from '../../core/session/parseSummary.ts';
import { runInSlices } from '../../core/steps.ts';
import { sentence } from '../../language/language.ts';
import { ForeignWriteError, type Lock } from './conversationLock.ts';
import { encodeInSteps, formatJson, openToAppend, replaceFile, sweepTemporary, withFile } from './durableWrite.ts';
import { formatRecord, parseRawTranscript, type RawRecord, type RawTranscript } from './rawTranscript.ts';
import { SLICES } from './slices.ts';
import { errorCode } from './storageError.ts';

/** The names of a conversation's files in its folder. */
export const RAW_FILE = 'conversation-raw.jsonl';
export const VIEW_FILE = 'conversation.json';
export const SUMMARY_FILE = 'session-summary.json';
export const REPLY_FILE = 'reply.json';
export const LOCK_FILE = 'conversation.lock';
const TORN_FILE = `${RAW_FILE}.torn`;
const CORRUPT_FILE = `${RAW_FILE}.corrupt`;

/** A conversation as read, with what the writer needs to continue it. */
export interface LoadedConversation {
  readonly stored: StoredConversation;
  readonly records: RawRecord[];
  /** The bytes of the transcript's file after the repair. */
  readonly length: number;
}

/**
 * Reads a conversation's folder. Without a lock nothing is written, since another window may be in the middle of a line.
 * With a lock, unreadable lines are moved aside, so that they are reported once. If the lock was taken from another window,
 * the transcript is also replaced with a copy, which a late write of that window cannot reach.
 * @throws the file system's error when the transcript cannot be read; `ForeignWriteError` when the lock is held no more
 */
export async function loadConversation(folder: string, lock?: Lock): Promise<LoadedConversation> {
  // Read the summary first: if another window saves in between, the transcript must not look too short for it.
  const summary = await readSummary(join(folder, SUMMARY_FILE));
  const content = await readFile(join(folder, RAW_FILE));
  const raw = await runInSlices(parseRawTranscript(content), SLICES);
  const problems: StorageProblem[] = [];
  const length = lock === undefined ? content.length : await repair(folder, raw, content.length, lock);
  const understood = understandSummary(folder, summary, raw.records.length, problems);
  // Damaged lines have their own report.
  const cut = (understood?.messages ?? 0) - raw.records.length;
  const gone = Math.max(0, cut - raw.unread) + (lock === undefined ? 0 : raw.missing);
  problems.unshift(...describeDamage(folder, lock === undefined ? { damaged: [] } : raw, gone));
  // Keep a copy for repair by hand, since the next save replaces the file.
  if (understood === undefined && summary.code === undefined && lock !== undefined)
    await replaceFile(join(folder, `${SUMMARY_FILE}.corrupt`), await readFile(join(folder, SUMMARY_FILE)));
  // Missing messages are reported once; what a newer Karl wrote beside the count stays.
  if (cut > 0 && lock !== undefined) {
    const counted = { ...Object(summary.content), messages: raw.records.length };
    await replaceFile(
      join(folder, SUMMARY_FILE),
      await runInSlices(formatJson(counted), SLICES),
      unlessTaken(folder, lock),
    );
  }
  const stored = {
    title: understood?.title ?? '',
    createdAt: understood?.createdAt ?? raw.records[0]?.at ?? 0,
    details: understood?.details ?? { compactions: [], pins: [] },
    transcript: raw.transcript,
    problems,
    ...(lock !== undefined && { reply: await readReply(join(folder, REPLY_FILE), problems) }),
  };
  return { stored, records: raw.records, length };
}

/**
 * Removes what interrupted writes left, moves unreadable lines into files beside the transcript, and writes the
 * transcript without them. Returns its new length.
 */
async function repair(folder: string, raw: RawTranscript, length: number, lock: Lock): Promise<number> {
  await sweepTemporary(folder, LOCK_FILE);
  if (raw.torn !== undefined) await appendDurably(join(folder, TORN_FILE), [raw.torn]);
  const damaged = raw.damaged.map(({ bytes }) => bytes);
  if (damaged.length > 0) await appendDurably(join(folder, CORRUPT_FILE), damaged);
  const isWhole = raw.torn === undefined && damaged.length === 0 && raw.lost === 0 && !raw.unfinished;
  if (isWhole && !lock.wasTaken) return length;
  const whole = await runInSlices(encodeInSteps(raw.records, formatRecord), SLICES);
  await replaceFile(join(folder, RAW_FILE), whole, unlessTaken(folder, lock));
  return whole.length;
}

/** A window that was suspended while opening must not replace what another has written since. */
function unlessTaken(folder: string, lock: Lock) {
  return async (): Promise<void> => {
    if ((await lock.state()) !== 'held') throw new ForeignWriteError(`${folder} was taken over`);
  };
}

/** Appends these bytes, each with a line end, and syncs them. */
async function appendDurably(path: string, parts: readonly Uint8Array[]): Promise<void> {
  await withFile(await openToAppend(path), async (file) => {
    await file.appendFile(Buffer.concat(parts.flatMap((bytes) => [bytes, Buffer.from('\n')])));
    await file.sync();
  });
}

/** `gone`: how many messages have no line any more. */
function describeDamage(
  folder: string,
  { torn, damaged }: Pick<RawTranscript, 'torn' | 'damaged'>,
  gone: number,
): readonly StorageProblem[] {
  const path = join(folder, RAW_FILE);
  const problems: StorageProblem[] = [];
  if (torn !== undefined) {
    const message = sentence(
      'The last line was cut off while it was written ({0} bytes). It is kept in {1}; everything before it was loaded.',
      String(torn.length),
      TORN_FILE,
    );
    problems.push({ kind: 'torn-line', path, message });
  }
  const [first] = damaged;
  if (first !== undefined) {
    const message = sentence(
      'Damaged lines in {0}: {1}, the first is line {2}. {3} of them could be repaired. The originals are kept in {4}; the rest was loaded.',
      path,
      String(damaged.length),
      String(first.line),
      String(damaged.filter((line) => line.repaired).length),
      CORRUPT_FILE,
    );
    problems.push({ kind: 'corrupt-line', path, message });
  }
  if (gone > 0) {
    const message = sentence('Messages are missing in {0}: {1}. The rest was loaded.', path, String(gone));
    problems.push({ kind: 'missing-messages', path, message });
  }
  return problems;
}

/** The contents of the summary file; `code`: why it cannot be read at all. */
async function readSummary(path: string): Promise<{ readonly content?: unknown; readonly code?: string }> {
  try {
    return { content: await runInSlices(parseLongJson(await readFile(path)), SLICES) };
  } catch (error) {
    return error instanceof SyntaxError ? {} : { code: errorCode(error) ?? String(error) };
  }
}

/** What was kept of an unfinished reply. If it cannot be read, that is reported and the conversation opens without it. */
async function readReply(path: string, problems: StorageProblem[]): Promise<unknown> {
  try {
    return JSON.parse(await readFile(path, 'utf8'));
  } catch (error) {
    const code = errorCode(error);
    if (code === 'ENOENT') return undefined;
    const message = sentence(
      '{0} cannot be read ({1}). The unfinished part of the last reply is lost.',
      path,
      code ?? 'JSON',
    );
    problems.push({ kind: 'other', path, message });
    return undefined;
  }
}

function understandSummary(
  folder: string,
  summary: Awaited<ReturnType<typeof readSummary>>,
  length: number,
  problems: StorageProblem[],
): ParsedSummary | undefined {
  const path = join(folder, SUMMARY_FILE);
  const parsed = parseSummary(summary.content, length);
  if (parsed === undefined) {
    const message = sentence(
      '{0} cannot be read ({1}). The transcript was loaded whole; compressions, pins and the title start anew.',
      path,
      summary.code ?? 'JSON',
    );
    problems.push({ kind: 'corrupt-summary', path, message });
    return undefined;
  }
  for (const reason of parsed.dropped)
    problems.push({ kind: 'dropped-compaction', path, message: sentence('{0}.', reason) });
  return parsed;
}
