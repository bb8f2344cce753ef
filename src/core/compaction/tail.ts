import { eachInSteps, runAtOnce, type Steps, sortInSteps } from '../steps.ts';
import type { Draft, Run } from './draft.ts';
import { isFrozen, type Unit } from './unit.ts';

/** The share of the target that the newest units may take and stay untouched (ARCHITECTURE, figures). */
const TAIL_SHARE = 0.2;

/** The newest units of a draft, which stay untouched. */
export interface Tail {
  /** Index of its first unit. */
  readonly start: number;
  /** Tokens that are left over because the unit before the tail is larger. */
  readonly left: number;
}

/**
 * The newest units that fit in a share of the target. What the model has not read takes its part of that share; other
 * frozen units stay anyway and do not count.
 */
export function tailOf(draft: Draft, target: number): Tail {
  let left = target * TAIL_SHARE;
  for (let index = draft.units.length - 1; index >= 0; index -= 1) {
    const unit = draft.units[index];
    if (unit === undefined || (isFrozen(unit) && unit.role !== 'unread')) continue;
    if (unit.role !== 'unread' && unit.tokens > left) return { start: index + 1, left };
    left = Math.max(0, left - unit.tokens);
  }
  return { start: 0, left };
}

/** The size to which the largest must be cut so that all together take `most`; infinite when they fit uncut. */
export function* evenCap(sizes: readonly number[], most: number): Steps<number> {
  let left = most;
  const sorted = yield* sortInSteps(sizes, (a, b) => a - b);
  for (const [index, size] of sorted.entries()) {
    const share = left / (sorted.length - index);
    if (size > share) return Math.floor(share);
    left -= size;
  }
  return Number.POSITIVE_INFINITY;
}

/** Maximal runs of neighbouring units, from `start` to before `end`, that `belongs` accepts. */
export function findRuns(draft: Draft, end: number, belongs: (unit: Unit) => boolean, start = 0): Run[] {
  return runAtOnce(findRunsInSteps(draft.units.slice(start, end), belongs, start));
}

/** The same in steps; `start` is the index of the first of the given units. */
export function* findRunsInSteps(units: readonly Unit[], belongs: (unit: Unit) => boolean, start = 0): Steps<Run[]> {
  const runs: Run[] = [];
  let first = -1;
  const end = (index: number): void => {
    if (first >= 0) runs.push({ start: start + first, count: index - first });
    first = -1;
  };
  yield* eachInSteps(units, (unit, index) => {
    if (!belongs(unit)) end(index);
    else if (first < 0) first = index;
  });
  end(units.length);
  return runs;
}
