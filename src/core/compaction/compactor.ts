import { blockMessages, rangeLength } from '../chat/blocks.ts';
import type { MessageId, MessageRange } from '../chat/message.ts';
import type { FactClass } from '../ledger/fact.ts';
import type { Ledger } from '../ledger/ledger.ts';
import { phrase } from '../phrase.ts';
import { withoutUndefined } from '../result.ts';
import { eachInSteps, runInSlices, type Steps } from '../steps.ts';
import type { CompactionError, CompactionResult, Receipt, RunRecord, Skip } from './compaction.ts';
import { type CompactionRun, type CompactorPorts, type MadeRun, planRun, type WrittenNotes } from './compactionRun.ts';
import { type Draft, tellsAny } from './draft.ts';
import { fitUnread } from './forms.ts';
import { findBrokenLaw, leastGain } from './laws.ts';
import { isShown, madeText, standsWhole } from './notes/state.ts';
import { applyChoices } from './preview/preview.ts';
import { countShortened } from './shorten.ts';
import { mustFit, STRATEGIES } from './strategies.ts';
import type { NoteOrder, Strategy } from './strategy.ts';
import { AskedModel, addUse } from './summarizers/summarizer.ts';
import { NO_NOTES, type NoteResult, writeNotes } from './summarizers/writeNote.ts';

/** The result of a run together with the run itself, which can be shown and recorded later. */
export interface PreparedRun {
  readonly result: CompactionResult;
  /** Absent when the run ended before a plan was carried out. */
  readonly made?: MadeRun;
}

/**
 * Plans, acts, checks the laws and returns what is to be recorded. Changes nothing itself, so a failed, skipped or
 * cancelled run leaves everything as it was (law 9). A fallback runs only when one is named or the request must fit,
 * and the result says so.
 */
export async function runCompaction(run: CompactionRun, ports: CompactorPorts): Promise<PreparedRun> {
  const model = run.summarizer === undefined ? undefined : new AskedModel(run.summarizer);
  const first = await runStrategy(run, STRATEGIES[run.strategy], model, ports);
  const { result } = first;
  // Where the request must fit, the ladder stands in for a strategy that changes nothing.
  const { fallback = mustFit(run.trigger) ? 'adaptive' : undefined } = run;
  if (fallback === undefined || fallback === run.strategy) return first;
  if (result.kind !== 'failed' && result.kind !== 'skipped') return first;
  // A strategy without anything to gain has not failed.
  if (result.kind === 'skipped' && ['empty', 'already-under-target'].includes(result.reason)) return first;
  const error = result.kind === 'failed' ? result.error : undefined;
  const because = result.kind === 'failed' ? result.error.message : result.message;
  // The fallback writes its own notes; its receipt includes the cost of the first attempt's.
  const anew = { ...run, prepared: run.prepared && { ...run.prepared, notes: [] } };
  const fellBack = { from: run.strategy, because, error };
  const second = await runStrategy(anew, STRATEGIES[fallback], model, ports, fellBack);
  return second.result.kind === 'compacted' || second.result.kind === 'cancelled' ? second : first;
}

/** One attempt at a run, with its strategy or its fallback. */
async function runStrategy(
  run: CompactionRun,
  strategy: Strategy,
  model: AskedModel | undefined,
  ports: CompactorPorts,
  fellBack?: MadeRun['fellBack'],
): Promise<PreparedRun> {
  const started = ports.elapsed();
  const fail = (error: CompactionError): PreparedRun => ({ result: { kind: 'failed', strategy: strategy.id, error } });
  if (run.transcript.messages.length === 0) return { result: skipped(strategy, { reason: 'empty' }) };
  if (strategy.model === 'required' && model === undefined) {
    return fail({
      kind: 'no-summarizer',
      message: phrase('summary.no-model', strategy.id),
    });
  }
  const cancelled: PreparedRun = { result: { kind: 'cancelled', strategy: strategy.id } };
  const planned = await planRun(run, strategy, ports);
  // Stop before a model is asked.
  if (run.signal.aborted) return cancelled;
  if (!planned.ok) return { result: skipped(strategy, planned.error) };
  const { input, plan } = planned.value;
  const written = findPrepared(run, strategy, plan.orders) ?? (await askModel(run, model, plan.orders, ports));
  if (written === undefined || run.signal.aborted) return cancelled;
  if (written.error !== undefined && strategy.model === 'required') return fail(written.error);
  const { narratives } = written;
  const planAgain = () => runInSlices(strategy.plan({ ...input, narratives }), ports);
  const again = narratives.length === 0 ? undefined : await planAgain();
  // The first plan stays if the one with the notes is too large.
  const fits = again?.ok === true && (again.value.draft.tokens <= input.limit || plan.draft.tokens > input.limit);
  const { draft, ...about } = fits ? again.value : plan;
  const promised = { ...input, promise: strategy.promise };
  const chosen = await runInSlices(applyChoices(draft, run, promised), ports);
  const after = await runInSlices(fitUnread(chosen, input.limit), ports);
  const { notes = [], use } = run.prepared ?? {};
  const isKnown = plan.orders.length !== 1 || notes.some((note) => note.written === written);
  const made: MadeRun = {
    strategy,
    before: input.draft,
    after,
    mark: input.mark,
    aside: run.aside,
    plan: about,
    notes: written,
    written: {
      notes: isKnown ? notes : [...notes, ...plan.orders.map(({ range }) => ({ range, written }))],
      use: use === undefined || model === undefined ? model?.use : addUse(use, model.use),
    },
    ms: ports.elapsed() - started,
    fellBack,
  };
  return { result: await finishRun(run, made, ports), made };
}

function skipped({ id }: Strategy, why: Skip): CompactionResult {
  const message = phrase(`skipped.${why.reason}`);
  return withoutUndefined<CompactionResult>({ kind: 'skipped', strategy: id, ...why, message });
}

/**
 * A note prepared before the run that fits what the plan orders: it begins at the same message and, apart from what the
 * user keeps, covers nothing that stays. Only the ladder accepts a note that covers less than was ordered.
 */
function findPrepared(run: CompactionRun, { id }: Strategy, orders: readonly NoteOrder[]): NoteResult | undefined {
  const [order, ...others] = orders;
  if (order === undefined || others.length > 0) return undefined;
  const wanted = without(order.range, run.keep);
  const found = run.prepared?.notes.find((prepared) => {
    const { from, to } = without(prepared.range, run.keep);
    return from === wanted.from && (id === 'adaptive' ? to <= wanted.to : to === wanted.to);
  });
  if (found === undefined || id === 'adaptive') return found?.written;
  const narratives = found.written.narratives.map((one) => ({ ...one, covers: order.range }));
  return { ...found.written, narratives };
}

/** A range without the messages at either end that the user keeps. */
function without({ from, to }: MessageRange, keep: ReadonlySet<MessageId> = new Set()): MessageRange {
  let [first, last] = [from, to];
  while (first < last && keep.has(first)) first += 1;
  while (last > first && keep.has(last)) last -= 1;
  return { from: first, to: last };
}

/** Has the model write what a plan orders; undefined when that was cancelled. */
async function askModel(
  run: CompactionRun,
  model: AskedModel | undefined,
  orders: readonly NoteOrder[],
  ports: CompactorPorts,
): Promise<NoteResult | undefined> {
  if (orders.length === 0 || model === undefined) return NO_NOTES;
  return writeNotes(orders, { ...run, summarizer: model, run: (steps) => runInSlices(steps, ports) });
}

/**
 * Has the model write, ahead of time, the note that a run with these settings would order now, so that nobody waits for
 * it at the threshold. Undefined when no note would be ordered, or none could be written.
 */
export async function prepareNote(run: CompactionRun, ports: CompactorPorts): Promise<WrittenNotes | undefined> {
  const planned = await planRun(run, STRATEGIES[run.strategy], ports);
  const [order, ...others] = planned.ok ? planned.value.plan.orders : [];
  if (order === undefined || others.length > 0 || run.summarizer === undefined) return undefined;
  const model = new AskedModel(run.summarizer);
  const written = await askModel(run, model, [order], ports);
  if (written === undefined || written.narratives.length === 0) return undefined;
  return { notes: [{ range: order.range, written }], use: model.use };
}

/**
 * Checks the laws and makes the record with its receipt. A run that breaks a law fails, one that gains too little is
 * skipped: neither is recorded (law 9).
 */
export async function finishRun(run: CompactionRun, made: MadeRun, ports: CompactorPorts): Promise<CompactionResult> {
  const started = ports.elapsed();
  const { before, after, strategy, aside, plan, notes, fellBack, written } = made;
  const { use } = written;
  const { ledger, gauge, limit } = run;
  const brings = before.tokens > limit && after.tokens <= limit;
  if (!brings && before.tokens - after.tokens < leastGain(before))
    return skipped(strategy, { reason: 'gain-too-small' });
  const byHand = ({ range }: { readonly range: MessageRange }): boolean => aside?.has(range.from) === true;
  const laws = findBrokenLaw({ before, after, ledger, promise: strategy.promise, limit, byHand });
  const broken = await runInSlices(laws, ports);
  if (broken !== undefined)
    return { kind: 'failed', strategy: strategy.id, error: { kind: 'law-broken', message: broken } };
  const isWritten = tellsAny(after, notes.narratives);
  const measured = await runInSlices(measureRun({ before, after, ledger, gauge }), ports);
  if (run.signal.aborted) return { kind: 'cancelled', strategy: strategy.id };
  const receipt = withoutUndefined<Receipt>({
    ...measured,
    strategy: strategy.id,
    aim: run.aim,
    instructions: run.instructions,
    rungs: plan.rungs,
    freedAlone: plan.ownTokens === undefined ? undefined : Math.max(0, before.tokens - plan.ownTokens),
    rejected: notes.rejected,
    withoutNote: notes.error?.message,
    withoutNoteKind: notes.error?.kind,
    unverified: isWritten ? notes.unverified : 0,
    unchecked: isWritten ? notes.unchecked : undefined,
    promise: strategy.promise,
    model: isWritten ? use?.model : undefined,
    modelCalls: use?.calls ?? 0,
    modelTokens: use?.tokens,
    modelCost: use?.cost,
    ms: made.ms + ports.elapsed() - started,
    fellBackFrom: fellBack?.from,
    fellBackBecause: fellBack?.because,
  });
  const compaction: RunRecord = {
    id: made.mark,
    at: ports.now(),
    strategy: strategy.id,
    trigger: run.trigger,
    transcriptLength: run.transcript.messages.length,
    replacements: after.replacements(),
    receipt,
  };
  return withoutUndefined<Extract<CompactionResult, { readonly kind: 'compacted' }>>({
    kind: 'compacted',
    compaction,
    receipt,
    reachedTarget: after.tokens <= run.target,
    fellBackFrom: fellBack?.from,
    unwritten: fellBack?.error ?? notes.error,
  });
}

/** Measures what a run kept, shortened, removed and saved, for its receipt. */
export function* measureRun({
  before,
  after,
  ledger,
  gauge,
}: Pick<MadeRun, 'before' | 'after'> & Pick<CompactionRun, 'ledger' | 'gauge'>) {
  const messages = { whole: 0, shortened: 0, replaced: 0 };
  let summarized = 0;
  yield* eachInSteps(after.units, (unit) => {
    const length = rangeLength(unit.range);
    const isSent = unit.state === 'whole' || unit.state === 'shortened';
    const shortened =
      unit.state === 'shortened' ? countShortened(unit.blocks.flatMap(blockMessages), unit.messages) : 0;
    messages.shortened += shortened;
    messages[isSent ? 'whole' : 'replaced'] += length - shortened;
    if (unit.changed) summarized += length;
  });
  return {
    tokensBefore: gauge.usedBefore(before.tokens),
    tokensAfter: gauge.usedAfter(after.tokens),
    limitTokens: gauge.limit,
    messages,
    summarized,
    summaryCharacters: yield* noteCharacters(after),
    facts: yield* countFacts(ledger, after),
    prefixKept: (gauge.tools + (yield* prefixTokens(before, after))) / Math.max(1, gauge.tools + before.tokens),
  };
}

/** Characters of the notes that a draft's plan wrote. */
function* noteCharacters(draft: Draft): Steps<number> {
  const made = draft.units.filter((unit) => unit.changed && (unit.state === 'note' || unit.state === 'line'));
  return (yield* madeText(made)).length;
}

/**
 * Counts the facts whose message is no longer whole, by class: those that the view still states, and those behind a
 * handle.
 */
function* countFacts(ledger: Ledger, after: Draft): Steps<Receipt['facts']> {
  const made = yield* madeText(after.units);
  const counts = new Map<FactClass, { kept: number; behindHandle: number }>();
  for (const [index, fact] of ledger.facts().entries()) {
    if (index % 32 === 31) yield;
    if (fact.supersededAt !== undefined || standsWhole(after.units, fact.at)) continue;
    const entry = counts.get(fact.class) ?? { kept: 0, behindHandle: 0 };
    if (isShown(fact, made)) entry.kept += 1;
    else entry.behindHandle += 1;
    counts.set(fact.class, entry);
  }
  return [...counts].map(([factClass, entry]) => ({ class: factClass, ...entry }));
}

/** Tokens of the units before the first change: what a prompt cache can use. */
function* prefixTokens(before: Draft, after: Draft): Steps<number> {
  let tokens = 0;
  for (const [index, unit] of before.units.entries()) {
    if (index % 64 === 63) yield;
    const now = after.units[index];
    if (now === undefined || now.messages.length !== unit.messages.length) break;
    if (unit.messages.some((message, position) => message !== now.messages[position])) break;
    tokens += unit.tokens;
  }
  return tokens;
}
