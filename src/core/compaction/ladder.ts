import { err, ok } from '../result.ts';
import type { Draft } from './draft.ts';
import type { Rung } from './rung.ts';
import { dedupe } from './rungs/dedupe.ts';
import { extract } from './rungs/extract.ts';
import { mask } from './rungs/mask.ts';
import { reset } from './rungs/reset.ts';
import { planSummary } from './rungs/summarize.ts';
import { trace } from './rungs/trace.ts';
import { renewState, withoutState } from './stateNote.ts';
import type { Steps } from './steps.ts';
import type { Plan, PlanInput, Planner } from './strategy.ts';

/** A rung that adds less than this share of the view is skipped (DESIGN section 6). */
const LEAST_GAIN = 0.02;

const BEFORE_MODEL: readonly Rung[] = [dedupe, mask, trace, extract];

/**
 * The adaptive ladder: the cheapest rung first, each on what the ones before left, stopping at the target. A model is
 * asked only when the deterministic rungs do not reach it; reset comes last.
 */
export const planLadder: Planner = function* (input) {
  if (input.draft.tokens <= input.target) return err('already-under-target');
  const rungs: string[] = [];
  // The state of an earlier run is renewed in any case; without it a note of an unchanged range is seen to be no smaller anew.
  let draft = withoutState(input.draft);
  let over = draft.tokens - input.target;
  for (const rung of BEFORE_MODEL) {
    const before = draft;
    const next = yield* take(rung, before, input, over);
    if (next === undefined) continue;
    draft = next;
    rungs.push(rung.id);
    // The state only adds to a draft: one above the target needs none to be seen so.
    const done = draft.tokens > input.target ? undefined : yield* finish(draft, input, rungs);
    if (done !== undefined && done.draft.tokens <= input.target) return ok(yield* fillRoom(done, rung, before, input));
    over = (done?.draft ?? draft).tokens - input.target;
    const squeezed = input.canSummarize ? undefined : yield* squeeze(rung, before, input, rungs);
    if (squeezed !== undefined) return ok(squeezed);
  }
  if (input.canSummarize) {
    const summary = planSummary(draft, input);
    if (summary !== undefined) {
      const expected = summary.draft.tokens + summary.order.maxTokens;
      if (expected <= input.target) {
        const told = yield* finish(summary.draft, input, [...rungs, 'summarize']);
        return ok({ ...told, orders: [summary.order], without: yield* climbReset(draft, input, rungs, over) });
      }
    }
  }
  const last = yield* climbReset(draft, input, rungs, over);
  return last.rungs.length === 0 ? err('nothing-to-compact') : ok(last);
};

/** Rungs that share the room by rules of thumb are planned again when they use less than this share of the target. */
const ROOMY = 0.95;
const GENEROUS = [4, 1.7];

/** Plans the last rung again with more facts, where the target leaves room; the first plan when that is too much. */
function* fillRoom(done: Plan, rung: Rung, before: Draft, input: PlanInput): Steps<Plan> {
  if (rung.fill !== undefined) return (yield* squeeze(rung, before, input, done.rungs)) ?? done;
  if (done.draft.tokens > input.target * ROOMY) return done;
  for (const generosity of GENEROUS) {
    const generous = { ...input, generosity };
    const richer = yield* finish(yield* rung.plan(before, generous), input, done.rungs);
    if (richer.draft.tokens <= input.target) return richer;
  }
  return done;
}

/** Plans the last rung again with as many facts as fit; undefined when too few do. */
function* squeeze(rung: Rung, before: Draft, input: PlanInput, rungs: readonly string[]): Steps<Plan | undefined> {
  const next = rung.fill === undefined ? undefined : yield* rung.fill(before, input);
  if (next === undefined) return undefined;
  const told = yield* finish(next, input, rungs);
  return told.draft.tokens <= input.target ? told : undefined;
}

function* climbReset(draft: Draft, input: PlanInput, rungs: readonly string[], over: number): Steps<Plan> {
  const next = yield* take(reset, draft, input, over);
  return next === undefined ? yield* finish(draft, input, rungs) : yield* finish(next, input, [...rungs, reset.id]);
}

/**
 * The draft after a rung; undefined when it adds too little to be worth a change and does not save what the view, its
 * state included, is `over` the target.
 */
function* take(rung: Rung, draft: Draft, input: PlanInput, over: number): Steps<Draft | undefined> {
  const next = yield* rung.plan(draft, input);
  const saved = draft.tokens - next.tokens;
  return saved > 0 && (saved >= over || saved >= input.draft.tokens * LEAST_GAIN) ? next : undefined;
}

/** A plan of what the rungs so far left, with the state renewed. */
function* finish(draft: Draft, input: PlanInput, rungs: readonly string[]): Steps<Plan> {
  return { draft: yield* renewState(draft, input), orders: [], rungs };
}
