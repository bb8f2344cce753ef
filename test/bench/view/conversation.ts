import { Conversation } from '../../../src/core/conversation/conversation.ts';
import type { ChatMessage } from '../../../src/core/messages/chat.ts';
import { options } from '../blocking/conversations.ts';
import { WORK } from '../blocking/messages.ts';

/** Prose, a list, a table and code, as a model answers. */
export const REPLY = `The comparison mixes **seconds** with *milliseconds*, so \`src/session/refresh.ts:41\` is always true.

1. \`expiresAt\` comes from the cookie in milliseconds
2. the clock is divided by 1000

\`\`\`ts
if (session.expiresAt < Date.now()) {
  await refresh(session); // at most once
}
\`\`\`

| run | clock | result |
| --- | --- | --- |
| local | UTC+2 | passes |
| CI | UTC | fails |
`;

/** A conversation of an agent at work: 1,000 messages have about a million tokens. */
export function makeConversation(messages: number): Conversation {
  const conversation = new Conversation(options());
  for (let index = 0; index < messages; index += 1) conversation.append([makeMessage(index)]);
  conversation.budget();
  return conversation;
}

function makeMessage(index: number): ChatMessage {
  const message = WORK(index);
  if (message.role === 'tool') return { ...message, content: String(message.content).repeat(2) };
  return message.role === 'assistant' && index % 4 === 0 ? { ...message, content: REPLY } : message;
}
