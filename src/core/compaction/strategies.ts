import { ok } from '../result.ts';
import type { StrategyId, Trigger } from './compaction.ts';
import { actionTrace } from './strategies/actionTrace.ts';
import { adaptive, planLadder } from './strategies/adaptive.ts';
import { extractive, heuristic, karl, sandwich } from './strategies/noting.ts';
import type { Strategy } from './strategy.ts';

/** Where a run starts for one of these, the next request would not fit, or did not. */
const MUST_FIT: readonly Trigger[] = ['hard-limit', 'overflow', 'smaller-model'];

/** True for triggers after whose run the request must fit. */
export function mustFit(trigger: Trigger): boolean {
  return MUST_FIT.includes(trigger);
}

/** A strategy that holds the budget: where the request must fit, the ladder frees what the strategy could not. */
function holding(strategy: Strategy): Strategy {
  return {
    ...strategy,
    *plan(input) {
      const own = yield* strategy.plan(input);
      if (!own.ok || !mustFit(input.trigger) || own.value.draft.tokens <= input.target) return own;
      const { draft, orders } = own.value;
      const rest = yield* planLadder({ ...input, draft, canSummarize: false, narratives: [] });
      return rest.ok ? ok({ ...own.value, ...rest.value, orders, ownTokens: draft.tokens }) : own;
    },
  };
}

/** Every strategy by its id. */
export const STRATEGIES: Readonly<Record<StrategyId, Strategy>> = {
  adaptive,
  heuristic: holding(heuristic),
  karl: holding(karl),
  sandwich: holding(sandwich),
  extractive: holding(extractive),
  'action-trace': holding(actionTrace),
};
