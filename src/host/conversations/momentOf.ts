import type { HistoryMoment } from '../../core/conversation/tokenHistory.ts';
import type { KarlEvent } from '../../core/events/event.ts';
import { triggerTokens } from '../../core/model/budget.ts';
import type { ActiveConversation } from './activeConversation.ts';

/** Where a conversation is when something happens to it, for its history of tokens. */
export function momentOf({ conversation }: ActiveConversation, event: KarlEvent): HistoryMoment {
  const budget = conversation.budget();
  const { limit } = event.type === 'request-answered' ? event : budget;
  const trigger = triggerTokens(conversation.thresholds(), { ...budget, limit });
  return { at: Date.now(), messages: conversation.transcript.messages.length, trigger };
}
