import { droppedByHand } from '../compaction/byHand/withEdits.ts';
import type { Trigger } from '../compaction/compaction.ts';
import type { CompactionRun } from '../compaction/compactionRun.ts';
import { LEAST_GAIN } from '../compaction/laws.ts';
import type { StrategySettings } from '../compaction/strategy.ts';
import { leaveOut } from '../ledger/ledger.ts';
import type { MessageId } from '../messages/message.ts';
import { type Thresholds, targetTokens } from '../model/budget.ts';
import type { CompactRequest } from './conversationOptions.ts';
import type { ConversationParts } from './conversationParts.ts';
import type { RequestMeter } from './requestMeter.ts';

/** Triggers that compact even below the target; such a run aims at half of what it may change. */
const REGARDLESS: readonly Trigger[] = ['command', 'message-count'];

/** A run up to a message aims at no more than this share of the used tokens, so that its gain is large enough. */
const MOST_LEFT = 1 - 1.5 * LEAST_GAIN;

/**
 * The aim of a run: the target, or half of what it may change; for a run up to a message, the larger of the target and
 * half of what comes before. `later`: the tokens from that message on, which stay; `frozen`: those that no run changes,
 * and those that the model has not read.
 */
function aimOf(
  request: CompactRequest,
  { target, used, frozen, later }: Record<'target' | 'used' | 'frozen' | 'later', number>,
): Pick<CompactionRun, 'aim' | 'target'> {
  if (request.targetTokens !== undefined) return { aim: 'target', target };
  if (later > 0) {
    const half = Math.max(target, later + (used - later) / 2);
    return { aim: half === target ? 'target' : 'half', target: Math.floor(Math.min(used * MOST_LEFT, half)) };
  }
  const free = used - frozen;
  if (!REGARDLESS.includes(request.trigger) || used - free * LEAST_GAIN > target) return { aim: 'target', target };
  // If everything is frozen, aim below it, so that the plan says that nothing can go.
  return { aim: 'half', target: Math.max(1, Math.ceil(frozen + free / 2) - 1) };
}

function laterTokens({ upTo }: CompactRequest, items: CompactionRun['items'], meter: RequestMeter): number {
  if (upTo === undefined) return 0;
  const later = items.filter(({ range }) => range.to >= upTo);
  return later.reduce((sum, item) => item.messages.reduce((part, one) => part + meter.message(one).tokens, sum), 0);
}

/** The messages that are pinned, kept by the user in this run, or after its end. */
function frozenBy(request: CompactRequest, pins: ReadonlySet<MessageId>, end: MessageId): ReadonlySet<MessageId> {
  const { upTo = end, keep = [] } = request;
  const later = Array.from({ length: Math.max(0, end - upTo) }, (_, index) => upTo + index);
  return keep.length + later.length === 0 ? pins : new Set([...pins, ...keep, ...later]);
}

function settingsFor(trigger: Trigger, settings: StrategySettings, { keepMessages }: Thresholds): StrategySettings {
  if (trigger !== 'message-count' || keepMessages === undefined) return settings;
  return { ...settings, keepLastMessages: keepMessages };
}

/**
 * Everything a run works with. Converts target and limit from whole requests by the server's count to messages of the
 * view by Karl's count.
 */
export function makeRun(request: CompactRequest, parts: ConversationParts): CompactionRun {
  const { transcript, meter, view } = parts;
  const { counter } = parts.options;
  const { summarizer, fallback, settings, strategy, thresholds, tools } = parts.settings;
  const budget = parts.budget();
  const { trigger, targetTokens: given } = request;
  const humans = parts.humans();
  const frozen = parts.frozenTokens();
  const limit = meter.roomFor(budget.limit, tools);
  // A refusal shows that the limit was wrong.
  const most = trigger === 'overflow' ? Math.min(limit, given ?? limit) : limit;
  const exact = counter.exact?.() ?? counter;
  return {
    transcript,
    index: parts.recall.index,
    ledger: leaveOut(parts.ledger, droppedByHand(view.compactions)),
    ...meter.counting,
    countText: (text) => exact.count(text).tokens,
    strategy: request.strategy ?? strategy,
    trigger,
    instructions: request.instructions,
    items: view.itemsAsRead(),
    pins: frozenBy(request, view.pins, transcript.nextId),
    keep: new Set(request.keep),
    requests: humans.requests,
    humans: humans.older,
    unread: humans.unread,
    ...aimOf(request, {
      target:
        given === undefined
          ? meter.roomFor(targetTokens(thresholds, budget), tools)
          : Math.max(given, Math.min(most, given + frozen.unread)),
      used: parts.sum().tokens,
      frozen: frozen.fixed + frozen.unread,
      later: laterTokens(request, view.items(), meter),
    }),
    limit: most,
    gauge: { limit: budget.limit, tools: meter.tools(tools).tokens, ...meter.gauge(tools) },
    settings: settingsFor(trigger, settings, thresholds),
    signal: request.signal ?? new AbortController().signal,
    summarizer,
    fallback,
  };
}
