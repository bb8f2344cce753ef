import { isTraceDue } from '../compaction/strategies/actionTrace.ts';
import type { TriggerInput } from '../compaction/triggers.ts';
import type { Budget } from '../model/budget.ts';
import type { Standing } from './conversationOptions.ts';
import type { MeasuredView } from './measuredView.ts';

/** The state of a conversation now, as triggers look at it. */
export function standsAt(change: Standing, budget: Budget, measured: MeasuredView): TriggerInput {
  const { tokens, messages } = measured.sum();
  return {
    ...change,
    budget,
    size: tokens - measured.frozenTokens().fixed,
    messages,
    isTraceDue: () => isTraceDue(measured.draft(), change.settings.actionTrace),
  };
}
