import type { MessageId, MessageRange } from '../messages/message.ts';
import { runInSlices } from '../steps.ts';
import type { CompactionRun, CompactorPorts, Planned, PreparedNote } from './compactionRun.ts';
import { planRun } from './compactionRun.ts';
import type { Draft } from './draft.ts';
import { MeteredSummarizer } from './modelUse.ts';
import type { CompactionError } from './outcome.ts';
import { STRATEGIES } from './strategies.ts';
import type { NoteOrder, Plan, Strategy } from './strategy.ts';
import { NOTHING_TOLD, type Told, tell } from './summarizers/tell.ts';

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
