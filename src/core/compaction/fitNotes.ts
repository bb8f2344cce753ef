import type { Draft } from './draft.ts';
import { planNotesOf, type WrittenNotes } from './notePlan.ts';
import { renewState } from './stateNote.ts';
import type { Steps } from './steps.ts';
import type { PlanInput } from './strategy.ts';
import type { Run } from './tail.ts';

/** Characters of facts that a token holds, to begin with; what the notes really take is measured. */
const CHARACTERS_A_TOKEN = 3;
/** The tokens of a note's own frame: fence, handle, label. */
const FRAME_TOKENS = 60;
/** More room is tried while this share of the target is unused and facts are left out. */
const SPARE_SHARE = 0.01;
const MOST_ROUNDS = 5;
const NEAR_SHARE = 0.03;
/** Left free: the state that is added in the end may differ a little from the one measured. */
const MARGIN = 0.003;

/** Notes that fit, with what they leave unsaid. */
export interface FittedNotes extends WrittenNotes {
  /** Tokens of the view with the state that `renewState` adds. */
  readonly tokens: number;
}

/**
 * Notes of some runs with as many facts, those worth most first, as `most` tokens of the whole view leave room for,
 * the state included. The notes with the fewest facts when even those do not fit.
 */
export function* fitNotes(draft: Draft, input: PlanInput, runs: readonly Run[], most: number): Steps<FittedNotes> {
  const goal = most * (1 - MARGIN);
  const plan = yield* planNotesOf(draft, input, runs, () => 0);
  const noted = new Set(runs.flatMap((run) => draft.units.slice(run.start, run.start + run.count)));
  const kept = draft.units.reduce((sum, unit) => sum + (noted.has(unit) ? 0 : unit.tokens), 0);
  let room = Math.max(0, (goal - kept - runs.length * FRAME_TOKENS) * CHARACTERS_A_TOKEN);
  let written = plan.write(room);
  let state = 0;
  let best: FittedNotes | undefined;
  let tooMuch = Number.POSITIVE_INFINITY;
  let least = 0;
  for (let round = 0; ; round += 1) {
    // What is said changes what the state must say: it is measured again once the room is about right, and for what may stand.
    const near = Math.abs(goal - state - written.draft.tokens) < goal * NEAR_SHARE;
    if (round < 2 || near) state = (yield* renewState(written.draft, input)).tokens - written.draft.tokens;
    const spare = goal - state - written.draft.tokens;
    if (spare >= 0) {
      best = { ...written, tokens: written.draft.tokens + state };
      least = room;
    } else tooMuch = room;
    if (round === MOST_ROUNDS || (spare >= 0 && (written.left === 0 || spare < goal * SPARE_SHARE))) break;
    if (spare < 0 && room === 0) break;
    // Aims a little under the goal, and stays between the room that fits and the room that does not.
    const aimed = room + (spare - goal * SPARE_SHARE * 0.5) * CHARACTERS_A_TOKEN;
    room =
      aimed > least && aimed < tooMuch
        ? aimed
        : tooMuch === Number.POSITIVE_INFINITY
          ? least * 1.2
          : (least + tooMuch) / 2;
    written = plan.write(room);
  }
  if (best !== undefined) return best;
  const fewest = plan.write(0);
  return { ...fewest, tokens: (yield* renewState(fewest.draft, input)).tokens };
}
