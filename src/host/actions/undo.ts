import { buildsOn } from '../../core/conversation/buildsOn.ts';
import type { Conversation } from '../../core/conversation/conversation.ts';
import { formatClock } from '../present/words.ts';

/**
 * Undoes the newest compression, or the one named with all later ones that build on it. Answers what the user is to be
 * told, if anything.
 */
export function undoCompression(conversation: Conversation, id: string | undefined): string | undefined {
  const later = id === undefined ? [] : buildsOn(conversation.history(), id);
  for (const compaction of later) conversation.undo(compaction.id);
  if (!conversation.undo(id)) return 'There is no compression to undo.';
  if (later.length === 0) return undefined;
  const times = later.map(({ at }) => formatClock(at)).reverse();
  return times.length === 1
    ? `The later compression at ${times[0]}, which builds on this one, is undone too.`
    : `The later compressions at ${times.slice(0, -1).join(', ')} and ${times.at(-1)}, which build on this one, are undone too.`;
}
