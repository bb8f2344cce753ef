import { err, ok } from '../../result.ts';
import type { Steps } from '../../steps.ts';
import { type Draft, isFrozen, type Run, rangeOf, sumTokens, type Unit, unitsOf } from '../draft.ts';
import { noteLength } from '../notes/narrative.ts';
import { fillRoom, type NotedRun, NotePlan } from '../notes/notePlan.ts';
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
    const most = settings.summary.maxTokens;
    return ok(yield* planTold(input, runs, 'brief', ({ shown, raw }) => Math.min(noteLength(raw, most), shown * 0.8)));
  },
};

/** A run smaller than this is not worth a model's note; it is quoted. Tokens. */
const LEAST_FOR_MODEL = 300;
/** The shortest note that is ordered. Tokens. */
const LEAST_NOTE = 64;

/**
 * The tokens of what a note covers, in the view as it is and in the raw messages: they differ where an earlier note is
 * in the view.
 */
export interface Size {
  readonly shown: number;
  readonly raw: number;
}

/** The order of a note about some units, of the length that `tokens` gives. */
export function orderNote(
  draft: Draft,
  units: readonly Unit[],
  detail: NoteOrder['detail'],
  tokens: (size: Size) => number,
): NoteOrder {
  const blocks = units.flatMap((unit) => unit.blocks);
  const raw = draft.count(blocks.flatMap(({ messages }) => messages.map(({ wire }) => wire)));
  const maxTokens = Math.floor(tokens({ shown: sumTokens(units), raw }));
  return { range: rangeOf(units), blocks, sourceTokens: raw, maxTokens, detail };
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
  tokens: (size: Size) => number,
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
      orders.push(orderNote(draft, units, detail, (size) => Math.max(LEAST_NOTE, tokens(size))));
  }
  const plan = yield* NotePlan.of(draft, input.mark, noted);
  return { draft: yield* fillRoom(plan, input, input.target), orders, rungs: [] };
}
