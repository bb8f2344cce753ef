import type { MessageId } from '../chat/message.ts';
import { droppedByHand } from '../compaction/byHand.ts';
import type { CompactionResult, Trigger } from '../compaction/compaction.ts';
import type { CompactionRun, NoteEdit, WrittenNotes } from '../compaction/compactionRun.ts';
import { finishRun, runCompaction } from '../compaction/compactor.ts';
import { LEAST_GAIN } from '../compaction/laws.ts';
import { describePreview, problemOf, rebase } from '../compaction/preview/preview.ts';
import type { StrategySettings } from '../compaction/strategy.ts';
import { leaveOut } from '../ledger/ledger.ts';
import { type Thresholds, targetTokens } from '../model/budget.ts';
import { phrase, type Words } from '../phrase.ts';
import { runInSlices } from '../steps.ts';
import { isSameBasis } from './compactedView.ts';
import type { CompactRequest, PreparedPreview } from './conversationOptions.ts';
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
    index: parts.recaller.index,
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

/** A request for a run that is shown before it is recorded. */
export interface PreviewRequest extends Omit<CompactRequest, 'preview'> {
  readonly edits?: readonly NoteEdit[];
  /** Messages to set aside although the run would keep them. */
  readonly aside?: readonly MessageId[];
  /** The preview that this one replaces; the notes that a model wrote for it are reused where they fit. */
  readonly earlier?: PreparedPreview | undefined;
}

/** The result of a preview: a run that can be applied, or the reason why there is none. */
export type PreviewOutcome =
  | { readonly kind: 'previewed'; readonly preview: PreparedPreview }
  | Exclude<CompactionResult, { kind: 'compacted' }>;

/** Makes a run without recording it. `ahead`: what was written ahead for this view. */
export async function preparePreview(
  { edits, aside = [], earlier, signal, ...request }: PreviewRequest,
  parts: ConversationParts,
  ahead: WrittenNotes | undefined,
): Promise<PreviewOutcome> {
  const { view, options } = parts;
  const basis = view.basis();
  const isOf = earlier !== undefined && isSameBasis(earlier.basis, basis);
  const before = earlier?.made.written;
  const run = {
    ...makeRun({ ...request, signal }, parts),
    edits,
    aside: aside.length > 0 ? new Set(aside) : undefined,
    prepared: isOf || before === undefined ? (before ?? ahead) : { ...before, notes: [] },
  };
  const { result, made } = await runCompaction(run, options.ports);
  if (made === undefined || result.kind === 'cancelled')
    return result.kind === 'compacted' ? { kind: 'cancelled', strategy: run.strategy } : result;
  const preview: PreparedPreview = {
    shown: describePreview(made, result, run, { pins: view.pins, upTo: request.upTo }),
    request,
    made,
    basis,
  };
  return { kind: 'previewed', preview };
}

const STALE = phrase('preview.stale');

/** Applies a preview to the present conversation and checks it again, as if it had just been made. */
export async function finishPreview(
  { made, basis }: PreparedPreview,
  run: CompactionRun,
  { view, options }: Pick<ConversationParts, 'view' | 'options'>,
): Promise<CompactionResult> {
  const { ports } = options;
  const stale = (message: Words): CompactionResult => {
    return { kind: 'failed', strategy: made.strategy.id, error: { kind: 'stale-preview', message } };
  };
  if (!isSameBasis(basis, view.basis())) return stale(STALE);
  await runInSlices(run.ledger.read(run.transcript.blocks), ports);
  const now = await runInSlices(rebase(made, run), ports);
  if (now === undefined) return stale(STALE);
  const result = await finishRun(run, now, ports);
  const problem = problemOf(result);
  if (problem === undefined) return result;
  return stale(phrase('preview.broken', problem));
}
