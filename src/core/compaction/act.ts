import type { MessageId, MessageRange } from '../messages/message.ts';
import { runInSlices } from '../steps.ts';
import type { CompactionRun, CompactorPorts, Planned, PreparedNote } from './compactionRun.ts';
import { planRun } from './compactionRun.ts';
import type { Draft } from './draft.ts';
import { MeteredSummarizer } from './modelUse.ts';
import type { CompactionError } from './outcome.ts';
import { STRATEGIES } from './strategies.ts';
import type { NoteOrder, Strategy } from './strategy.ts';
import { NOTHING_TOLD, type Told, tell } from './summarizers/tell.ts';

/** What carrying a plan out came to. */
export type Acted =
  /** `narratives`: of what the model told, what stands in the view. `note`: what can be used again in a run of the same view. */
  | ({
      readonly kind: 'done';
      readonly after: Draft;
      readonly rungs: readonly string[];
      readonly note?: Omit<PreparedNote, 'use'>;
    } & Told)
  | { readonly kind: 'failed'; readonly error: CompactionError }
  | { readonly kind: 'cancelled' };

/**
 * Carries a plan out: has the model write what it orders and plans again with that, or leaves it as it is. A strategy that
 * needs a model fails when any note that it ordered is missing.
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
  if (told.narratives.length === 0) return { kind: 'done', after: plan.draft, rungs: plan.rungs, ...told, ...note };
  const again = await runInSlices(strategy.plan({ ...input, narratives: told.narratives }), ports);
  // Without a place for what was told, the plan stands as it was made without it.
  const { draft: after, rungs } = again.ok ? again.value : plan;
  const narratives = told.narratives.filter((narrative) =>
    after.units.some((unit) => unit.narratives.includes(narrative)),
  );
  const unverified = narratives.length === 0 ? 0 : told.unverified;
  return { kind: 'done', after, rungs, ...told, narratives, unverified, ...note };
}

/**
 * What was told before the run and is what a plan orders: from the same message on, and of nothing that stays, but for what
 * the user keeps. Only the ladder finds a place for what was told of less than it orders.
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

/** A range without what the user keeps at its ends. */
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
 * Has the model write the note that a run with these settings would order now, so that nobody waits for it at the
 * threshold. Undefined when none would be ordered, or none can be had.
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
