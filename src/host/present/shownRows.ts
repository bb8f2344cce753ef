import type { MessageId } from '../../core/messages/message.ts';
import type { Shown } from './entries.ts';

/** How many rows the view shows first, and how many more with each "load earlier". */
const ROWS = 60;

/** The end of a conversation. */
export const NEWEST: Shown = { rows: ROWS, since: Number.POSITIVE_INFINITY };

/** More rows, and more messages before the one that was gone to. */
export function withEarlier({ rows, since }: Shown): Shown {
  return { rows: rows + ROWS, since: Math.max(0, since - ROWS) };
}

/** Everything from a message on. */
export function withMessage(shown: Shown, id: MessageId): Shown {
  return { ...shown, since: Math.min(shown.since, id) };
}

/** What is shown to a reader who is back at the end: what was gone to is sent no more. */
export function atEnd({ rows }: Shown): Shown {
  return { ...NEWEST, rows };
}
