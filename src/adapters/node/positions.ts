import { eachInSteps, mapInSteps, type Steps } from '../../core/steps.ts';

/** A position as stated by a line; `sealed` when a checksum vouches for it. */
export interface StatedPosition {
  readonly id: number;
  readonly sealed: boolean;
}

/**
 * The indices of the lines whose positions can be believed; `undefined` = a line that states none. They rise from line
 * to line. A position without a checksum must not contradict one that has it, nor the run of the others, and at the end
 * of the file, where no later line confirms it, must not be higher than the lines before it suggest.
 */
export function* findTrusted(stated: readonly (StatedPosition | undefined)[]): Steps<ReadonlySet<number>> {
  const rise = yield* longestRise(yield* withoutContradictions(stated));
  const trusted = new Set<number>();
  yield* eachInSteps(rise, (index) => trusted.add(index));
  const last = rise.at(-1);
  if (last === undefined || stated[last]?.sealed === true) return trusted;
  const before = rise.at(-2);
  const lines = last - (before ?? -1);
  const places = idOf(stated, last) - (before === undefined ? -1 : idOf(stated, before));
  if (places > lines) trusted.delete(last);
  return trusted;
}

function idOf(stated: readonly (StatedPosition | undefined)[], index: number): number {
  return stated[index]?.id ?? 0;
}

/**
 * The positions, without those that are not lower than every sealed one after them and higher than every one before
 * them.
 */
function* withoutContradictions(
  stated: readonly (StatedPosition | undefined)[],
): Steps<readonly (number | undefined)[]> {
  /** Filled from the last line to the first. */
  const lowestAfter: number[] = [];
  let lowest = Number.POSITIVE_INFINITY;
  yield* eachInSteps(stated.toReversed(), (position) => {
    lowestAfter.push(lowest);
    if (position?.sealed === true) lowest = Math.min(lowest, position.id);
  });
  let highest = -1;
  return yield* mapInSteps(stated, (position, index) => {
    if (position?.sealed === true) highest = Math.max(highest, position.id);
    const fits =
      position !== undefined &&
      (position.sealed ||
        (position.id > highest && position.id < (lowestAfter[stated.length - 1 - index] ?? Number.POSITIVE_INFINITY)));
    return fits ? position.id : undefined;
  });
}

/**
 * The indices of a longest run of rising numbers. Of several runs, the one with the lowest numbers; of equal numbers,
 * the one that is as many lines after the previous number as it is higher, or else the first.
 */
function* longestRise(ids: readonly (number | undefined)[]): Steps<number[]> {
  /** For each length of a run, the index at which the lowest run of that length ends. */
  const ends: number[] = [];
  const previous: (number | undefined)[] = [];
  yield* eachInSteps(ids, (id, index) => {
    if (id === undefined) return;
    let low = 0;
    for (let high = ends.length; low < high; ) {
      const middle = (low + high) >> 1;
      if ((ids[ends[middle] ?? 0] ?? 0) < id) low = middle + 1;
      else high = middle;
    }
    const before = low === 0 ? undefined : ends[low - 1];
    const follows = (at: number): boolean => id - (ids[before ?? -1] ?? -1) === at - (before ?? -1);
    const end = ends[low];
    if (end !== undefined && ids[end] === id && (follows(end) || !follows(index))) return;
    previous[index] = before;
    ends[low] = index;
  });
  const run: number[] = [];
  for (let index = ends.at(-1); index !== undefined; index = previous[index]) run.push(index);
  return run.reverse();
}
