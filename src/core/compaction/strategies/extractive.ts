import { err, ok } from '../../result.ts';
import { type Draft, sumTokens } from '../draft.ts';
import { noteRuns } from '../notes/notePlan.ts';
import type { Strategy } from '../strategy.ts';
import { runsToNote } from './noteRuns.ts';

/** The share of the target that kept turns may take; the rest is for the notes. */
const TURNS_SHARE = 0.7;

/**
 * Keeps the newest turns that fit; notes quote the rest: what was asked, reported, said and done. Constraints, changed
 * files, open to-dos and failures are in the state. Asks no model.
 */
export const extractive: Strategy = {
  id: 'extractive',
  model: 'none',
  promise: 'facts-in-view',
  *plan(input) {
    const { draft } = input;
    const starts = draft.units.flatMap((unit, index) =>
      unit.role === 'human' || unit.role === 'request' ? [index] : [],
    );
    if (starts.length < 2) return err({ reason: 'single-turn' });
    if (draft.tokens <= input.target) return err({ reason: 'already-under-target' });
    const cut = firstKeptTurn(draft, starts, input.target * TURNS_SHARE);
    const runs = yield* runsToNote(draft, 0, cut, input.target);
    if (runs.length === 0) return err({ reason: 'nothing-to-compact' });
    return ok({ draft: yield* noteRuns(draft, runs, input), orders: [], rungs: [] });
  },
};

/** Index of the unit at which the newest turns that fit begin; the newest turn is kept whole whatever its size. */
function firstKeptTurn(draft: Draft, starts: readonly number[], room: number): number {
  let cut = starts.at(-1) ?? 0;
  for (const start of [...starts].reverse()) {
    if (sumTokens(draft.units.slice(start)) > room) break;
    cut = start;
  }
  return cut;
}
