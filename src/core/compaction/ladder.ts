import { fence } from '../messages/fence.ts';
import { err, ok } from '../result.ts';
import type { Steps } from '../steps.ts';
import type { Trigger } from './compaction.ts';
import type { Draft } from './draft.ts';
import { giveBack } from './giveBack.ts';
import { dropNarratives, placeNarratives, planNarrative } from './notes/narrative.ts';
import { renewState, withoutState } from './notes/state.ts';
import type { Rung } from './rung.ts';
import { dedupe } from './rungs/dedupe.ts';
import { handOver } from './rungs/handOver.ts';
import { mask } from './rungs/mask.ts';
import { reset } from './rungs/reset.ts';
import type { PlanInput, Planner } from './strategy.ts';

const RUNGS: readonly Rung[] = [dedupe, mask, handOver, reset];
/** The rungs that reduce the number of messages: the first two only shorten. */
const MERGING: readonly Rung[] = [handOver, reset];

/**
 * The adaptive ladder: the cheapest rung first, each on the draft that the previous ones left, from the oldest unit on
 * and no further than the target demands. When the model has written a narrative, it comes first: the rungs make room
 * for it.
 */
export const planLadder: Planner = function* (input) {
  if (input.draft.tokens <= input.target) return err({ reason: 'already-under-target' });
  // A narrative made anew replaces the narratives of its parts.
  const start = input.narratives.reduce((draft, { covers }) => dropNarratives(draft, covers), input.draft);
  let told = input.draft.count(input.narratives.map(({ text }) => fence(input.mark, text)));
  for (let tries = 1; ; tries += 1) {
    const climbed = yield* climb({ ...input, draft: start, target: Math.max(1, input.target - told) });
    const { rungs } = climbed;
    if (rungs.length === 0) return err({ reason: 'nothing-to-compact' });
    if (input.narratives.length === 0) {
      const draft = yield* fillUp(start, climbed, input);
      const order = planNarrative(draft, input, rungs.includes(handOver.id));
      return ok({ draft, orders: order === undefined ? [] : [order], rungs });
    }
    // Renewed after the placing: messages that the narrative now replaces may have stated what the state must then
    // tell.
    const placed = yield* renewState(yield* placeNarratives(climbed.draft, input.narratives, input.mark), input);
    // The note with the narrative may be larger than what it replaces.
    const over = placed.tokens - input.target;
    if (over <= 0 || tries === MOST_PLACINGS)
      return ok({ draft: yield* fillUp(start, { ...climbed, draft: placed }, input), orders: [], rungs });
    // What a rung frees comes in whole units, so each attempt makes more room than the last one lacked.
    told += over * tries;
  }
};

/** Where a run starts for one of these, the next request would not fit, or did not. */
const MUST_FIT: readonly Trigger[] = ['hard-limit', 'overflow', 'smaller-model'];

/** True for a run after which the request must fit, whatever its strategy can free. */
export function mustFit(trigger: Trigger): boolean {
  return MUST_FIT.includes(trigger);
}

/** A strategy's planner that holds the budget: where the request must fit, the ladder frees what the strategy could not. */
export function withLadder(plan: Planner): Planner {
  return function* (input) {
    const own = yield* plan(input);
    if (!own.ok || !mustFit(input.trigger) || own.value.draft.tokens <= input.target) return own;
    const { draft } = own.value;
    const rest = yield* planLadder({ ...input, draft, canSummarize: false, narratives: [] });
    return rest.ok ? ok({ ...own.value, ...rest.value, orders: own.value.orders, ownTokens: draft.tokens }) : own;
  };
}

/**
 * What a state takes depends on the rest of the view, and even more what a narrative takes, whose place may have to
 * become a note: this many attempts to make room for it.
 */
const MOST_TRIES = 3;
const MOST_PLACINGS = 5;

interface Climbed {
  readonly draft: Draft;
  readonly rungs: readonly string[];
  /** The draft without what a later message supersedes. */
  readonly deduped: Draft;
}

/** How many messages that do not fit whole are made longer. */
const MOST_LONGER = 6;

/** Gives back what there is room for. What a later message supersedes comes last, and only whole: a part of it says nothing. */
function* fillUp(start: Draft, { draft, deduped }: Climbed, input: PlanInput): Steps<Draft> {
  return yield* giveBack(start, yield* giveBack(deduped, draft, input, MOST_LONGER), input, 0);
}

function* climb(input: PlanInput): Steps<Climbed> {
  const rungs: string[] = [];
  let draft = withoutState(input.draft);
  let deduped = draft;
  for (const rung of input.trigger === 'message-count' ? MERGING : RUNGS) {
    const next = yield* planWithState(rung, draft, input);
    if (next === draft) continue;
    rungs.push(rung.id);
    if (rung === dedupe) deduped = withoutState(next);
    if (next.tokens <= input.target) return { draft: next, rungs, deduped };
    draft = withoutState(next);
  }
  return { draft: yield* renewState(draft, input), rungs, deduped };
}

/** A rung's draft with its state. It is planned again when only the state takes it over the target. */
function* planWithState(rung: Rung, draft: Draft, input: PlanInput): Steps<Draft> {
  let stated = draft;
  let { target } = input;
  for (let tries = 0; tries < MOST_TRIES; tries += 1) {
    const bare = yield* rung.plan(draft, { ...input, target });
    if (bare === draft) return draft;
    stated = yield* renewState(bare, input);
    if (bare.tokens > target || stated.tokens <= input.target) return stated;
    target = Math.min(target - 1, input.target - (stated.tokens - bare.tokens));
  }
  return stated;
}
