import type { StrategyId } from './compaction.ts';
import { planLadder, withLadder } from './ladder.ts';
import { actionTrace } from './strategies/actionTrace.ts';
import { extractive, heuristic, karl, sandwich } from './strategies/noting.ts';
import type { Strategy } from './strategy.ts';

/** The ladder, which is the default. Works with and without a model. */
const adaptive: Strategy = { id: 'adaptive', model: 'optional', promise: 'facts-in-view', plan: planLadder };

/** Every strategy by its id. */
export const STRATEGIES: Readonly<Record<StrategyId, Strategy>> = {
  adaptive,
  heuristic: holding(heuristic),
  karl: holding(karl),
  sandwich: holding(sandwich),
  extractive: holding(extractive),
  'action-trace': holding(actionTrace),
};

function holding(strategy: Strategy): Strategy {
  return { ...strategy, plan: withLadder(strategy.plan) };
}
