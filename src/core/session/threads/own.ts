import { type ChatMessage, type ChatTool, withoutOwn } from '../../chat/wire.ts';
import type { Conversation } from '../../conversation/conversation.ts';
import {
  clientMessages,
  isSameMessage,
  printOf,
  promptLength,
  type SplitRequest,
  withoutMarks,
} from './clientMessages.ts';

/**
 * Whether everything that a conversation could send comes from a request (law 11, *own*): what the client knows of the
 * transcript is the request, message by message; the view begins with the request's prompt; no record was made from
 * more. Does not rely on anything that the search for the thread found.
 */
export function isOwn(conversation: Conversation, { prompt, messages }: SplitRequest): boolean {
  const known = clientMessages(conversation);
  const view = conversation.viewMessages();
  return (
    known.length === messages.length &&
    known.every(({ message }, index) => isSameMessage(message, messages[index] ?? message)) &&
    promptLength(view) === prompt.length &&
    prompt.every((message, index) => isSameMessage(message, view[index] ?? message)) &&
    conversation.compactions().every(({ transcriptLength }) => transcriptLength <= conversation.transcript.nextId)
  );
}

/** The name of Karl's own tool, by which a model recalls. */
export const RECALL_TOOL = 'karl_recall';

/** Whether all tools except Karl's own are those of the request (also law 11). */
export function areOwnTools(tools: readonly ChatTool[], asked: readonly ChatTool[]): boolean {
  const prints = new Set(asked.map(printOf));
  return tools.every((tool) => prints.has(printOf(tool)) || tool.function?.name === RECALL_TOOL);
}

/**
 * A view with the client's own objects in place of the messages that are sent whole. What does not affect what a
 * message says (marks for its provider's cache, reasoning, fields that Karl does not know) is sent as it came last.
 */
export function withClientMessages(
  view: readonly ChatMessage[],
  conversation: Conversation,
  { prompt, messages }: SplitRequest,
): readonly ChatMessage[] {
  // A reply whose own calls Karl took out is another object here: it is sent with them, since their results follow it.
  const rest = clientMessages(conversation).map(({ message }) => message);
  const known = [...conversation.viewMessages().slice(0, prompt.length), ...rest];
  const own = new Map<ChatMessage, ChatMessage>();
  for (const [index, sent] of [...prompt, ...messages].entries()) {
    const message = known[index];
    if (message !== undefined && message !== sent) own.set(message, sent);
  }
  return own.size === 0 ? view : view.map((message) => own.get(message) ?? message);
}

/** The messages of a transcript for the messages of a client. */
export function toTranscript(messages: readonly ChatMessage[]): ChatMessage[] {
  return messages.map((message) => withoutMarks(withoutOwn(message)));
}
