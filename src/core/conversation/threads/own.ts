import { type ChatMessage, withoutOwn } from '../../messages/chat.ts';
import type { Conversation } from '../conversation.ts';
import { asSent, visibleIds } from './known.ts';
import { isSameMessage, withoutMarks } from './sameMessage.ts';
import type { SplitRequest } from './splitRequest.ts';

/**
 * Whether everything that a conversation could send comes from a request (law 11, *own*): what the client knows of the
 * transcript is the request, message by message, and no record was made from more. Looks at nothing that the search for
 * the thread has found out.
 */
export function isOwn(conversation: Conversation, { messages }: SplitRequest): boolean {
  const raw = conversation.transcript.messages.map(({ wire }) => wire);
  const ids = visibleIds(raw);
  return (
    ids.length === messages.length &&
    messages.every((message, index) => isSameMessage(asSent(raw, ids[index] ?? -1), message)) &&
    conversation.compactions().every(({ transcriptLength }) => transcriptLength <= raw.length)
  );
}

/**
 * A view with the client's own objects in the place of the messages that are sent whole: what a client changed without
 * changing what a message says (marks for its provider's cache, reasoning, fields that Karl does not know) goes as it
 * came last.
 */
export function withClientMessages(
  view: readonly ChatMessage[],
  { transcript }: Conversation,
  { messages }: SplitRequest,
): readonly ChatMessage[] {
  const raw = transcript.messages.map(({ wire }) => wire);
  const own = new Map<ChatMessage, ChatMessage>();
  for (const [index, id] of visibleIds(raw).entries()) {
    const [wire, message] = [raw[id], messages[index]];
    // A reply whose own calls Karl took out is sent with them: their results follow it.
    if (wire === undefined || message === undefined || wire === message || asSent(raw, id) !== wire) continue;
    own.set(wire, message);
  }
  return own.size === 0 ? view : view.map((message) => own.get(message) ?? message);
}

/** The messages of a transcript for the messages of a client. */
export function toTranscript(messages: readonly ChatMessage[]): ChatMessage[] {
  return messages.map((message) => withoutMarks(withoutOwn(message)));
}
