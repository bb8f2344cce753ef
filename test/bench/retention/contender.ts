import type { ChatMessage } from '../../../src/core/messages/chat.ts';
import type { StrategyId } from '../../../src/engine.ts';
import { type Conversation, openConversation } from '../../../src/engine.ts';
import { type Hostile, makeHostile } from './baselines/hostile.ts';
import type { Outcome } from './score.ts';

/** A way to shorten a conversation to a number of tokens. */
export interface Contender {
  readonly id: string;
  run(messages: readonly ChatMessage[], targetTokens: number): Promise<Outcome>;
}

/** A hanging summarizer is given up after this, milliseconds. */
const PATIENCE = 300;

/** A model large enough for every generated transcript, and for a real session of 800k tokens. */
const WINDOW = 1_000_000;

/** A conversation of the engine under test; nothing is compacted yet. */
export function openUnderTest(
  messages: readonly ChatMessage[],
  strategy: StrategyId,
  summarizer?: Hostile,
): Conversation {
  const conversation = openConversation({
    profile: {
      id: 'bench',
      provider: 'bench',
      baseUrl: '',
      contextWindow: WINDOW,
      completionReserve: 4096,
      timeoutMs: 60_000,
      tools: true,
      envelope: 'standard',
      extra: {},
    },
    strategy,
    ...(summarizer !== undefined && { summarize: summarizer.summarize }),
  });
  conversation.append(messages);
  return conversation;
}

/** Compacts once and tells what is left. */
export async function compactOnce(
  conversation: Conversation,
  targetTokens: number,
  summarizer?: Hostile,
): Promise<Outcome> {
  // Counting is not part of the rungs' time: the view is counted before.
  conversation.budget();
  const patience = new AbortController();
  const timer = summarizer?.id.startsWith('hangs') ? setTimeout(() => patience.abort(), PATIENCE) : undefined;
  const started = process.threadCpuUsage();
  const report = await conversation.compact({ targetTokens, signal: patience.signal });
  const { user, system } = process.threadCpuUsage(started);
  const milliseconds = (user + system) / 1_000;
  clearTimeout(timer);
  return {
    view: conversation.view(),
    recall: (handle) => conversation.recall(handle),
    shown: summarizer?.shown.join('\n') ?? '',
    milliseconds,
    modelCalls: summarizer?.calls ?? 0,
    ...(report.kind !== 'compacted' && { remark: `${report.kind}: ${report.reason ?? ''}`.replace(/: $/, '') }),
  };
}

/** A strategy of Karl, with a stand-in for the model or without any. */
export function karlContender(strategy: StrategyId, hostile?: string): Contender {
  return {
    id: hostile === undefined ? strategy : `${strategy} + ${hostile}`,
    run: async (messages, targetTokens) => {
      const summarizer = hostile === undefined ? undefined : makeHostile(hostile);
      return compactOnce(openUnderTest(messages, strategy, summarizer), targetTokens, summarizer);
    },
  };
}
