import { fence } from '../../messages/fence.ts';
import { err, ok } from '../../result.ts';
import { type Draft, isFrozen } from '../draft.ts';
import { labelRange } from '../notes/label.ts';
import { rangeOf } from '../notes/notePlan.ts';
import type { PlanInput, Strategy } from '../strategy.ts';
import { findRuns } from '../tail.ts';
import { hasReplaceable, lastMessagesStart } from './lastMessages.ts';

/** A dropped run keeps one line of this many characters: its handle and what was in it. */
const LABEL_CHARACTERS = 200;

/**
 * Drops the oldest blocks until the target holds (all of them when the count of messages started the run); prompt and the
 * last messages stay. When these alone are over the limit, the last messages go too, oldest first, down to the newest
 * block. Promises handles only; asks no model.
 */
export const heuristic: Strategy = {
  id: 'heuristic',
  model: 'none',
  promise: 'handles-only',
  *plan(input) {
    const { draft } = input;
    // Too many messages become fewer whatever they take.
    const isByCount = input.trigger === 'message-count';
    if (!isByCount && draft.tokens <= input.target) return err({ reason: 'already-under-target' });
    const tail = lastMessagesStart(draft, input.settings.keepLastMessages);
    if (!hasReplaceable(draft, draft.units.length)) return err({ reason: 'nothing-to-compact' });
    yield;
    let best = drop(draft, isByCount ? tail : shortestDrop(input, tail), input);
    for (let end = tail + 1; best.tokens > input.limit && end < draft.units.length; end += 1)
      best = drop(draft, end, input);
    if (best.tokens > draft.tokens * 0.98) return err({ reason: 'too-few-messages' });
    return ok({ draft: best, orders: [], rungs: [] });
  },
};

/** The fewest units from the start whose going brings the view to the target, at most `tail`. */
function shortestDrop(input: PlanInput, tail: number): number {
  let excess = input.draft.tokens - input.target;
  for (let index = 0; index < tail; index += 1) {
    const unit = input.draft.units[index];
    if (excess <= 0) return index;
    if (unit !== undefined && !isFrozen(unit)) excess -= unit.tokens;
  }
  return tail;
}

function drop(draft: Draft, end: number, input: PlanInput): Draft {
  const runs = findRuns(draft, end, (unit) => !isFrozen(unit));
  return draft.replace(
    runs.flatMap((run) => {
      const units = draft.units.slice(run.start, run.start + run.count);
      const range = rangeOf(units);
      const blocks = units.flatMap((unit) => unit.blocks);
      const messages = [fence(input.mark, labelRange(range, blocks, LABEL_CHARACTERS))];
      const tokens = units.reduce((sum, unit) => sum + unit.tokens, 0);
      return draft.count(messages) >= tokens ? [] : [{ ...run, by: { kind: 'line' as const, messages } }];
    }),
  );
}
