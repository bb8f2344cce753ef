import type { MessageId } from '../messages/message.ts';
import { eachInSteps, type Steps } from '../steps.ts';
import type { Draft } from './draft.ts';
import { renewState, withoutState } from './notes/state.ts';
import { shortenHuman } from './rungs/handOver.ts';
import { keptIn, maskUnit } from './rungs/mask.ts';
import type { PlanInput } from './strategy.ts';
import type { Unit } from './unit.ts';

/** The room is well used when less than this share of the target is left over. */
const SPARE_SHARE = 0.01;
/** How many attempts are made at a length that fits. */
const MOST_TRIES = 10;

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
  for (let tries = 0; tries < MOST_TRIES; tries += 1) {
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
