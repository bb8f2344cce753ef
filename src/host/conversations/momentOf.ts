import { triggerTokens } from '../../core/budget/thresholds.ts';
import type { HistoryMoment } from '../../core/conversation/tokenHistory.ts';
import type { ActiveConversation } from './activeConversation.ts';

/** Where a conversation is now, for its history of tokens. */
export function momentOf({ conversation }: ActiveConversation, model: string): HistoryMoment {
  const trigger = triggerTokens(conversation.thresholds(), conversation.budget().limit);
  return { at: Date.now(), messages: conversation.transcript.messages.length, model, trigger };
}
