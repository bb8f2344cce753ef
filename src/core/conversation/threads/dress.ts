import type { ChatMessage } from '../../messages/chat.ts';
import { contentText } from '../../messages/parse.ts';
import type { Conversation } from '../conversation.ts';
import type { Known } from './known.ts';
import { isMarked } from './marks.ts';

/**
 * Returns a function that prepares a view to be sent: it puts the client's marks for its provider's cache back on the
 * messages that had them.
 */
export function dresser(
  messages: readonly ChatMessage[],
  known: readonly Known[],
  { transcript }: Conversation,
): (view: readonly ChatMessage[]) => readonly ChatMessage[] {
  const marked = new Map<ChatMessage, ChatMessage>();
  for (let index = 0; index < messages.length; index += 1) {
    const message = messages[index];
    const wire = transcript.messages[known[index]?.id ?? -1]?.wire;
    // The transcript has no marks, so an unmarked or identical message needs nothing.
    if (message === undefined || wire === undefined || wire === message || !isMarked(message)) continue;
    if (isSame(wire, message)) marked.set(wire, { ...wire, ...marks(message) });
  }
  return (view) => (marked.size === 0 ? view : view.map((message) => marked.get(message) ?? message));
}

function marks({ role: _, tool_calls: __, tool_call_id: ___, ...rest }: ChatMessage): Partial<ChatMessage> {
  return rest;
}

function isSame(wire: ChatMessage, message: ChatMessage): boolean {
  return contentText(wire).trimEnd() === contentText(message).trimEnd();
}
