import { english } from '../language.ts';
import { fence, PLANNED_MARK, withMark } from '../messages/fence.ts';
import type { MessageId, MessageRange } from '../messages/message.ts';
import { orAborted, runInSlices } from '../steps.ts';
import {
  type CompactionError,
  type CompactionResult,
  type Cuts,
  describeSkip,
  type Receipt,
  type RunRecord,
  type Skip,
} from './compaction.ts';
import { type CompactionRun, type CompactorPorts, type Planned, type PreparedNote, planRun } from './compactionRun.ts';
import type { Draft } from './draft.ts';
import { mustFit } from './ladder.ts';
import { findBrokenLaw, leastGain } from './laws.ts';
import { addUse, MeteredSummarizer, type ModelUse } from './modelUse.ts';
import { applyChoices } from './preview/choices.ts';
import { makeReceipt } from './receipt.ts';
import { STRATEGIES } from './strategies.ts';
import type { NoteOrder, Plan, Strategy } from './strategy.ts';
import { NOTHING_TOLD, type Told, tell } from './summarizers/writeNote.ts';
import { fitUnread } from './unread.ts';

/** The result of a run together with the run itself, which can be shown and recorded later. */
export interface PreparedRun {
  readonly result: CompactionResult;
  /** Absent when the run ended before a plan was carried out. */
  readonly made?: MadeRun;
}

/**
 * Plans, acts, checks the laws and returns what is to be recorded. Changes nothing itself, so a failed, skipped or
 * cancelled run leaves everything as it was (law 9). A fallback runs only when one is named, and the result says so.
 */
export async function runCompaction(run: CompactionRun, ports: CompactorPorts): Promise<PreparedRun> {
  const meter = run.summarizer === undefined ? undefined : new MeteredSummarizer(run.summarizer);
  const metered = meter === undefined ? run : { ...run, summarizer: meter };
  const ahead = run.spent;
  const first = await runStrategy(metered, { strategy: STRATEGIES[run.strategy], meter, ahead }, ports);
  // Where the request must fit, the ladder stands in for a strategy that changes nothing.
  const { fallback = mustFit(run.trigger) ? 'adaptive' : undefined } = run;
  if (fallback === undefined || fallback === run.strategy || !deservesFallback(first.result)) return first;
  const reason = describe(first.result);
  const attempt: Attempt = {
    strategy: STRATEGIES[fallback],
    meter,
    ahead,
    fellBack: { fellBackFrom: run.strategy, fellBackBecause: reason },
    ...(first.result.kind === 'failed' && { unwritten: first.result.error }),
  };
  const { prepared: _, ...anew } = metered;
  const second = await runStrategy(anew, attempt, ports);
  return second.result.kind === 'compacted' || second.result.kind === 'cancelled' ? second : first;
}

/**
 * Unguessable ids differ in their token count. Of at most this many, the first that takes as many tokens as the planned
 * mark is used; about one in four does.
 */
const MOST_IDS = 60;

function chooseMark(run: CompactionRun, ports: CompactorPorts): string {
  const planned = run.count(fence(PLANNED_MARK, ''));
  let id = ports.newId();
  for (let tries = 1; tries < MOST_IDS && run.count(fence(id, '')) !== planned; tries += 1) id = ports.newId();
  return id;
}

/** A skip that says that there is nothing to gain is not a failure of the strategy. */
function deservesFallback(result: CompactionResult): boolean {
  return (
    result.kind === 'failed' ||
    (result.kind === 'skipped' && result.reason !== 'empty' && result.reason !== 'already-under-target')
  );
}

function describe(result: CompactionResult): string {
  if (result.kind === 'failed') return result.error.message;
  return result.kind === 'skipped' ? result.message : '';
}

/** One attempt at a run, with the strategy or its fallback. */
interface Attempt extends Pick<MadeRun, 'fellBack' | 'unwritten'> {
  readonly strategy: Strategy;
  readonly meter: MeteredSummarizer | undefined;
  /** What asking the model ahead of the run cost: the receipt includes it. */
  readonly ahead: ModelUse | undefined;
}

async function runStrategy(
  run: CompactionRun,
  { strategy, meter, ahead, fellBack, unwritten }: Attempt,
  ports: CompactorPorts,
): Promise<PreparedRun> {
  const started = ports.elapsed();
  const skip = (why: Skip): PreparedRun => ({
    result: { kind: 'skipped', strategy: strategy.id, ...why, message: describeSkip(why) },
  });
  const fail = (error: CompactionError): PreparedRun => ({ result: { kind: 'failed', strategy: strategy.id, error } });
  if (run.transcript.messages.length === 0) return skip({ reason: 'empty' });
  if (strategy.model === 'required' && run.summarizer === undefined) {
    return fail({
      kind: 'no-summarizer',
      message: english(
        'Strategy {0} needs a model to write its summaries, and none is set. Set one, or choose a strategy that needs none.',
        strategy.id,
      ),
    });
  }
  const cancelled: PreparedRun = { result: { kind: 'cancelled', strategy: strategy.id } };
  const planned = await planRun(run, strategy, ports);
  // Before a model is asked.
  if (run.signal.aborted) return cancelled;
  if (!planned.ok) return skip(planned.error);
  const { input, plan } = planned.value;
  const acted = await act(run, strategy, planned.value, ports);
  if (acted.kind === 'cancelled' || run.signal.aborted) return cancelled;
  if (acted.kind === 'failed') return fail(acted.error);
  const planOf = { ...input, promise: strategy.promise };
  const chosen = await runInSlices(applyChoices(acted.after, run, planOf), ports);
  const fitting = await runInSlices(fitUnread(chosen, input.limit), ports);
  const mark = chooseMark(run, ports);
  const marked = await runInSlices(
    fitting.map((message) => withMark(message, mark)),
    ports,
  );
  const made: MadeRun = {
    strategy,
    before: input.draft,
    after: marked,
    mark,
    acted,
    ...(plan.cuts !== undefined && { cuts: plan.cuts }),
    ...(meter !== undefined && { use: ahead === undefined ? meter.use : addUse(ahead, meter.use) }),
    ms: ports.elapsed() - started,
    ...(fellBack !== undefined && { fellBack }),
    ...(unwritten !== undefined && { unwritten }),
  };
  return { result: await finishRun(run, made, ports), made };
}

/** The result of carrying a plan out. */
export type Acted =
  /**
   * `narratives`: those of the model's texts that made it into the view. `note`: what a later run of the same view can
   * reuse.
   */
  | ({
      readonly kind: 'done';
      readonly after: Draft;
      readonly rungs: readonly string[];
      readonly ownTokens?: number;
      readonly note?: Omit<PreparedNote, 'use'>;
    } & Told)
  | { readonly kind: 'failed'; readonly error: CompactionError }
  | { readonly kind: 'cancelled' };

type Done = Extract<Acted, { readonly kind: 'done' }>;

/**
 * Carries a plan out: has the model write the notes that the plan orders and plans again with them, or leaves the plan
 * as it is if there are none. A strategy that requires a model fails when an ordered note is missing.
 */
export async function act(
  run: CompactionRun,
  strategy: Strategy,
  { plan, input }: Planned,
  ports: CompactorPorts,
): Promise<Acted> {
  const prepared = findFitting(run, strategy, plan.orders);
  const told = prepared ?? (await tellAll(run, plan.orders, ports));
  if (told === undefined) return { kind: 'cancelled' };
  if (told.error !== undefined && strategy.model === 'required') return { kind: 'failed', error: told.error };
  const [order, ...others] = plan.orders;
  const note = order === undefined || others.length > 0 ? {} : { note: { range: order.range, told } };
  if (told.narratives.length === 0) return { kind: 'done', ...outcomeOf(plan), ...told, ...note };
  const again = await runInSlices(strategy.plan({ ...input, narratives: told.narratives }), ports);
  // If there is no place for what the model wrote, the first plan stands.
  const isPlaced = again.ok && (again.value.draft.tokens <= input.limit || plan.draft.tokens > input.limit);
  const outcome = outcomeOf(isPlaced ? again.value : plan);
  const narratives = told.narratives.filter((narrative) =>
    outcome.after.units.some((unit) => unit.narratives.includes(narrative)),
  );
  const unverified = narratives.length === 0 ? 0 : told.unverified;
  return { kind: 'done', ...outcome, ...told, narratives, unverified, ...note };
}

function outcomeOf({ draft: after, rungs, ownTokens }: Plan): Pick<Done, 'after' | 'rungs' | 'ownTokens'> {
  return { after, rungs, ...(ownTokens !== undefined && { ownTokens }) };
}

/**
 * A note prepared before the run that fits what the plan orders: it begins at the same message and, apart from what the
 * user keeps, covers nothing that stays. Only the ladder accepts a note that covers less than was ordered.
 */
function findFitting(run: CompactionRun, { id }: Strategy, orders: readonly NoteOrder[]): Told | undefined {
  const [order, ...others] = orders;
  if (order === undefined || others.length > 0) return undefined;
  const wanted = without(order.range, run.keep);
  const found = run.prepared?.find((prepared) => {
    const { from, to } = without(prepared.range, run.keep);
    return from === wanted.from && (id === 'adaptive' ? to <= wanted.to : to === wanted.to);
  });
  if (found === undefined || id === 'adaptive') return found?.told;
  return { ...found.told, narratives: found.told.narratives.map((told) => ({ ...told, covers: order.range })) };
}

/** A range without the messages at either end that the user keeps. */
function without({ from, to }: MessageRange, keep: ReadonlySet<MessageId> = new Set()): MessageRange {
  let [first, last] = [from, to];
  while (first < last && keep.has(first)) first += 1;
  while (last > first && keep.has(last)) last -= 1;
  return { from: first, to: last };
}

async function tellAll(
  run: CompactionRun,
  orders: readonly NoteOrder[],
  ports: CompactorPorts,
): Promise<Told | undefined> {
  const { summarizer } = run;
  if (orders.length === 0 || summarizer === undefined) return NOTHING_TOLD;
  return tell(orders, { ...run, summarizer, run: (steps) => runInSlices(steps, ports) });
}

/**
 * Has the model write, ahead of time, the note that a run with these settings would order now, so that nobody waits for
 * it at the threshold. Undefined when no note would be ordered, or none could be written.
 */
export async function prepareNote(run: CompactionRun, ports: CompactorPorts): Promise<PreparedNote | undefined> {
  const planned = await planRun(run, STRATEGIES[run.strategy], ports);
  if (!planned.ok) return undefined;
  const { orders } = planned.value.plan;
  const [order] = orders;
  if (order === undefined || orders.length > 1) return undefined;
  if (run.summarizer === undefined) return undefined;
  const summarizer = new MeteredSummarizer(run.summarizer);
  const told = await tellAll({ ...run, summarizer }, orders, ports);
  if (told === undefined || told.narratives.length === 0) return undefined;
  return { range: order.range, told, use: summarizer.use };
}

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
