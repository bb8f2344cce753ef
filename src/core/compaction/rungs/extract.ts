import type { Draft } from '../draft.ts';
import { type FittedNotes, fitNotes } from '../fitNotes.ts';
import { planNotesOf } from '../notePlan.ts';
import type { Rung } from '../rung.ts';
import type { Steps } from '../steps.ts';
import type { PlanInput } from '../strategy.ts';
import { findRuns, type Run, TAIL_SHARE, tailStart } from '../tail.ts';

/** A note may take this share of the characters that its range had, between the least and the cap. */
const NOTE_SHARE = 0.12;
const NOTE_LEAST = 400;
const NOTE_CAP = 12_000;
/** The newest units keep this share of the target however many facts want room. */
const LEAST_TAIL_SHARE = 0.06;
const CHARACTERS_A_TOKEN = 3;
/** When more than this share of the target is missing in facts, the newest units and earlier notes must give way too. */
const MOST_MISSING_SHARE = 0.03;

/**
 * Older turns become the ledger's notes, one for each run between the messages that the human wrote, which stay real
 * messages in their places. Notes of earlier runs stay verbatim (law 8), so the prefix stays the same.
 */
export const extract: Rung = {
  id: 'extract',
  *plan(draft, input) {
    return yield* noteRuns(draft, input, runsBefore(draft, tailStart(draft, input.target)));
  },
  *fill(draft, input) {
    const whole = yield* fillBefore(draft, input, TAIL_SHARE);
    if (whole.unsaid === 0 && whole.tokens <= input.target) return whole.draft;
    // A fact says more than a raw message of its length: the tail makes room for those that are missing.
    const wanted = whole.unsaid / CHARACTERS_A_TOKEN + Math.max(0, whole.tokens - input.target);
    const shorter = yield* fillBefore(draft, input, Math.max(LEAST_TAIL_SHARE, TAIL_SHARE - wanted / input.target));
    const better = whole.tokens > input.target || shorter.unsaid < whole.unsaid ? shorter : whole;
    const most = input.target * MOST_MISSING_SHARE * CHARACTERS_A_TOKEN;
    return better.tokens <= input.target && better.missing <= most ? better.draft : undefined;
  },
};

function fillBefore(draft: Draft, input: PlanInput, tailShare: number): Steps<FittedNotes> {
  return fitNotes(draft, input, runsBefore(draft, tailStart(draft, input.target, tailShare)), input.target);
}

function runsBefore(draft: Draft, end: number): Run[] {
  return findRuns(draft, end, (unit) => unit.role === 'work' && unit.state !== 'note');
}

/** Replaces each run by a deterministic note where that is smaller; the notes share the room that ranges of their size usually get. */
export function* noteRuns(draft: Draft, input: PlanInput, runs: readonly Run[]): Steps<Draft> {
  const plan = yield* planNotesOf(draft, input, runs, (rawCharacters) =>
    Math.max(NOTE_LEAST, Math.min(NOTE_CAP, rawCharacters * NOTE_SHARE)),
  );
  yield;
  return plan.write(plan.usual).draft;
}
