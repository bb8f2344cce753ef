import { recordAgents } from '../../core/conversation/agentRecords.ts';
import type { ChatMessage } from '../../core/messages/chat.ts';
import { parseMessage } from '../../core/messages/parse.ts';
import type { ConversationDetails } from '../../core/session/conversationStore.ts';
import { runInSlices } from '../../core/steps.ts';
import type { TextCounter } from '../../core/tokens/counter.ts';
import { MessageCounter } from '../../core/tokens/messageTokens.ts';
import type { SessionContent } from '../adapters.ts';
import { CONVERSATION_PORTS } from './system.ts';

/** The stored session of an agent from which a conversation was opened. */
export interface SessionOrigin {
  readonly file: string;
  /** The name of its format. */
  readonly agent: string;
}

/** An origin that was stored; undefined for anything else. */
export function parseSessionOrigin(stored: unknown): SessionOrigin | undefined {
  const { file, agent }: { readonly file?: unknown; readonly agent?: unknown } = Object(stored);
  return typeof file === 'string' && typeof agent === 'string' ? { file, agent } : undefined;
}

/** What a conversation begins with that is opened from a session: what its agent compacted itself is on record. */
export async function detailsOfSession(
  file: string,
  { agent, agentTitle, messages, compactions }: Omit<SessionContent, 'title' | 'repairs'>,
  counter: TextCounter,
): Promise<ConversationDetails> {
  const counting = new MessageCounter(counter).exactly;
  const parsed = messages.map((message, at) => parseMessage(message, at));
  const ports = {
    ...CONVERSATION_PORTS,
    count: (message: ChatMessage) => counting.count(message).tokens,
    countAhead: counting.countAhead,
  };
  const records = await runInSlices(recordAgents(parsed, compactions, agentTitle, ports), CONVERSATION_PORTS);
  return { compactions: records, pins: [], state: { session: { file, agent } } };
}
