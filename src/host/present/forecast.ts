import type { ContentsState } from '../../protocol/contents.ts';
import type { ContentsInput } from './contents.ts';

/** More room than any window has: nobody stated one. */
const MOST_ROOM = 1_000_000_000;

/** How many of the last turns are averaged. */
const TURNS = 5;

/**
 * What a turn has added on average lately, and how many more such turns fit; undefined before the first turn has ended.
 * A turn that has not ended yet, which begins with the last message of the user, does not count.
 */
export function forecast({
  messages,
  count,
  room,
}: Pick<ContentsInput, 'messages' | 'count' | 'room'>): ContentsState['forecast'] {
  const starts = messages.flatMap((message) => (message.role === 'user' && message.by === 'human' ? [message.id] : []));
  const last = messages.at(-1);
  // A reply without calls ends a turn.
  const isOver = last?.role === 'assistant' && last.calls.length === 0;
  const ends = isOver ? [...starts, messages.length] : starts;
  const [first, end] = [ends.at(-TURNS - 1) ?? ends[0], ends.at(-1)];
  const turns = Math.min(TURNS, ends.length - 1);
  if (first === undefined || end === undefined || turns < 1) return undefined;
  const tokens = messages.slice(first, end).reduce((total, { wire }) => total + count(wire), 0);
  const perTurn = tokens / turns;
  return perTurn < 1 || room > MOST_ROOM ? undefined : { perTurn, turnsLeft: Math.max(0, Math.floor(room / perTurn)) };
}
