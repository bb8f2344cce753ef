import { type Draft, isFrozen, type Unit } from '../draft.ts';
import { rangeOf } from '../notePlan.ts';
import { noteRuns } from '../rungs/extract.ts';
import { renewState } from '../stateNote.ts';
import type { Steps } from '../steps.ts';
import type { NoteOrder, Plan, PlanInput } from '../strategy.ts';
import { findRuns, type Run } from '../tail.ts';

/** A run under this is not worth a model's note; its deterministic note stands. Tokens. */
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
 * Replaces runs by deterministic notes and orders a model's note for each run that is worth one; the deterministic
 * note stands where the model's is rejected.
 */
export function* planNotes(input: PlanInput, runs: readonly Run[], maxTokens: (tokens: number) => number): Steps<Plan> {
  const noted = yield* noteRuns(input.draft, input, runs);
  const orders: NoteOrder[] = [];
  for (const unit of noted.units) {
    if (!unit.changed || unit.state !== 'note') continue;
    const before = input.draft.units.filter(
      (old) => old.range.from >= unit.range.from && old.range.to <= unit.range.to,
    );
    const tokens = before.reduce((sum, old) => sum + old.tokens, 0);
    if (tokens < LEAST_FOR_MODEL) continue;
    const range = rangeOf(before);
    orders.push({ range, source: range, blocks: unit.blocks, maxTokens: Math.max(64, Math.floor(maxTokens(tokens))) });
  }
  return { draft: yield* renewState(noted, input), orders, rungs: [] };
}
