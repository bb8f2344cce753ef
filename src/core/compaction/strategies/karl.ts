import { err, ok } from '../../result.ts';
import type { Steps } from '../../steps.ts';
import { isFrozen, type Run, rangeOf, sumTokens, type Unit, unitsOf } from '../draft.ts';
import { noteLength } from '../notes/narrative.ts';
import { type NotedRun, noteRuns } from '../notes/notePlan.ts';
import type { NoteOrder, Plan, PlanInput, Strategy } from '../strategy.ts';
import { lastMessagesStart, runsToNote } from './noteRuns.ts';

/** Keeps the last messages; a model writes a note about the rest (one for each run between frozen messages). */
export const karl: Strategy = {
  id: 'karl',
  model: 'required',
  promise: 'facts-in-view',
  messageTrigger: 50,
  *plan(input) {
    const { draft, settings } = input;
    const end = lastMessagesStart(draft, settings.keepLastMessages);
    if (end === 0) return err({ reason: 'too-few-messages' });
    if (draft.units.slice(0, end).every(isFrozen)) return err({ reason: 'nothing-to-compact' });
    const runs = yield* runsToNote(draft, 0, end, input.target);
    if (runs.length === 0) return err({ reason: 'nothing-to-compact' });
    return ok(yield* planTold(input, runs, 'brief', TOLD_SHARE));
  },
};

/** The longest note, as a share of what it covers. */
const TOLD_SHARE = 0.8;
/** A run smaller than this is not worth a model's note; it is quoted. Tokens. */
const LEAST_FOR_MODEL = 300;
/** The shortest note that is ordered. Tokens. */
const LEAST_NOTE = 64;

/**
 * The order of a note about some units, at most `share` of the room that they take in the view; a brief one is also no
 * longer than the settings and the length of the raw messages warrant.
 */
export function orderNote(
  { draft, settings }: Pick<PlanInput, 'draft' | 'settings'>,
  units: readonly Unit[],
  detail: NoteOrder['detail'],
  share: number,
): NoteOrder {
  const blocks = units.flatMap((unit) => unit.blocks);
  const sourceTokens = draft.count(blocks.flatMap(({ messages }) => messages.map(({ wire }) => wire)));
  const warranted =
    detail === 'brief' ? noteLength(sourceTokens, settings.summary.maxTokens) : Number.POSITIVE_INFINITY;
  const maxTokens = Math.max(LEAST_NOTE, Math.floor(Math.min(warranted, sumTokens(units) * share)));
  return { range: rangeOf(units), blocks, sourceTokens, maxTokens, detail };
}

/**
 * Replaces runs by what the model wrote about them, and orders a note for each run that the model has not written about
 * and that is worth one. Runs without a model's note are replaced by quotations, as many as fit in the target. What the
 * human wrote is quoted beside either.
 */
export function* planTold(
  input: PlanInput,
  runs: readonly Run[],
  detail: NoteOrder['detail'],
  share: number,
): Steps<Plan> {
  const { draft, narratives } = input;
  const orders: NoteOrder[] = [];
  const noted: NotedRun[] = [];
  for (const run of runs) {
    const units = unitsOf(draft, run);
    const range = rangeOf(units);
    const told = narratives.find(({ covers }) => covers.from === range.from && covers.to === range.to);
    noted.push({ ...run, told });
    if (told === undefined && input.canSummarize && sumTokens(units) >= LEAST_FOR_MODEL)
      orders.push(orderNote(input, units, detail, share));
  }
  return { draft: yield* noteRuns(draft, noted, input), orders, rungs: [] };
}
