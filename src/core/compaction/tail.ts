import { type Draft, isFrozen, type Run, type Unit } from './draft.ts';

/** Share of the target that the newest units may take and stay untouched (DESIGN section 6). */
const TAIL_SHARE = 0.2;

/**
 * Index of the first unit of the protected tail: the newest units that fit in a share of the target. Frozen units
 * stay anyway and count for nothing. At least the last unit is in the tail unless it alone is larger.
 */
export function tailStart(draft: Draft, target: number): number {
  const room = target * TAIL_SHARE;
  let used = 0;
  for (let index = draft.units.length - 1; index >= 0; index -= 1) {
    const unit = draft.units[index];
    if (unit === undefined || isFrozen(unit)) continue;
    used += unit.tokens;
    if (used > room) return index + 1;
  }
  return 0;
}

/** Maximal runs of neighbouring units from `start` to below `end` that `belongs` accepts. */
export function findRuns(draft: Draft, end: number, belongs: (unit: Unit) => boolean, start = 0): Run[] {
  const runs: Run[] = [];
  let first = -1;
  for (let index = start; index <= end; index += 1) {
    const unit = index < end ? draft.units[index] : undefined;
    if (unit !== undefined && belongs(unit)) {
      if (first < 0) first = index;
    } else if (first >= 0) {
      runs.push({ start: first, count: index - first });
      first = -1;
    }
  }
  return runs;
}
