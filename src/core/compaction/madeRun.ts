import { orAborted, runInSlices } from '../steps.ts';
import type { Acted } from './act.ts';
import type { RunRecord } from './compaction.ts';
import type { CompactionRun, CompactorPorts } from './compactionRun.ts';
import type { Draft } from './draft.ts';
import { findBrokenLaw, leastGain } from './laws.ts';
import { makeReceipt } from './makeReceipt.ts';
import type { ModelUse } from './modelUse.ts';
import { type CompactionError, type CompactionResult, type Cuts, describeSkip } from './outcome.ts';
import type { Receipt } from './receipt.ts';
import type { Strategy } from './strategy.ts';

/** A run that was planned and carried out, but not yet checked and recorded. */
export interface MadeRun {
  readonly strategy: Strategy;
  /** The view as it is, and as it would become, already with the record's own mark. */
  readonly before: Draft;
  readonly after: Draft;
  /** The id of the record. */
  readonly mark: string;
  readonly acted: Extract<Acted, { kind: 'done' }>;
  readonly cuts?: Cuts;
  /** What asking a model took so far, when one could be asked. */
  readonly use?: ModelUse;
  /** Milliseconds that it took so far, without the check and the recording. */
  readonly ms: number;
  readonly fellBack?: Required<Pick<Receipt, 'fellBackFrom' | 'fellBackBecause'>>;
  /** Why the strategy that this one is the fallback of failed. */
  readonly unwritten?: CompactionError;
}

/**
 * Checks the laws and makes the record with its receipt. A run that breaks a law fails, one that gains too little is
 * skipped: neither is recorded (law 9).
 */
export async function finishRun(run: CompactionRun, made: MadeRun, ports: CompactorPorts): Promise<CompactionResult> {
  const started = ports.elapsed();
  const { strategy, cuts, acted, fellBack, unwritten = acted.error } = made;
  await orAborted(run.settled(), undefined, run.signal);
  const before = await runInSlices(made.before.recounted(), ports);
  const after = await runInSlices(made.after.recounted(), ports);
  const brings = before.tokens > run.limit && after.tokens <= run.limit;
  if (!brings && before.tokens - after.tokens < leastGain(before)) {
    const why = { reason: 'gain-too-small' as const, ...(cuts !== undefined && { cuts }) };
    return { kind: 'skipped', strategy: strategy.id, ...why, message: describeSkip(why) };
  }
  const { aside } = run;
  const laws = findBrokenLaw({
    before,
    after,
    ledger: run.ledger,
    promise: strategy.promise,
    limit: run.limit,
    ...(aside !== undefined && { byHand: ({ range }) => aside.has(range.from) }),
  });
  const broken = await runInSlices(laws, ports);
  if (broken !== undefined)
    return { kind: 'failed', strategy: strategy.id, error: { kind: 'law-broken', message: broken } };
  const writing = makeReceipt({
    strategy: strategy.id,
    aim: run.aim,
    ...(run.instructions !== undefined && { instructions: run.instructions }),
    promise: strategy.promise,
    before,
    after,
    ledger: run.ledger,
    rungs: acted.rungs,
    ...(acted.ownTokens !== undefined && { freedAlone: Math.max(0, before.tokens - acted.ownTokens) }),
    rejected: acted.rejected,
    ...(acted.error !== undefined && { withoutNote: acted.error }),
    unverified: acted.unverified,
    ...(acted.unchecked !== undefined && acted.narratives.length > 0 && { unchecked: acted.unchecked }),
    ms: made.ms + ports.elapsed() - started,
    gauge: run.gauge,
    ...(made.use !== undefined && { use: made.use }),
    written: acted.narratives,
    ...(fellBack !== undefined && { fellBack }),
  });
  const receipt = await runInSlices(writing, ports);
  if (run.signal.aborted) return { kind: 'cancelled', strategy: strategy.id };
  const compaction: RunRecord = {
    id: made.mark,
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
    ...(unwritten !== undefined && { unwritten }),
  };
}
