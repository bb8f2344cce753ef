import { fence } from '../../messages/fence.ts';
import type { Narrative, Substitute } from '../compaction.ts';
import { type Change, type Draft, isFrozen, type Run, type Unit } from '../draft.ts';
import { fillRoom } from '../notes/fillRoom.ts';
import { planNotes, rangeOf } from '../notes/notePlan.ts';
import { rangeLine, withNarratives } from '../notes/noteText.ts';
import { renewState } from '../notes/state.ts';
import type { Steps } from '../steps.ts';
import type { NoteOrder, Plan, PlanInput } from '../strategy.ts';
import { findRuns } from '../tail.ts';

/** A run under this is not worth a model's note; it is quoted. Tokens. */
const LEAST_FOR_MODEL = 300;
/** When the notes of earlier runs take more than this share of the target, they are made anew, together, from raw. */
const NOTES_SHARE = 0.5;

/** The runs between `start` and `end` that a strategy with notes replaces. Notes of earlier runs stay unless they have grown too many. */
export function runsToNote(draft: Draft, start: number, end: number, target: number): Run[] {
  const inside = draft.units.slice(start, end);
  const merge = haveGrownTooMany(inside, target);
  const runs = findRuns(draft, end, (unit) => belongs(unit, merge)).flatMap((run) => clip(run, start));
  return runs.filter((run) => run.count > 1 || draft.units[run.start]?.state !== 'note');
}

/** True when the notes among some units take so much that they must be made anew, shorter. */
export function haveGrownTooMany(units: readonly Unit[], target: number): boolean {
  const tokens = units.reduce((sum, unit) => sum + (unit.state === 'note' ? unit.tokens : 0), 0);
  return tokens > target * NOTES_SHARE;
}

function belongs(unit: Unit, merge: boolean): boolean {
  return !isFrozen(unit) && (merge || unit.state !== 'note');
}

function clip(run: Run, start: number): Run[] {
  const from = Math.max(run.start, start);
  const count = run.start + run.count - from;
  return count > 0 ? [{ start: from, count }] : [];
}

/**
 * Replaces runs by what the model told of them, and orders a note for each run that it has not told of and that is worth
 * one. Until then, and where a run is too short for a model, quotations stand: as many as fit in the target.
 */
export function* planTold(input: PlanInput, runs: readonly Run[], lengthOf: (tokens: number) => number): Steps<Plan> {
  const { draft, narratives } = input;
  const orders: NoteOrder[] = [];
  const told: Change[] = [];
  const quoted: Run[] = [];
  for (const run of runs) {
    const units = draft.units.slice(run.start, run.start + run.count);
    const range = rangeOf(units);
    const narrative = narratives.find(({ covers }) => covers.from === range.from && covers.to === range.to);
    if (narrative !== undefined) {
      told.push({ ...run, by: toldNote(narrative, input.mark) });
      continue;
    }
    quoted.push(run);
    const tokens = units.reduce((sum, unit) => sum + unit.tokens, 0);
    if (!input.canSummarize || tokens < LEAST_FOR_MODEL) continue;
    const maxTokens = Math.max(64, Math.floor(lengthOf(tokens)));
    orders.push({ range, blocks: units.flatMap((unit) => unit.blocks), sourceTokens: tokens, maxTokens });
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
