import type { Steps } from '../../steps.ts';
import type { Draft } from '../draft.ts';
import { fillRoom } from '../notes/fillRoom.ts';
import { dropNarratives, MOST_NARRATIVES, narrativeTokens } from '../notes/narrative.ts';
import { FRAME_TOKENS, planNotes } from '../notes/notePlan.ts';
import type { Rung } from '../rung.ts';
import type { PlanInput } from '../strategy.ts';
import { findRunsInSteps } from '../tail.ts';
import type { Unit } from '../unit.ts';
import { freeRoom, shortenHumans } from './handOver.ts';

/**
 * The share of the free room that the human's messages keep, with the notes between them; it leaves the notes something
 * to say. More when room is left over then, less when it does not fit.
 */
const USUAL_SHARE = 0.4;
const MORE_SHARES = [0.45, 0.5, 0.55, 0.6, 0.7, 0.8, 0.9];
const LESS_SHARES = [0.3, 0.2, 0.1];
const WELL_FILLED = 0.93;

/**
 * The last resort: every block becomes part of a note and the human's longest messages are cut. The oldest of them
 * become part of the notes too, if they would otherwise fill the window together with the notes between them.
 */
export const reset: Rung = {
  id: 'reset',
  *plan(draft, input) {
    const few = narrativeTokens(draft) <= input.target * MOST_NARRATIVES;
    const start = few ? draft : dropNarratives(draft);
    const free = freeRoom(draft, input.target);
    let planned = yield* fold(start, input, free * USUAL_SHARE);
    const fits = planned.tokens <= input.target;
    for (const share of fits ? MORE_SHARES : LESS_SHARES) {
      if (fits ? planned.tokens >= input.target * WELL_FILLED : planned.tokens <= input.target) break;
      const other = yield* fold(start, input, free * share);
      if (fits && other.tokens > input.target) break;
      if (fits ? other.tokens > planned.tokens : other.tokens < planned.tokens) planned = other;
    }
    return planned;
  },
};

function* fold(draft: Draft, input: PlanInput, most: number): Steps<Draft> {
  const shortened = yield* shortenHumans(draft, most);
  const folded = foldedUntil(shortened, most);
  const belongs = (unit: Unit): boolean => unit.role === 'work' || (unit.role === 'human' && unit.range.from < folded);
  const plan = yield* planNotes(shortened, input.mark, yield* findRunsInSteps(shortened.units, belongs));
  return yield* fillRoom(plan, input, input.target);
}

/**
 * The message before which the human's messages become part of the notes: those after it take at most `most` tokens.
 */
function foldedUntil(draft: Draft, most: number): number {
  let room = most;
  for (let index = draft.units.length - 1; index >= 0; index -= 1) {
    const unit = draft.units[index];
    if (unit?.role !== 'human') continue;
    room -= unit.tokens + FRAME_TOKENS;
    if (room < 0) return unit.range.to + 1;
  }
  return 0;
}
