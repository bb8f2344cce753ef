import { extractInSteps } from '../ledger/createLedger.ts';
import type { Ledger } from '../ledger/ledger.ts';
import type { MessageId } from '../messages/message.ts';
import type { Transcript } from '../messages/transcript.ts';
import type { ViewItem } from '../messages/view.ts';
import type { Compaction, RecordedReplacement, StrategyId, Trigger } from './compaction.ts';
import { type CountMessage, type Draft, startDraft } from './draft.ts';
import { fillNotes } from './fillNotes.ts';
import { findBrokenLaw, LEAST_GAIN } from './laws.ts';
import { makeReceipt } from './makeReceipt.ts';
import { type CompactionError, type CompactionResult, describeSkip, type SkipReason } from './outcome.ts';
import { renewState } from './stateNote.ts';
import { runInSlices, type Steps } from './steps.ts';
import { STRATEGIES } from './strategies.ts';
import type { Plan, Strategy } from './strategy.ts';
import type { StrategySettings } from './strategySettings.ts';
import type { Summarizer } from './summarizers/summarizer.ts';

/** One run: what to compact, how, and how far. Token figures are of the view's messages. */
export interface CompactionRun {
  readonly strategy: StrategyId;
  readonly fallback?: StrategyId;
  readonly trigger: Trigger;
  readonly transcript: Transcript;
  readonly items: readonly ViewItem<RecordedReplacement>[];
  readonly pins: ReadonlySet<MessageId>;
  readonly request: MessageId | undefined;
  readonly humans: ReadonlySet<MessageId>;
  readonly ledger: Ledger;
  readonly count: CountMessage;
  readonly countText: (text: string) => number;
  readonly target: number;
  readonly limit: number;
  readonly settings: StrategySettings;
  readonly summarizer?: Summarizer;
  readonly signal: AbortSignal;
}

/** The outside that a run needs: an unguessable id and clocks (milliseconds). */
export interface CompactorPorts {
  newId(): string;
  /** Wall time. */
  now(): number;
  /** A clock for durations. */
  elapsed(): number;
  /** Gives way to everything else that waits to run. */
  pause(): Promise<void>;
}

/** The share of the limit that a state note may take; see `stateNote.ts`. */
const STATE_SHARE = 0.4;

/**
 * Plans, acts, checks the laws and returns what is to be recorded. Changes nothing itself, so a failed, skipped or
 * cancelled run leaves everything as it was (law 9). A fallback runs only when one is named, and the result says so.
 */
export async function runCompaction(run: CompactionRun, ports: CompactorPorts): Promise<CompactionResult> {
  const first = await runStrategy(run, STRATEGIES[run.strategy], ports);
  if (first.kind === 'compacted' || first.kind === 'cancelled') return first;
  if (run.fallback === undefined || run.fallback === run.strategy || !deservesFallback(first)) return first;
  const second = await runStrategy(run, STRATEGIES[run.fallback], ports, run.strategy);
  return second.kind === 'compacted' || second.kind === 'cancelled' ? second : first;
}

/** Brings the ledger up to date, one extractor of a block at a time. */
function* readLedger(run: CompactionRun): Steps<void> {
  const { blocks } = run.transcript;
  for (let index = run.ledger.blocksRead; index < blocks.length; index += 1) {
    const block = blocks[index];
    if (block !== undefined && !(block.kind === 'tools' && block.open)) yield* extractInSteps(block, blocks[index + 1]);
  }
  run.ledger.update(blocks);
}

/** A skip that says there is nothing to gain is no failure of the strategy. */
function deservesFallback(result: CompactionResult): boolean {
  return (
    result.kind === 'failed' ||
    (result.kind === 'skipped' && result.reason !== 'empty' && result.reason !== 'already-under-target')
  );
}

async function runStrategy(
  run: CompactionRun,
  strategy: Strategy,
  ports: CompactorPorts,
  fellBackFrom?: StrategyId,
): Promise<CompactionResult> {
  const started = ports.elapsed();
  const skip = (reason: SkipReason): CompactionResult => ({
    kind: 'skipped',
    strategy: strategy.id,
    reason,
    message: describeSkip(reason),
  });
  const fail = (error: CompactionError): CompactionResult => ({ kind: 'failed', strategy: strategy.id, error });
  if (run.transcript.messages.length === 0) return skip('empty');
  if (strategy.model === 'required' && run.summarizer === undefined) {
    return fail({
      kind: 'no-summarizer',
      message: `Strategy ${strategy.id} needs a model to write its notes, and none is set. Set karl.summary.model and karl.baseUrl, or choose a strategy without a model.`,
    });
  }
  const before = startDraft(run);
  const mark = ports.newId();
  await runInSlices(readLedger(run), ports);
  const planning = strategy.plan({
    draft: before,
    target: run.target,
    limit: run.limit,
    ledger: run.ledger,
    mark,
    settings: run.settings,
    canSummarize: run.summarizer !== undefined,
  });
  const planned = await runInSlices(planning, ports);
  if (!planned.ok) return skip(planned.error);
  const acted = await act(run, strategy, planned.value, ports, mark);
  if (acted.kind === 'cancelled' || run.signal.aborted) return { kind: 'cancelled', strategy: strategy.id };
  if (acted.kind === 'failed') return fail({ kind: 'summarizer-failed', message: acted.message });
  const { after } = acted;
  if (before.tokens - after.tokens < before.tokens * LEAST_GAIN) return skip('gain-too-small');
  const laws = findBrokenLaw({
    before,
    after,
    ledger: run.ledger,
    promise: strategy.promise,
    stateRoom: run.limit * STATE_SHARE,
  });
  const broken = await runInSlices(laws, ports);
  if (broken !== undefined) return fail({ kind: 'law-broken', message: broken });
  const writing = makeReceipt({
    strategy: strategy.id,
    promise: strategy.promise,
    before,
    after,
    ledger: run.ledger,
    rungs: acted.rungs,
    repaired: acted.repaired,
    rejected: acted.rejected,
    modelCalls: acted.calls,
    ms: ports.elapsed() - started,
    limit: run.limit,
    ...(acted.calls > 0 && run.summarizer !== undefined && { model: run.summarizer.model }),
    ...(fellBackFrom !== undefined && { fellBackFrom }),
  });
  const receipt = await runInSlices(writing, ports);
  if (run.signal.aborted) return { kind: 'cancelled', strategy: strategy.id };
  const compaction: Compaction = {
    id: mark,
    at: ports.now(),
    strategy: strategy.id,
    trigger: run.trigger,
    transcriptLength: run.transcript.messages.length,
    replacements: after.replacements(),
    receipt,
  };
  return {
    kind: 'compacted',
    compaction,
    receipt,
    reachedTarget: after.tokens <= run.target,
    ...(fellBackFrom !== undefined && { fellBackFrom }),
  };
}

type Acted =
  | {
      readonly kind: 'done';
      readonly after: Draft;
      readonly rungs: readonly string[];
      readonly calls: number;
      readonly repaired: readonly string[];
      readonly rejected: readonly string[];
    }
  | { readonly kind: 'failed'; readonly message: string }
  | { readonly kind: 'cancelled' };

/** Carries a plan out: asks the model for the ordered notes, or leaves the deterministic plan as it is. */
async function act(
  run: CompactionRun,
  strategy: Strategy,
  plan: Plan,
  ports: CompactorPorts,
  mark: string,
): Promise<Acted> {
  if (plan.orders.length === 0 || run.summarizer === undefined) {
    return { kind: 'done', after: plan.draft, rungs: plan.rungs, calls: 0, repaired: [], rejected: [] };
  }
  const filled = await fillNotes({
    plan,
    ledger: run.ledger,
    mark,
    summarizer: run.summarizer,
    countText: run.countText,
    signal: run.signal,
    run: (steps) => runInSlices(steps, ports),
  });
  if (filled.kind === 'cancelled') return filled;
  if (filled.kind === 'failed') {
    return plan.without === undefined
      ? filled
      : {
          kind: 'done',
          after: plan.without.draft,
          rungs: plan.without.rungs,
          calls: 1,
          repaired: [],
          rejected: [filled.message],
        };
  }
  const { calls, rejected } = filled;
  if (filled.written === 0 && plan.without !== undefined) {
    return { kind: 'done', after: plan.without.draft, rungs: plan.without.rungs, calls, repaired: [], rejected };
  }
  const after =
    strategy.promise === 'facts-in-view'
      ? await runInSlices(renewState(filled.draft, { ledger: run.ledger, mark, limit: run.limit }), ports)
      : filled.draft;
  return { kind: 'done', after, rungs: plan.rungs, calls, repaired: filled.repaired, rejected };
}
