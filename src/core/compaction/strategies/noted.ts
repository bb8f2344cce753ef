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

/** A run under this is not worth a model's note; it is quoted. Tokens. */
const LEAST_FOR_MODEL = 300;
/** No note is asked to have fewer tokens. */
const LEAST_NOTE = 64;

/** Tokens of what a note tells of, in the view as it is and in the raw messages: the same unless a note stands there. */
export interface Size {
  readonly shown: number;
  readonly raw: number;
}

/** The size of what some units stand for. */
export function sizeOf(draft: Draft, units: readonly Unit[]): Size {
  const shown = units.reduce((sum, unit) => sum + unit.tokens, 0);
  const raw = draft.count(
    units.flatMap(({ blocks }) => blocks).flatMap(({ messages }) => messages.map(({ wire }) => wire)),
  );
  return { shown, raw };
}

/** What kind of note a strategy wants, and how many tokens it may have. */
export interface Wanted {
  readonly detail: NoteOrder['detail'];
  tokens(size: Size): number;
}

/**
 * Replaces runs by what the model told of them, and orders a note for each run that it has not told of and that is worth
 * one. Until then, and where a run is too short for a model, quotations stand: as many as fit in the target.
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

/** A note that is nothing but what a model told. */
export function toldNote(narrative: Narrative, mark: string): Substitute {
  return {
    kind: 'note',
    messages: [fence(mark, withNarratives(rangeLine(narrative.covers), [narrative]))],
    narratives: [narrative],
  };
}

/** The same runs in a draft in which others were replaced. */
function findAgain(placed: Draft, before: Draft, runs: readonly Run[]): Run[] {
  return runs.map((run) => {
    const from = before.units[run.start]?.range.from;
    return { start: placed.units.findIndex((unit) => unit.range.from === from), count: run.count };
  });
}
