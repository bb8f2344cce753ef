import { fence } from '../../messages/fence.ts';
import { err, ok } from '../../result.ts';
import type { Steps } from '../../steps.ts';
import { unitsAskedFor } from '../askedFor.ts';
import { type Change, type Draft, findRuns, isFrozen, rangeOf, sumTokens, type Unit, unitsOf } from '../draft.ts';
import { labelRange } from '../notes/noteText.ts';
import { inOneLine, isSaid, readSaid, saidMessage } from '../notes/said.ts';
import type { PlanInput, Strategy } from '../strategy.ts';
import { lastMessagesStart } from './noteRuns.ts';

/** The approximate tokens of the line that a dropped run leaves: its handle and what was in it. */
const LABEL_TOKENS = 100;

/**
 * Drops the oldest blocks until the target is reached, or all of them when the number of messages started the run. Of each
 * message of the human in them one line stays. The prompt and the last messages stay; what the run's instructions ask for
 * stays where the target has room for it. Only when prompt and last messages exceed the limit do the last messages go too,
 * the oldest first, down to the target. Promises handles only; asks no model.
 */
export const heuristic: Strategy = {
  id: 'heuristic',
  model: 'none',
  promise: 'handles-only',
  *plan(input) {
    const { draft } = input;
    // With too many messages, blocks are dropped whatever their size.
    const isByCount = input.trigger === 'message-count';
    if (!isByCount && draft.tokens <= input.target) return err({ reason: 'already-under-target' });
    const tail = lastMessagesStart(draft, input.settings.keepLastMessages);
    if (draft.units.every(stays)) return err({ reason: 'nothing-to-compact' });
    const kept = keptUnits(input, tail);
    const mayGo = (unit: Unit): boolean => !stays(unit) && !kept.has(unit);
    let end = isByCount ? tail : shortestDrop(input, tail, mayGo);
    let best = yield* drop(input, end, mayGo);
    // The last messages go only where they do not fit, and then as far as the target demands: a block at a time would
    // cost a run with each round. The lines that replace dropped blocks take tokens too.
    const most = end < tail || best.tokens > input.limit ? input.target : input.limit;
    while (best.tokens > most && end < draft.units.length - 1) {
      end += 1;
      best = yield* drop(input, end, mayGo);
    }
    if (best.tokens > draft.tokens * 0.98) return err({ reason: 'too-few-messages' });
    return ok({ draft: best, orders: [], rungs: [] });
  },
};

/** True for what may not be dropped: frozen units, and a summary in the user's own words, which no message contains. */
function stays(unit: Unit): boolean {
  return isFrozen(unit) || unit.narratives.some(({ by }) => by === 'user');
}

/** What the instructions ask for, the best match first, as far as it fits next to what stays anyway. */
function keptUnits({ draft, target }: PlanInput, tail: number): Set<Unit> {
  const others = draft.units.filter((unit, index) => index >= tail || stays(unit));
  let room = others.reduce((left, unit) => left - unit.tokens, target);
  const asked = unitsAskedFor(draft, draft.units.slice(0, tail)).filter((unit) => !stays(unit));
  const fits = asked.filter(({ tokens }) => {
    const isIn = tokens + LABEL_TOKENS <= room;
    if (isIn) room -= tokens + LABEL_TOKENS;
    return isIn;
  });
  return new Set(fits);
}

/** How many units, at most `tail`, must go from the start to bring the view to the target. */
function shortestDrop(input: PlanInput, tail: number, mayGo: (unit: Unit) => boolean): number {
  let excess = input.draft.tokens - input.target;
  for (let index = 0; index < tail; index += 1) {
    const unit = input.draft.units[index];
    if (excess <= 0) return index;
    if (unit !== undefined && mayGo(unit)) excess -= unit.tokens;
  }
  return tail;
}

function* drop({ draft, mark }: PlanInput, end: number, mayGo: (unit: Unit) => boolean): Steps<Draft> {
  const changes: Change[] = [];
  for (const run of findRuns(draft, end, mayGo)) {
    yield;
    const units = unitsOf(draft, run);
    const blocks = units.flatMap((unit) => unit.blocks);
    const said = blocks.filter((block) => isSaid(draft, block)).flatMap(readSaid);
    const line = fence(mark, labelRange(rangeOf(units), blocks));
    const messages = said.length === 0 ? [line] : [line, saidMessage(said, inOneLine(said))];
    if (draft.count(messages) < sumTokens(units)) changes.push({ ...run, by: { kind: 'line', messages } });
  }
  return yield* draft.replace(changes);
}
