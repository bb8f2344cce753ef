import { stat } from 'node:fs/promises';
import path from 'node:path';
import { findFault, parseMessage } from '../../core/chat/parse.ts';
import { Transcript } from '../../core/chat/transcript.ts';
import type { Words } from '../../core/phrase.ts';
import { err, ok, type Result } from '../../core/result.ts';
import type { ReadableConversations } from '../../core/session/readers.ts';
import { recallStored } from '../../core/session/recallTool.ts';
import { sentence } from '../../language/language.ts';
import { NODE_PORTS } from '../node/slices.ts';
import { errorCode } from '../node/storageError.ts';
import { CLAUDE_CODE } from './claudeCode.ts';
import { CODEX } from './codex.ts';
import { GEMINI, QWEN } from './gemini.ts';
import { OPENCODE } from './openCode.ts';
import { AIDER, CLINE, CONTINUE, COPILOT, MARKDOWN, OPENAI_MESSAGES } from './otherAgents.ts';
import { PI } from './pi.ts';
import { openRecords, type ReadOptions } from './records.ts';
import { SessionError, type SessionFormat, type StoredSession, whereAny } from './session.ts';
import { StandIns } from './standIns.ts';

/** The known formats, the more specific ones first. */
export const FORMATS: readonly SessionFormat[] = [
  CODEX,
  PI,
  QWEN,
  CLAUDE_CODE,
  GEMINI,
  COPILOT,
  OPENCODE,
  CONTINUE,
  CLINE,
  OPENAI_MESSAGES,
  AIDER,
  MARKDOWN,
];

/**
 * Reads a session of any agent; its format is found by its content. The file is only read.
 * @throws the file system's error; `SessionError` where it is no session that is known; the reason of the signal.
 */
export async function readSession(file: string, options: ReadOptions = {}): Promise<StoredSession> {
  const records = await openRecords(file, options);
  const format = FORMATS.find((one) => one.recognizes(records.first));
  if (format === undefined) {
    const known = FORMATS.flatMap((one) => (one === MARKDOWN ? [] : [one.title])).join(', ');
    throw new SessionError(sentence('{0} is not a session of an agent that Karl knows: {1}.', file, known));
  }
  const { standIns } = options;
  const found = await format.read(records.all(), (value, isHuman) => standIns?.take(value, isHuman) ?? value);
  const { id, title, folder, model, compactions = [], head = {} } = found;
  const isValid = found.messages.map((message) => findFault(message) === undefined);
  const messages = found.messages.filter((_, at) => isValid[at]);
  if (messages.length === 0) throw new SessionError(sentence('{0} has no messages.', file));
  let valid = 0;
  const places = isValid.map((is) => (is ? valid++ : valid));
  return {
    ...found,
    ...{ agent: format.name, agentTitle: format.title, id, title, folder, model, head, messages },
    compactions: compactions.map(({ before, kept = [], ...compaction }) => ({
      ...compaction,
      before: places[before] ?? messages.length,
      kept: kept.flatMap((at) => (isValid[at] === true ? (places[at] ?? []) : [])),
    })),
    repairs: [
      ...whereAny(
        sentence('Lines that are not JSON were skipped: {0}.', records.damaged()),
        sentence('Invalid messages were skipped: {0}.', found.messages.length - messages.length),
      ),
      ...(found.repairs ?? []),
    ],
  };
}

/** The same; the error is one sentence. Rejects only with the reason of the signal. */
export async function tryReadSession(file: string, options?: ReadOptions): Promise<Result<StoredSession, Words>> {
  try {
    return ok(await readSession(file, options));
  } catch (error) {
    const code = errorCode(error);
    if (code !== undefined && options?.signal?.aborted !== true)
      return err(sentence('{0} cannot be read ({1}).', file, code));
    if (error instanceof SessionError) return err(error.words);
    throw error;
  }
}

/**
 * Reads the stored session of an agent as the only conversation that can be read: `t41` is its message 41. The error is
 * one sentence.
 */
export async function openSession(file: string): Promise<Result<ReadableConversations, Words>> {
  const read = await tryReadSession(file, { standIns: new StandIns() });
  if (!read.ok) return read;
  const { id: own = path.basename(file), title = path.basename(file), agent: client, messages } = read.value;
  const { mtimeMs: updatedAt } = await stat(file.replace(/#[^/\\]*$/, ''));
  const transcript = new Transcript();
  for (const [at, message] of messages.entries()) transcript.append(parseMessage(message, at));
  // One for all recalls: its index is made once.
  const source = recallStored(transcript, NODE_PORTS);
  const release = async () => undefined;
  return ok({
    list: async () => [{ id: own, title, updatedAt, client }],
    open: async (id = own) => (id === own ? { id, title, source, isLive: false, release } : undefined),
  });
}
