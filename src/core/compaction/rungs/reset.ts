import type { Steps } from '../../steps.ts';
import type { Draft } from '../draft.ts';
import { fillRoom } from '../notes/fillRoom.ts';
import { dropNarratives, MOST_NARRATIVES, narrativeTokens } from '../notes/narrative.ts';
import { type NotePlan, planNotes } from '../notes/notePlan.ts';
import { withoutState } from '../notes/state.ts';
import type { Rung } from '../rung.ts';
import type { PlanInput } from '../strategy.ts';
import { findRunsInSteps } from '../tail.ts';
import { isFrozen, type Unit } from '../unit.ts';

/**
 * The last resort: the oldest messages, those of the human too, become one note for each run between frozen units, and
 * what the human wrote in it becomes one message beside it: rules first, then a line of each, then more. Goes from the
 * oldest unit as far as it takes for everything that was said to have room. The first request stays where it is, unless
 * there is no room at all.
 */
export const reset: Rung = {
  id: 'reset',
  *plan(draft, input) {
    const few = narrativeTokens(draft) <= input.target * MOST_NARRATIVES;
    const start = few ? draft : dropNarratives(draft);
    // The fewest oldest units whose notes have room.
    const first = start.units.findIndex(({ role }) => role === 'human');
    let fits = start.units.length;
    let best = yield* fold(start, input, fits, first);
    const least = yield* fillRoom(best, input, 0);
    if (least.tokens > input.target) return yield* fillRoom(yield* fold(start, input, fits), input, input.target);
    for (let tooFew = 0; fits - tooFew > 1; ) {
      const end = Math.floor((fits + tooFew) / 2);
      const plan = yield* fold(start, input, end, first);
      const planned = yield* fillRoom(plan, input, 0);
      const state = planned.tokens - withoutState(planned).tokens;
      if (yield* plan.hasRoomFor('said', input.target - state)) [fits, best] = [end, plan];
      else tooFew = end;
    }
    return yield* fillRoom(best, input, input.target);
  },
};

/** The notes of the units before an end, but for the one with the index `kept`. */
function* fold(draft: Draft, input: PlanInput, end: number, kept = -1): Steps<NotePlan> {
  const { units } = draft;
  const belongs = (unit: Unit): boolean => !isFrozen(unit) && unit !== units[kept];
  const runs = yield* findRunsInSteps(units.slice(0, end), belongs);
  return yield* planNotes(draft, input.mark, runs);
}
