import type { StoredSession } from '../../adapters/sessions/session.ts';
import { parseMessage } from '../../core/chat/parse.ts';
import { Transcript } from '../../core/chat/transcript.ts';
import { recordAgents } from '../../core/conversation/agentRecords.ts';
import type { ConversationDetails } from '../../core/session/conversationStore.ts';
import { eachInSteps, runInSlices, type Steps } from '../../core/steps.ts';
import type { TextCounter } from '../../core/tokens/counter.ts';
import { MessageCounter } from '../../core/tokens/messageTokens.ts';
import { CONVERSATION_PORTS } from './system.ts';

/** The file of a session, from what was stored as `session`; undefined if that is not valid. */
export function parseSessionFile(stored: unknown): string | undefined {
  const { file }: { readonly file?: unknown } = Object(stored);
  return typeof file === 'string' ? file : undefined;
}

type Recorded = Pick<StoredSession, 'agentTitle' | 'messages' | 'compactions'>;

/**
 * The details of a conversation that is opened from a session, with records of what its agent compacted itself. Rejects
 * with the reason of the signal.
 */
export async function recordSession(
  file: string,
  session: Recorded,
  { counter, signal }: { readonly counter: TextCounter; readonly signal: AbortSignal },
): Promise<ConversationDetails> {
  const pause = async () => {
    signal.throwIfAborted();
    await CONVERSATION_PORTS.pause();
  };
  await counter.loaded;
  return await runInSlices(record(file, session, counter), { ...CONVERSATION_PORTS, pause });
}

function* record(file: string, session: Recorded, counter: TextCounter): Steps<ConversationDetails> {
  const { agentTitle, messages, compactions } = session;
  const counting = new MessageCounter(counter);
  const transcript = new Transcript();
  yield* eachInSteps(messages, (message) => transcript.append(parseMessage(message, transcript.nextId)));
  const records = yield* recordAgents(transcript.messages, compactions, agentTitle, {
    newId: CONVERSATION_PORTS.newId,
    now: CONVERSATION_PORTS.now,
    count: (message) => counting.countExactly(message).tokens,
    countAhead: (message) => counting.countAhead(message),
  });
  return { compactions: records, pins: [], state: { session: { file } } };
}
