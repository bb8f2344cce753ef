import { stat } from 'node:fs/promises';
import path from 'node:path';
import { parseMessage } from '../../core/messages/parse.ts';
import { Transcript } from '../../core/messages/transcript.ts';
import { ok, type Result } from '../../core/result.ts';
import type { Listed, Readable, ReadableConversations } from '../../core/session/readers.ts';
import { recallStored } from '../../core/session/recallTool.ts';
import { CONVERSATION_PORTS } from '../node/slices.ts';
import { tryReadSession } from './readSession.ts';
import { StandIns } from './standIns.ts';

/** The stored session of an agent as the only conversation that can be read: `t41` is its message 41. */
export class SessionConversation implements ReadableConversations {
  readonly #listed: Listed;
  /** One for all recalls: its index is made once. */
  readonly #source: Readable['source'];

  private constructor(listed: Listed, transcript: Transcript) {
    this.#listed = listed;
    this.#source = recallStored(transcript, CONVERSATION_PORTS);
  }

  /** Reads the session. The error is one sentence. */
  static async open(file: string): Promise<Result<SessionConversation, string>> {
    const read = await tryReadSession(file, { standIns: new StandIns() });
    if (!read.ok) return read;
    const { id = path.basename(file), title = path.basename(file), agent, messages } = read.value;
    const { mtimeMs } = await stat(file.replace(/#[^/\\]*$/, ''));
    const transcript = new Transcript();
    for (const [at, message] of messages.entries()) transcript.append(parseMessage(message, at));
    return ok(new SessionConversation({ id, title, updatedAt: mtimeMs, client: agent }, transcript));
  }

  async list(): Promise<readonly Listed[]> {
    return [this.#listed];
  }

  async open(id = this.#listed.id): Promise<Readable | undefined> {
    const { title } = this.#listed;
    if (id !== this.#listed.id) return undefined;
    return { id, title, source: this.#source, isLive: false, release: async () => undefined };
  }
}
