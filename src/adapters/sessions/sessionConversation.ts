import { stat } from 'node:fs/promises';
import path from 'node:path';
import { parseMessage } from '../../core/messages/parse.ts';
import { Transcript } from '../../core/messages/transcript.ts';
import { ok, type Result } from '../../core/result.ts';
import type { ReadableConversations } from '../../core/session/readers.ts';
import { recallStored } from '../../core/session/recallTool.ts';
import { CONVERSATION_PORTS } from '../node/slices.ts';
import { tryReadSession } from './readSession.ts';
import { StandIns } from './standIns.ts';

/**
 * Reads the stored session of an agent as the only conversation that can be read: `t41` is its message 41. The error is
 * one sentence.
 */
export async function openSession(file: string): Promise<Result<ReadableConversations, string>> {
  const read = await tryReadSession(file, { standIns: new StandIns() });
  if (!read.ok) return read;
  const { id: own = path.basename(file), title = path.basename(file), agent: client, messages } = read.value;
  const { mtimeMs: updatedAt } = await stat(file.replace(/#[^/\\]*$/, ''));
  const transcript = new Transcript();
  for (const [at, message] of messages.entries()) transcript.append(parseMessage(message, at));
  // One for all recalls: its index is made once.
  const source = recallStored(transcript, CONVERSATION_PORTS);
  const release = async () => undefined;
  return ok({
    list: async () => [{ id: own, title, updatedAt, client }],
    open: async (id = own) => (id === own ? { id, title, source, isLive: false, release } : undefined),
  });
}
