import { fence, PLANNED_MARK, withMark } from '../messages/fence.ts';
import { runInSlices } from '../steps.ts';
import { act } from './act.ts';
import type { RunRecord } from './compaction.ts';
import { type CompactionRun, type CompactorPorts, planRun } from './compactionRun.ts';
import { findBrokenLaw, LEAST_GAIN } from './laws.ts';
import { makeReceipt } from './makeReceipt.ts';
import { addUse, MeteredSummarizer, type ModelUse } from './modelUse.ts';
import { STATE_SHARE } from './notes/state.ts';
import { type CompactionError, type CompactionResult, describeSkip, type Skip } from './outcome.ts';
import type { Receipt } from './receipt.ts';
import { STRATEGIES } from './strategies.ts';
import type { Strategy } from './strategy.ts';
import { untilAborted } from './untilAborted.ts';

/**
 * Plans, acts, checks the laws and returns what is to be recorded. Changes nothing itself, so a failed, skipped or
 * cancelled run leaves everything as it was (law 9). A fallback runs only when one is named, and the result says so.
 */
export async function runCompaction(run: CompactionRun, ports: CompactorPorts): Promise<CompactionResult> {
  const meter = run.summarizer === undefined ? undefined : new MeteredSummarizer(run.summarizer);
  const metered = meter === undefined ? run : { ...run, summarizer: meter };
  const ahead = run.prepared?.use;
  const first = await runStrategy(metered, { strategy: STRATEGIES[run.strategy], meter, ahead }, ports);
  if (first.kind === 'compacted' || first.kind === 'cancelled') return first;
  if (run.fallback === undefined || run.fallback === run.strategy || !deservesFallback(first)) return first;
  const reason = first.kind === 'failed' ? first.error.message : first.message;
  const fellBack = { fellBackFrom: run.strategy, fellBackBecause: reason };
  const attempt: Attempt = { strategy: STRATEGIES[run.fallback], meter, ahead, fellBack };
  const { prepared: _, ...anew } = metered;
  const second = await runStrategy(anew, attempt, ports);
  return second.kind === 'compacted' || second.kind === 'cancelled' ? second : first;
}

/** Unguessable ids differ in tokens: of a few the first that is no longer than the mark of the plan. */
const MOST_IDS = 30;

function chooseMark(run: CompactionRun, ports: CompactorPorts): string {
  const most = run.count(fence(PLANNED_MARK, ''));
  let id = ports.newId();
  for (let tries = 1; tries < MOST_IDS && run.count(fence(id, '')) > most; tries += 1) id = ports.newId();
  return id;
}

/** A skip that says there is nothing to gain is no failure of the strategy. */
function deservesFallback(result: CompactionResult): boolean {
  return (
    result.kind === 'failed' ||
    (result.kind === 'skipped' && result.reason !== 'empty' && result.reason !== 'already-under-target')
  );
}

/** One try of a run. What the model was asked before counts too: the receipt has all that the run took. */
interface Attempt {
  readonly strategy: Strategy;
  readonly meter: MeteredSummarizer | undefined;
  /** What the note took that was written before the run. */
  readonly ahead: ModelUse | undefined;
  readonly fellBack?: Required<Pick<Receipt, 'fellBackFrom' | 'fellBackBecause'>>;
}

async function runStrategy(
  run: CompactionRun,
  { strategy, meter, ahead, fellBack }: Attempt,
  ports: CompactorPorts,
): Promise<CompactionResult> {
  const started = ports.elapsed();
  const skip = (why: Skip): CompactionResult => ({
    kind: 'skipped',
    strategy: strategy.id,
    ...why,
    message: describeSkip(why),
  });
  const fail = (error: CompactionError): CompactionResult => ({ kind: 'failed', strategy: strategy.id, error });
  if (run.transcript.messages.length === 0) return skip({ reason: 'empty' });
  if (strategy.model === 'required' && run.summarizer === undefined) {
    return fail({
      kind: 'no-summarizer',
      message: `Strategy ${strategy.id} needs a model to write its summaries, and none is set. Set one, or choose a strategy that needs none.`,
    });
  }
  const planned = await planRun(run, strategy, ports);
  if (!planned.ok) return skip(planned.error);
  const { input, plan } = planned.value;
  const acted = await act(run, strategy, planned.value, ports);
  if (acted.kind === 'cancelled' || run.signal.aborted) return { kind: 'cancelled', strategy: strategy.id };
  if (acted.kind === 'failed') return fail(acted.error);
  const mark = chooseMark(run, ports);
  const marked = await runInSlices(
    acted.after.map((message) => withMark(message, mark)),
    ports,
  );
  await Promise.race([run.settled(), untilAborted(run.signal)]);
  const before = await runInSlices(input.draft.recounted(), ports);
  const after = await runInSlices(marked.recounted(), ports);
  if (before.tokens - after.tokens < before.tokens * LEAST_GAIN)
    return skip({ reason: 'gain-too-small', ...(plan.cuts !== undefined && { cuts: plan.cuts }) });
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
    aim: run.aim,
    ...(run.instructions !== undefined && { instructions: run.instructions }),
    promise: strategy.promise,
    before,
    after,
    ledger: run.ledger,
    rungs: acted.rungs,
    rejected: acted.rejected,
    ...(acted.error !== undefined && { withoutNote: acted.error.message }),
    unverified: acted.unverified,
    ms: ports.elapsed() - started,
    gauge: run.gauge,
    ...(meter !== undefined && { use: ahead === undefined ? meter.use : addUse(ahead, meter.use) }),
    written: acted.narratives,
    ...(fellBack !== undefined && { fellBack }),
  });
  const receipt = await runInSlices(writing, ports);
  if (run.signal.aborted) return { kind: 'cancelled', strategy: strategy.id };
  const compaction: RunRecord = {
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
    ...(fellBack !== undefined && { fellBackFrom: fellBack.fellBackFrom }),
  };
}
