import { fence } from '../../messages/fence.ts';
import type { Steps } from '../../steps.ts';
import type { Narrative, Substitute } from '../compaction.ts';
import type { Change, Draft, Run } from '../draft.ts';
import { fillRoom } from '../notes/fillRoom.ts';
import { planNotes, rangeOf } from '../notes/notePlan.ts';
import { rangeLine, withNarratives } from '../notes/noteText.ts';
import { renewState } from '../notes/state.ts';
import type { NoteOrder, Plan, PlanInput } from '../strategy.ts';
import type { Unit } from '../unit.ts';
import { unitsOf } from './noteRuns.ts';

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
 * and that is worth one. Runs without a model's note are replaced by quotations, as many as fit in the target.
 */
export function* planTold(input: PlanInput, runs: readonly Run[], wanted: Wanted): Steps<Plan> {
  const { draft, narratives } = input;
  const orders: NoteOrder[] = [];
  const told: Change[] = [];
  const quoted: Run[] = [];
  for (const run of runs) {
    const units = unitsOf(draft, run);
    const range = rangeOf(units);
    const narrative = narratives.find(({ covers }) => covers.from === range.from && covers.to === range.to);
    if (narrative !== undefined) {
      told.push({ ...run, by: toldNote(narrative, input.mark) });
      continue;
    }
    quoted.push(run);
    const size = sizeOf(draft, units);
    if (!input.canSummarize || size.shown < LEAST_FOR_MODEL) continue;
    orders.push({
      range,
      blocks: units.flatMap((unit) => unit.blocks),
      sourceTokens: size.raw,
      maxTokens: Math.max(LEAST_NOTE, Math.floor(wanted.tokens(size))),
      detail: wanted.detail,
    });
  }
  const placed = draft.replace(told);
  const left = runs.length === quoted.length ? quoted : findAgain(placed, draft, quoted);
  if (left.length === 0) return { draft: yield* renewState(placed, input), orders, rungs: [] };
  const plan = yield* planNotes(placed, input.mark, left);
  return { draft: yield* fillRoom(plan, input, input.target), orders, rungs: [] };
}

/** A note with nothing but a narrative. */
export function toldNote(narrative: Narrative, mark: string): Substitute {
  return {
    kind: 'note',
    messages: [fence(mark, withNarratives(rangeLine(narrative.covers), [narrative]))],
    narratives: [narrative],
  };
}

/** The positions of some runs in a draft in which other runs were replaced. */
function findAgain(placed: Draft, before: Draft, runs: readonly Run[]): Run[] {
  return runs.map((run) => {
    const from = before.units[run.start]?.range.from;
    return { start: placed.units.findIndex((unit) => unit.range.from === from), count: run.count };
  });
}
