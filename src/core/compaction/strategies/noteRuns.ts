import { rangeLength } from '../../messages/blocks.ts';
import { eachInSteps, type Steps } from '../../steps.ts';
import { type Draft, findRuns, isFrozen, type Run, sumTokens, type Unit, unitsOf } from '../draft.ts';

/**
 * When the notes of earlier runs take more than this share of the target, a single new one replaces them, made from the
 * raw messages.
 */
const NOTES_SHARE = 0.5;
/**
 * At most this many notes are kept next to each other: with one more, the newest are replaced by one made from their
 * raw messages.
 */
const MOST_NOTES = 3;

/**
 * The runs of units between `start` and `end`, of those that `belongs` accepts, that a strategy replaces by notes.
 * Notes of earlier runs stay, unless together they take too much of the target or there are too many next to each
 * other.
 */
export function* runsToNote(
  draft: Draft,
  start: number,
  end: number,
  target: number,
  belongs = (unit: Unit): boolean => !isFrozen(unit),
): Steps<Run[]> {
  const notes = draft.units.slice(start, end).filter(({ state }) => state === 'note');
  return yield* mergeNotes(draft, findRuns(draft, end, belongs, start), sumTokens(notes) > target * NOTES_SHARE);
}

/**
 * The runs that become notes: what no note covers yet; together with the newest notes where there would be too many
 * next to each other; or, with `all`, whole stretches.
 */
function* mergeNotes(draft: Draft, stretches: readonly Run[], all: boolean): Steps<Run[]> {
  const runs: Run[] = [];
  for (const stretch of stretches) {
    yield;
    const parts = yield* partsOf(draft, stretch);
    const merged = all ? parts.length : countToMerge(parts);
    const [first, ...others] = parts.slice(-merged);
    runs.push(...parts.slice(0, -merged).filter(({ isNote }) => !isNote));
    // A single note stays as it is.
    if (first !== undefined && !(first.isNote && others.length === 0))
      runs.push({ start: first.start, count: others.reduce((sum, part) => sum + part.count, first.count) });
  }
  return runs;
}

/** One note of an earlier run, or everything between two of them. */
interface Part extends Run {
  readonly isNote: boolean;
  /** How many raw messages it covers. */
  readonly messages: number;
}

function* partsOf(draft: Draft, stretch: Run): Steps<Part[]> {
  const parts: Part[] = [];
  yield* eachInSteps(unitsOf(draft, stretch), (unit, index) => {
    const last = parts.at(-1);
    const isNote = unit.state === 'note';
    const messages = rangeLength(unit.range);
    if (last === undefined || isNote || last.isNote)
      parts.push({ start: stretch.start + index, count: 1, isNote, messages });
    else parts[parts.length - 1] = { ...last, count: last.count + 1, messages: last.messages + messages };
  });
  return parts;
}

/**
 * How many of the last parts become one note. Where there are too many parts: as few as necessary, and then each part
 * before them that covers no more messages than they do together. So old notes about many messages stay word for word,
 * and few messages are read again.
 */
function countToMerge(parts: readonly Part[]): number {
  let count = Math.max(1, parts.length - MOST_NOTES + 1);
  if (count === 1) return count;
  let messages = parts.slice(-count).reduce((sum, part) => sum + part.messages, 0);
  for (let before = parts.at(-count - 1); before !== undefined && before.messages <= messages; ) {
    count += 1;
    messages += before.messages;
    before = parts.at(-count - 1);
  }
  return count;
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
