import type { Budget } from '../budget/budget.ts';
import { type Thresholds, targetTokens } from '../budget/thresholds.ts';
import type { Trigger } from '../compaction/compaction.ts';
import type { CompactionRun } from '../compaction/compactionRun.ts';
import { LEAST_GAIN } from '../compaction/laws.ts';
import type { StrategySettings } from '../compaction/strategySettings.ts';
import type { TextCounter } from '../tokens/counter.ts';
import type { CompactedView } from './compactedView.ts';
import type { CompactRequest, Standing } from './conversationOptions.ts';
import type { MeasuredView } from './measuredView.ts';
import type { RequestMeter } from './requestMeter.ts';

/** Estimates of new texts are this far off at most, seen in the editor: a plan without an exact counter leaves as much of its target free. */
const ESTIMATE_MARGIN = 0.015;

/** A conversation at one moment, as far as a run needs it. */
export interface Moment extends Pick<CompactionRun, 'transcript' | 'ledger' | 'index'> {
  readonly counter: TextCounter;
  readonly meter: RequestMeter;
  readonly change: Standing;
  readonly view: CompactedView;
  readonly measured: MeasuredView;
  readonly budget: Budget;
}

/** These act whatever is used: where the target asks for less than a run must gain, they aim at half. */
const REGARDLESS: readonly Trigger[] = ['command', 'message-count'];

/** What a run aims at: the target, or half of what the messages take. */
function aimOf(request: CompactRequest, target: number, used: number): Pick<CompactionRun, 'aim' | 'target'> {
  if (request.targetTokens !== undefined) return { aim: 'target', target: request.targetTokens };
  if (!REGARDLESS.includes(request.trigger) || used * (1 - LEAST_GAIN) > target) return { aim: 'target', target };
  return { aim: 'half', target: Math.max(1, Math.floor(used / 2)) };
}

/** A run that the count of messages started keeps as many messages as the thresholds say. */
function settingsFor(trigger: Trigger, settings: StrategySettings, { keepMessages }: Thresholds): StrategySettings {
  if (trigger !== 'message-count' || keepMessages === undefined) return settings;
  return { ...settings, keepLastMessages: keepMessages };
}

/**
 * What a run works with. Target and limit are of the messages of the view as Karl counts them: the thresholds are of whole
 * requests as the server counts them.
 */
export function makeRun(request: CompactRequest, moment: Moment): CompactionRun {
  const { counter, meter, change, view, measured, budget, ...sources } = moment;
  const { summarizer, fallback, settings, strategy, thresholds, tools } = change;
  const { trigger } = request;
  const humans = measured.humans();
  const exact = counter.exact?.() ?? counter;
  return {
    ...sources,
    ...meter.counting,
    countText: (text) => exact.count(text).tokens,
    margin: exact.onCorrected === undefined ? 0 : ESTIMATE_MARGIN,
    strategy: request.strategy ?? strategy,
    trigger,
    ...(request.instructions !== undefined && { instructions: request.instructions }),
    items: view.itemsAsRead(),
    pins: view.pins,
    request: humans.request,
    humans: humans.older,
    ...aimOf(request, meter.roomFor(targetTokens(thresholds, budget.limit), tools), measured.sum().tokens),
    limit: meter.roomFor(budget.limit, tools),
    gauge: { limit: budget.limit, tools: meter.tools(tools).tokens, ...meter.gauge(tools) },
    settled: async () => counter.settled?.(),
    settings: settingsFor(trigger, settings, thresholds),
    signal: request.signal ?? new AbortController().signal,
    ...(summarizer !== undefined && { summarizer }),
    ...(fallback !== undefined && { fallback }),
  };
}
