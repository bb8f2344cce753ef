import type { Steps } from '../../steps.ts';
import { type Draft, findRuns, isFrozen, type Run, sumTokens, type Unit, unitsOf } from '../draft.ts';

/**
 * When the notes of earlier runs take more than this share of the target, or there are more than so many next to each
 * other, a single new one replaces them, made from the raw messages.
 */
const NOTES_SHARE = 0.5;
const MOST_NOTES = 3;

/**
 * The runs of units between `start` and `end`, of those that `belongs` accepts, that a strategy replaces by notes: what no
 * note of an earlier run covers yet, or whole stretches where the notes in them must become one.
 */
export function* runsToNote(
  draft: Draft,
  start: number,
  end: number,
  target: number,
  belongs = (unit: Unit): boolean => !isFrozen(unit),
): Steps<Run[]> {
  const isNote = ({ state }: Unit): boolean => state === 'note';
  const isMuch = sumTokens(draft.units.slice(start, end).filter(isNote)) > target * NOTES_SHARE;
  const runs: Run[] = [];
  for (const stretch of findRuns(draft, end, belongs, start)) {
    yield;
    const notes = unitsOf(draft, stretch).filter(isNote).length;
    const { start: from, count } = stretch;
    const between = findRuns(draft, from + count, (unit) => !isNote(unit), from);
    // A single note stays as it is.
    if (count > 1 && (isMuch || notes + between.length > MOST_NOTES)) runs.push(stretch);
    else runs.push(...between);
  }
  return runs;
}

/** Index of the unit from which on the last `count` messages are, rounded up to whole blocks; frozen units count. */
export function lastMessagesStart(draft: Draft, count: number): number {
  let messages = 0;
  for (let index = draft.units.length - 1; index >= 0; index -= 1) {
    if (messages >= count) return index + 1;
    messages += draft.units[index]?.messages.length ?? 0;
  }
  return 0;
}
