import { findHolding } from '../messages/blocks.ts';
import { fence } from '../messages/fence.ts';
import { err, ok } from '../result.ts';
import type { Steps } from '../steps.ts';
import type { StrategyId, Trigger } from './compaction.ts';
import { type Draft, largestThatFits, type Unit } from './draft.ts';
import { dropNarratives, placeNarratives, planNarrative } from './notes/notePlan.ts';
import { renewState, withoutState } from './notes/state.ts';
import { dedupe, handOver, keptIn, mask, maskUnit, reset, shortenHuman } from './rungs.ts';
import { actionTrace } from './strategies/actionTrace.ts';
import { extractive, heuristic, karl, sandwich } from './strategies/noting.ts';
import type { PlanInput, Planner, Strategy } from './strategy.ts';

/**
 * Each plans on the draft that the one before left, from the oldest unit on and only as far as the target demands; it
 * returns the same draft when it changes nothing.
 */
const RUNGS = { dedupe, mask, 'hand-over': handOver, reset };
/** The rungs that only shorten messages, and leave their number. */
const SHORTENING = ['dedupe', 'mask'];

/**
 * The adaptive ladder: the cheapest rung first, each on the draft that the previous ones left, from the oldest unit on
 * and no further than the target demands. When the model has written a narrative, it comes first: the rungs make room
 * for it.
 */
const planLadder: Planner = function* (input) {
  if (input.draft.tokens <= input.target) return err({ reason: 'already-under-target' });
  // A new narrative replaces those that cover parts of its range.
  let start = input.draft;
  for (const { covers } of input.narratives) start = yield* dropNarratives(start, covers);
  const told = input.narratives.reduce(
    (sum, { text }) => sum + NOTE_TOKENS + start.count([fence(input.mark, text)]),
    0,
  );
  const within = { ...input, draft: start, target: Math.max(1, input.target - told) };
  const climbed = yield* climb(within);
  const { rungs } = climbed;
  if (rungs.length === 0) return err({ reason: 'nothing-to-compact' });
  const draft = yield* useRoom(start, climbed, within);
  if (input.narratives.length > 0) {
    const placed = yield* placeNarratives(yield* withoutState(draft), input.narratives, input.mark);
    // Messages that the narrative now replaces may have stated what the state must then tell.
    return ok({ draft: yield* renewState(placed, input), orders: [], rungs });
  }
  const order = planNarrative(draft, input, rungs.includes('hand-over'));
  return ok({ draft, orders: order === undefined ? [] : [order], rungs });
};

/** What a note takes beside the narrative that it holds. Tokens. */
const NOTE_TOKENS = 60;

/** Where a run starts for one of these, the next request would not fit, or did not. */
const MUST_FIT: readonly Trigger[] = ['hard-limit', 'overflow', 'smaller-model'];

/** True for triggers after whose run the request must fit. */
export function mustFit(trigger: Trigger): boolean {
  return MUST_FIT.includes(trigger);
}

/** A strategy's planner that holds the budget: where the request must fit, the ladder frees what the strategy could not. */
function withLadder(plan: Planner): Planner {
  return function* (input) {
    const own = yield* plan(input);
    if (!own.ok || !mustFit(input.trigger) || own.value.draft.tokens <= input.target) return own;
    const { draft } = own.value;
    const rest = yield* planLadder({ ...input, draft, canSummarize: false, narratives: [] });
    return rest.ok ? ok({ ...own.value, ...rest.value, orders: own.value.orders, ownTokens: draft.tokens }) : own;
  };
}

interface Climbed {
  readonly draft: Draft;
  readonly rungs: readonly string[];
}

function* climb(input: PlanInput): Steps<Climbed> {
  const rungs: string[] = [];
  let draft = yield* withoutState(input.draft);
  for (const [id, plan] of Object.entries(RUNGS)) {
    if (input.trigger === 'message-count' && SHORTENING.includes(id)) continue;
    const planned = yield* plan(draft, input);
    if (planned === draft) continue;
    const next = yield* renewState(planned, input);
    rungs.push(id);
    if (next.tokens <= input.target) return { draft: next, rungs };
    draft = yield* withoutState(next);
  }
  return { draft: yield* renewState(draft, input), rungs };
}

/** The room is well used when less than this share of the target is left over. */
const SPARE_SHARE = 0.01;
/** How many messages that do not fit whole are made longer. */
const MOST_LONGER = 6;

/**
 * No smaller than needed: while there is room, what a plan shortened is shown whole, or at greater length, from the
 * newest on.
 */
function* useRoom(start: Draft, { draft: after }: Climbed, input: PlanInput): Steps<Draft> {
  const spare = input.target * SPARE_SHARE;
  let room = input.target - after.tokens;
  if (room < spare) return after;
  const before = (yield* withoutState(start)).units;
  const bare = yield* withoutState(after);
  const units = [...bare.units];
  let longer = 0;
  for (let index = units.length - 1; index >= 0 && room > spare; index -= 1) {
    if (index % 64 === 0) yield;
    const now = bare.units[index];
    const was = now?.state === 'shortened' ? before[findHolding(before, now.range.from)] : undefined;
    if (now === undefined || was === undefined || was.range.to !== now.range.to || was.tokens <= now.tokens) continue;
    const fits = was.tokens - now.tokens <= room;
    if (!fits && longer === MOST_LONGER) continue;
    yield;
    if (!fits) longer += 1;
    const shown = fits ? was : yield* lengthen(bare, now, was, now.tokens + room);
    units[index] = shown;
    room -= shown.tokens - now.tokens;
  }
  const given = yield* renewState(bare.withUnits(units), input);
  return given.tokens <= input.target ? given : after;
}

/** A unit that was shortened, with as much of what it was as fits in `most` tokens. */
function* lengthen(draft: Draft, now: Unit, was: Unit, most: number): Steps<Unit> {
  const fitting = yield* largestThatFits(was.tokens, most, function* (tokens) {
    const messages = was.role === 'human' ? shortenHuman(was, tokens) : maskUnit(was, keptIn(tokens));
    return messages === undefined ? undefined : { messages, tokens: yield* draft.countInSteps(messages) };
  });
  return fitting === undefined || fitting.tokens <= now.tokens ? now : { ...now, ...fitting };
}

/** The ladder, which is the default. Works with and without a model. */
const adaptive: Strategy = { id: 'adaptive', model: 'optional', promise: 'facts-in-view', plan: planLadder };

/** Every strategy by its id. */
export const STRATEGIES: Readonly<Record<StrategyId, Strategy>> = {
  adaptive,
  heuristic: holding(heuristic),
  karl: holding(karl),
  sandwich: holding(sandwich),
  extractive: holding(extractive),
  'action-trace': holding(actionTrace),
};

function holding(strategy: Strategy): Strategy {
  return { ...strategy, plan: withLadder(strategy.plan) };
}
