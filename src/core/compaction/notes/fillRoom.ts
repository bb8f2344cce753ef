import type { Steps } from '../../steps.ts';
import type { Draft } from '../draft.ts';
import type { PlanInput } from '../strategy.ts';
import type { NotePlan } from './notePlan.ts';
import { renewState } from './state.ts';

const MOST_ROUNDS = 8;
/** The room is well used when less than this share of it is left over. */
const SPARE_SHARE = 0.01;

/**
 * The view with its notes and state, where the notes quote as much as fits in `most` tokens for the whole view; with
 * the shortest notes when even those do not fit.
 */
export function* fillRoom(plan: NotePlan, input: PlanInput, most: number): Steps<Draft> {
  const start = yield* renewState(yield* plan.write(0), input);
  if (start.tokens >= most) return start;
  let best = start;
  let fits = 0;
  let tooMuch = Number.POSITIVE_INFINITY;
  let room = (most - start.tokens) * plan.density;
  for (let round = 0; round < MOST_ROUNDS; round += 1) {
    const draft = yield* renewState(yield* plan.write(room), input);
    const spare = most - draft.tokens;
    if (spare >= 0) {
      fits = room;
      if (draft.tokens >= best.tokens) best = draft;
      if (spare < most * SPARE_SHARE) break;
    } else tooMuch = room;
    const aimed = room + (spare - most * SPARE_SHARE * 0.4) * plan.density;
    room =
      aimed > fits && aimed < tooMuch
        ? aimed
        : tooMuch === Number.POSITIVE_INFINITY
          ? fits * 1.3 + 100
          : (fits + tooMuch) / 2;
  }
  return best;
}
