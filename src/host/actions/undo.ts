import { buildsOn } from '../../core/conversation/buildsOn.ts';
import type { Conversation } from '../../core/conversation/conversation.ts';
import { formatClock, t } from '../../core/language.ts';

/**
 * Undoes the newest compression, or the one with the id and all later ones that build on it. Returns what the user is
 * to be told, if anything.
 */
export function undoCompression(conversation: Conversation, id: string | undefined): string | undefined {
  const later = id === undefined ? [] : buildsOn(conversation.history(), id);
  for (const compaction of later) conversation.undo(compaction.id);
  if (!conversation.undo(id)) return t('There is no compression to undo.');
  if (later.length === 0) return undefined;
  const [only] = later;
  return only !== undefined && later.length === 1
    ? t('The later compression at {0}, which builds on this one, is undone too.', formatClock(only.at))
    : t('The {0} later compressions, which build on this one, are undone too.', later.length);
}
