import type { ChatMessage } from '../../messages/chat.ts';

/**
 * The field by which clients mark messages for their provider's prompt cache. Marks move with each request, so the
 * transcript has none: what was sent once stays identical, byte for byte.
 */
const MARK = 'cache_control';

/** The message without marks; the same object when it has none. */
export function withoutMarks(message: ChatMessage): ChatMessage {
  if (!isMarked(message)) return message;
  const { [MARK]: _, ...rest } = message;
  const { content } = rest;
  if (!Array.isArray(content)) return rest as ChatMessage;
  const parts = content.map(({ [MARK]: __, ...part }) => part);
  return { ...rest, content: parts } as ChatMessage;
}

/** True when the message or a part of it is marked. */
export function isMarked(message: ChatMessage): boolean {
  const { content } = message;
  return message[MARK] !== undefined || (typeof content === 'object' && content?.some((part) => MARK in part) === true);
}
