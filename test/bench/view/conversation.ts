import { createExactCounter, findRanks } from '../../../src/adapters/tiktoken/ranks.ts';
import { Conversation } from '../../../src/core/conversation/conversation.ts';
import type { ChatMessage } from '../../../src/core/messages/chat.ts';
import { NEWEST, type Shown } from '../../../src/host/present/entries.ts';
import { presentView } from '../../../src/host/present/presenter.ts';
import type { StreamingReply } from '../../../src/host/present/unsent.ts';
import type { ViewState } from '../../../src/protocol/viewState.ts';
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
  const profile = { id: 'bench', provider: 'bench', baseUrl: '', timeoutMs: 60_000, tools: true, extra: {} } as const;
  const conversation = new Conversation({
    profile: { ...profile, envelope: 'standard', contextWindow: 40_000_000, completionReserve: 256 },
    counter: createExactCounter('o200k_base', findRanks()),
    ports: {
      newId: () => 'bench',
      now: () => Date.now(),
      elapsed: () => performance.now(),
      pause: () => new Promise((resolve) => setImmediate(resolve)),
    },
  });
  for (let index = 0; index < messages; index += 1) conversation.append([makeMessage(index)]);
  conversation.budget();
  return conversation;
}

function makeMessage(index: number): ChatMessage {
  const message = WORK(index);
  if (message.role === 'tool') return { ...message, content: String(message.content).repeat(2) };
  return message.role === 'assistant' && index % 4 === 0 ? { ...message, content: REPLY } : message;
}

/** What the view is sent of it: this many of the newest rows, and a reply that streams in. */
export function snapshot(
  conversation: Conversation,
  { revision = 1, shown = NEWEST, streaming }: { revision?: number; shown?: Shown; streaming?: StreamingReply } = {},
): ViewState {
  return presentView({
    revision,
    notices: [],
    open: {
      id: 'bench',
      title: 'A long day',
      model: 'bench',
      conversation,
      count: (message) => conversation.tokensOf(message).tokens,
      toolTokens: conversation.toolTokens().tokens,
      mode: 'automatic',
      activity: streaming === undefined ? { kind: 'idle' } : { kind: 'model', label: 'bench' },
      queued: [],
      shows: 'history',
      shown,
      ...(streaming !== undefined && { streaming }),
    },
  });
}
