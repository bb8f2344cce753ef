import type { Budget } from '../budget/budget.ts';
import { type Thresholds, targetTokens } from '../budget/thresholds.ts';
import { droppedByHand } from '../compaction/byHand/withEdits.ts';
import type { Trigger } from '../compaction/compaction.ts';
import type { CompactionRun } from '../compaction/compactionRun.ts';
import { LEAST_GAIN } from '../compaction/laws.ts';
import type { StrategySettings } from '../compaction/strategySettings.ts';
import { leaveOut } from '../ledger/leaveOut.ts';
import type { MessageId } from '../messages/message.ts';
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

/** A run up to a message aims at no more than it may touch, and at a gain that is surely enough. */
const MOST_LEFT = 1 - 1.5 * LEAST_GAIN;

/**
 * What a run aims at: the target, or half of what the messages take; up to a message, half of those before it where the
 * target asks for more. `later`: tokens that stay because they are behind that message.
 */
function aimOf(
  request: CompactRequest,
  { target, used, later }: Record<'target' | 'used' | 'later', number>,
): Pick<CompactionRun, 'aim' | 'target'> {
  if (request.targetTokens !== undefined) return { aim: 'target', target: request.targetTokens };
  if (later > 0) {
    const half = Math.max(target, later + (used - later) / 2);
    return { aim: half === target ? 'target' : 'half', target: Math.floor(Math.min(used * MOST_LEFT, half)) };
  }
  if (!REGARDLESS.includes(request.trigger) || used * (1 - LEAST_GAIN) > target) return { aim: 'target', target };
  return { aim: 'half', target: Math.max(1, Math.floor(used / 2)) };
}

function laterTokens({ upTo }: CompactRequest, items: CompactionRun['items'], meter: RequestMeter): number {
  if (upTo === undefined) return 0;
  const later = items.filter(({ range }) => range.to >= upTo);
  return later.reduce((sum, item) => item.messages.reduce((part, one) => part + meter.message(one).tokens, sum), 0);
}

/** What the user keeps whole in a run. */
export function keptBy({ keep = [] }: Pick<CompactRequest, 'keep'>): ReadonlySet<MessageId> {
  return new Set(keep);
}

/** What is pinned, kept by the user in this run, or behind the message up to which it goes. */
function frozenBy(request: CompactRequest, pins: ReadonlySet<MessageId>, end: MessageId): ReadonlySet<MessageId> {
  const { upTo = end } = request;
  const later = Array.from({ length: Math.max(0, end - upTo) }, (_, index) => upTo + index);
  const kept = keptBy(request);
  return kept.size + later.length === 0 ? pins : new Set([...pins, ...kept, ...later]);
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
    ledger: leaveOut(sources.ledger, droppedByHand(view.compactions)),
    ...meter.counting,
    countText: (text) => exact.count(text).tokens,
    margin: exact.onCorrected === undefined ? 0 : ESTIMATE_MARGIN,
    strategy: request.strategy ?? strategy,
    trigger,
    ...(request.instructions !== undefined && { instructions: request.instructions }),
    items: view.itemsAsRead(),
    pins: frozenBy(request, view.pins, sources.transcript.nextId),
    keep: keptBy(request),
    request: humans.request,
    humans: humans.older,
    ...aimOf(request, {
      target: meter.roomFor(targetTokens(thresholds, budget.limit), tools),
      used: measured.sum().tokens,
      later: laterTokens(request, view.items(), meter),
    }),
    limit: meter.roomFor(budget.limit, tools),
    gauge: { limit: budget.limit, tools: meter.tools(tools).tokens, ...meter.gauge(tools) },
    settled: async () => counter.settled?.(),
    settings: settingsFor(trigger, settings, thresholds),
    signal: request.signal ?? new AbortController().signal,
    ...(summarizer !== undefined && { summarizer }),
    ...(fallback !== undefined && { fallback }),
  };
}
