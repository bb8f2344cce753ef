import { err, ok } from '../../result.ts';
import type { Steps } from '../../steps.ts';
import type { Draft, Run, Unit } from '../draft.ts';
import { noteLength } from '../notes/narrative.ts';
import { fillRoom, type NotedRun, planNotes, rangeOf } from '../notes/notePlan.ts';
import type { NoteOrder, Plan, PlanInput, Strategy } from '../strategy.ts';
import { hasReplaceable, lastMessagesStart, runsToNote, unitsOf } from './noteRuns.ts';

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
    if (!hasReplaceable(draft, end)) return err({ reason: 'nothing-to-compact' });
    const runs = yield* runsToNote(draft, 0, end, input.target);
    if (runs.length === 0) return err({ reason: 'nothing-to-compact' });
    const most = settings.summary.maxTokens;
    const tokens = ({ shown, raw }: Size) => Math.min(noteLength(raw, most), shown * 0.8);
    return ok(yield* planTold(input, runs, { detail: 'brief', tokens }));
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

/** The size of what some units cover. */
export function sizeOf(draft: Draft, units: readonly Unit[]): Size {
  const shown = units.reduce((sum, unit) => sum + unit.tokens, 0);
  const raw = draft.count(
    units.flatMap(({ blocks }) => blocks).flatMap(({ messages }) => messages.map(({ wire }) => wire)),
  );
  return { shown, raw };
}

/** What kind of note a strategy wants, and how long. */
export interface Wanted {
  readonly detail: NoteOrder['detail'];
  tokens(size: Size): number;
}

/**
 * Replaces runs by what the model wrote about them, and orders a note for each run that the model has not written about
 * and that is worth one. Runs without a model's note are replaced by quotations, as many as fit in the target. What the
 * human wrote is said beside either.
 */
export function* planTold(input: PlanInput, runs: readonly Run[], wanted: Wanted): Steps<Plan> {
  const { draft, narratives } = input;
  const orders: NoteOrder[] = [];
  const noted: NotedRun[] = [];
  for (const run of runs) {
    const units = unitsOf(draft, run);
    const range = rangeOf(units);
    const told = narratives.find(({ covers }) => covers.from === range.from && covers.to === range.to);
    noted.push(told === undefined ? run : { ...run, told });
    const size = sizeOf(draft, units);
    if (told !== undefined || !input.canSummarize || size.shown < LEAST_FOR_MODEL) continue;
    orders.push({
      range,
      blocks: units.flatMap((unit) => unit.blocks),
      sourceTokens: size.raw,
      maxTokens: Math.max(LEAST_NOTE, Math.floor(wanted.tokens(size))),
      detail: wanted.detail,
    });
  }
  const plan = yield* planNotes(draft, input.mark, noted);
  return { draft: yield* fillRoom(plan, input, input.target), orders, rungs: [] };
}
