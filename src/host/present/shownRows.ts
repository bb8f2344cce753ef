import type { MessageId } from '../../core/messages/message.ts';
import type { Shown } from './entries.ts';

/**
 * How many rows the view shows at the end, and how many at most elsewhere: its memory and each snapshot grow with them.
 */
const NEWEST_ROWS = 40;
const MOST_ROWS = 300;

/** How many messages before the one that the reader goes to are shown too. */
const BEFORE = 20;

/** The end of a conversation. */
export const NEWEST: Shown = { rows: NEWEST_ROWS };

/** The rows from a message on, for a reader who is there. */
export function fromMessage(id: MessageId): Shown {
  return { rows: MOST_ROWS, from: id };
}

/** The surroundings of a message. */
export function aroundMessage(id: MessageId): Shown {
  return fromMessage(Math.max(0, id - BEFORE));
}
