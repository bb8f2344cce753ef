import type { Draft } from '../draft.ts';
import { isFrozen } from '../unit.ts';

/** Index of the unit from which on the last `count` messages are, rounded up to whole blocks; frozen units count. */
export function lastMessagesStart(draft: Draft, count: number): number {
  let messages = 0;
  for (let index = draft.units.length - 1; index >= 0; index -= 1) {
    if (messages >= count) return index + 1;
    messages += draft.units[index]?.messages.length ?? 0;
  }
  return 0;
}

/** True when some unit before `end` may be replaced. */
export function hasReplaceable(draft: Draft, end: number): boolean {
  return draft.units.slice(0, end).some((unit) => !isFrozen(unit));
}
