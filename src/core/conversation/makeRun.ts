import type { Budget } from '../budget/budget.ts';
import { type Thresholds, targetTokens } from '../budget/thresholds.ts';
import type { Trigger } from '../compaction/compaction.ts';
import type { CompactionRun, Gauge } from '../compaction/compactionRun.ts';
import type { StrategySettings } from '../compaction/strategySettings.ts';
import type { TextCounter } from '../tokens/counter.ts';
import type { CompactedView } from './compactedView.ts';
import type { CompactRequest, Standing } from './conversationOptions.ts';
import type { MeasuredView } from './measuredView.ts';

/** Estimates of new texts are this far off at most, seen in the editor: a plan leaves as much of its target free. */
const ESTIMATE_MARGIN = 0.015;

/** A conversation at one moment, as far as a run needs it. */
export interface Moment extends Pick<CompactionRun, 'transcript' | 'ledger' | 'index' | 'count' | 'countAhead'> {
  readonly counter: TextCounter;
  readonly change: Standing;
  readonly view: CompactedView;
  readonly measured: MeasuredView;
  readonly budget: Budget;
  readonly thresholds: Thresholds;
  readonly toolTokens: number;
  readonly gauge: Omit<Gauge, 'limit' | 'tools'>;
}

/** What a run aims at: the target, or for the user's command below it half of what the messages take. */
function aimOf(request: CompactRequest, target: number, used: number): Pick<CompactionRun, 'aim' | 'target'> {
  if (request.targetTokens !== undefined) return { aim: 'target', target: request.targetTokens };
  if (request.trigger !== 'command' || used > target) return { aim: 'target', target };
  return { aim: 'half', target: Math.max(1, Math.floor(used / 2)) };
}

/** A run that the count of messages started keeps as many messages as the thresholds say. */
function settingsFor(trigger: Trigger, settings: StrategySettings, { keepMessages }: Thresholds): StrategySettings {
  if (trigger !== 'message-count' || keepMessages === undefined) return settings;
  return { ...settings, keepLastMessages: keepMessages };
}

/** What a run works with. Target and limit are of the messages of the view: without the tool definitions. */
export function makeRun(request: CompactRequest, moment: Moment): CompactionRun {
  const { counter, change, view, measured, budget, thresholds, toolTokens, gauge, ...sources } = moment;
  const { summarizer, fallback, settings, strategy } = change;
  const { trigger } = request;
  const humans = measured.humans();
  return {
    ...sources,
    countText: (text) => counter.count(text).tokens,
    margin: counter.onCorrected === undefined ? 0 : ESTIMATE_MARGIN,
    strategy: request.strategy ?? strategy,
    trigger,
    ...(request.instructions !== undefined && { instructions: request.instructions }),
    items: view.items(),
    pins: view.pins,
    request: humans.request,
    humans: humans.older,
    ...aimOf(request, Math.max(1, targetTokens(thresholds, budget.limit) - toolTokens), measured.sum().tokens),
    limit: Math.max(1, budget.limit - toolTokens),
    gauge: { ...gauge, limit: budget.limit, tools: toolTokens },
    settled: async () => counter.settled?.(),
    settings: settingsFor(trigger, settings, thresholds),
    signal: request.signal ?? new AbortController().signal,
    ...(summarizer !== undefined && { summarizer }),
    ...(fallback !== undefined && { fallback }),
  };
}
