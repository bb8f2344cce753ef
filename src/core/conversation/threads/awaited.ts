import type { ChatMessage } from '../../messages/chat.ts';
import type { Fingerprint } from './fingerprint.ts';

/** A reply that was sent to a client and has not come back yet. */
export interface Awaited {
  readonly print: Fingerprint;
  /** As the client got it. */
  readonly sent: ChatMessage;
  /** What the transcript records for it; empty when that is the client's copy. */
  readonly recorded: readonly ChatMessage[];
}

/**
 * The reply that came back, and where. Recognised by its fingerprint or, in the newest reply, by its calls, since
 * clients may change its text.
 */
export function findReply(
  awaited: readonly Awaited[],
  messages: readonly ChatMessage[],
  prints: readonly Fingerprint[],
): { readonly index: number; readonly reply: Awaited } | undefined {
  if (awaited.length === 0) return undefined;
  const newest = messages.findLastIndex(({ role }) => role === 'assistant');
  for (let index = newest; index >= 0 && index > newest - MOST_SAID; index -= 1) {
    const [print, message] = [prints[index], messages[index]];
    if (message?.role !== 'assistant') continue;
    const isSame = (one: Awaited) => one.print === print || (index === newest && haveSameCalls(one.sent, message));
    const reply = awaited.find(isSame);
    if (reply !== undefined) return { index, reply };
  }
  return undefined;
}

/** Only this many messages back from the newest reply are searched. */
const MOST_SAID = 64;

function haveSameCalls(one: ChatMessage, other: ChatMessage): boolean {
  const [ids, others] = [one, other].map(({ tool_calls: calls = [] }) => calls.map(({ id }) => id).join('\n'));
  return ids !== '' && ids === others;
}
