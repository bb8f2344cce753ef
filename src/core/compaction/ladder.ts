import { fence } from '../messages/fence.ts';
import type { MessageId } from '../messages/message.ts';
import { err, ok } from '../result.ts';
import { eachInSteps, type Steps } from '../steps.ts';
import type { Trigger } from './compaction.ts';
import type { Draft, Unit } from './draft.ts';
import { dropNarratives, placeNarratives, planNarrative } from './notes/narrative.ts';
import { renewState, withoutState } from './notes/state.ts';
import { dedupe } from './rungs/dedupe.ts';
import { handOver, reset, shortenHuman } from './rungs/handOver.ts';
import { keptIn, mask, maskUnit } from './rungs/mask.ts';
import type { PlanInput, Planner, Rung } from './strategy.ts';

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

/** The room is well used when less than this share of the target is left over. */
const SPARE_SHARE = 0.01;
/** How many attempts are made at a length that fits. */
const MOST_LENGTHS = 10;

/**
 * No smaller than needed: while there is room, what a plan shortened becomes as it was before. First what the human
 * wrote, then all else, each from the newest on. `most`: of how many that do not fit whole more is shown.
 */
export function* giveBack(before: Draft, after: Draft, input: PlanInput, most: number): Steps<Draft> {
  if (after.tokens > input.target * (1 - SPARE_SHARE)) return after;
  const bare = withoutState(after);
  let room = input.target - after.tokens;
  const units = [...bare.units];
  let longer = 0;
  for (const { index, was } of yield* shortened(withoutState(before), bare)) {
    if (room <= input.target * SPARE_SHARE) break;
    const now = units[index];
    if (now === undefined) continue;
    yield;
    const more = was.tokens - now.tokens;
    if (more > room && longer === most) continue;
    if (more > room) longer += 1;
    const restored = more > room ? yield* lengthen(bare, now, was, room) : was;
    units[index] = restored;
    room -= restored.tokens - now.tokens;
  }
  const given = yield* renewState(bare.withUnits(units), input);
  return given.tokens <= input.target ? given : after;
}

/** The units that a plan shortened, with what they were: those of the human first, and each from the newest on. */
function* shortened(before: Draft, after: Draft): Steps<{ readonly index: number; readonly was: Unit }[]> {
  const known = new Map<MessageId, Unit>();
  yield* eachInSteps(before.units, (unit) => known.set(unit.range.from, unit));
  const found: { readonly index: number; readonly was: Unit }[] = [];
  yield* eachInSteps(after.units, (unit, index) => {
    const was = unit.state === 'shortened' ? known.get(unit.range.from) : undefined;
    if (was !== undefined && was.range.to === unit.range.to && was.tokens > unit.tokens) found.push({ index, was });
  });
  const isHuman = ({ was }: { readonly was: Unit }): boolean => was.role === 'human';
  const newest = found.reverse();
  return [...newest.filter(isHuman), ...newest.filter((one) => !isHuman(one))];
}

/** A unit that was shortened, with as much of what it was as fits in `room` more tokens. */
function* lengthen(draft: Draft, now: Unit, was: Unit, room: number): Steps<Unit> {
  let best = now;
  let fits = 0;
  let tooMuch = was.tokens;
  for (let tries = 0; tries < MOST_LENGTHS; tries += 1) {
    const tokens = (fits + tooMuch) / 2;
    const messages = was.role === 'human' ? shortenHuman(was, tokens) : maskUnit(was, keptIn(tokens));
    if (messages === undefined) tooMuch = tokens;
    else {
      const size = yield* draft.countInSteps(messages);
      if (size > now.tokens + room) tooMuch = tokens;
      else {
        fits = tokens;
        if (size > best.tokens) best = { ...now, messages, tokens: size };
      }
    }
  }
  return best;
}
