import type { Compaction } from '../../core/compaction/compaction.ts';
import { buildsOn, undoneWith } from '../../core/conversation/buildsOn.ts';
import type { Conversation } from '../../core/conversation/conversation.ts';
import { formatClock, t } from '../../core/language.ts';

/**
 * Undoes the newest compression, or the one with the id and all later ones that build on it. Returns what the user is
 * to be told, if anything.
 */
export function undoCompression(conversation: Conversation, id: string | undefined): string | undefined {
  const later = id === undefined ? [] : buildsOn(conversation.history(), id);
  for (const compaction of later) conversation.undo(compaction.id, id);
  if (!conversation.undo(id)) return t('There is no compression to undo.');
  return tellLater(later, {
    one: (time) => t('The later compression at {0}, which builds on this one, is undone too.', time),
    many: (count) => t('The {0} later compressions, which build on this one, are undone too.', count),
  });
}

/**
 * Redoes the oldest undone compression, or the one with the id, and the later ones that its undo took along. Returns
 * what the user is to be told, if anything.
 */
export function redoCompression(
  conversation: Conversation,
  id = conversation.history().find(({ undone }) => undone)?.compaction.id,
): string | undefined {
  const later = id === undefined ? [] : undoneWith(conversation.history(), id);
  if (!conversation.redo(id)) return t('There is no compression to redo.');
  for (const compaction of later) conversation.redo(compaction.id);
  return tellLater(later, {
    one: (time) => t('The later compression at {0}, which was undone with this one, is redone too.', time),
    many: (count) => t('The {0} later compressions, which were undone with this one, are redone too.', count),
  });
}

interface LaterWords {
  readonly one: (time: string) => string;
  readonly many: (count: number) => string;
}

function tellLater(later: readonly Compaction[], { one, many }: LaterWords): string | undefined {
  const [only] = later;
  if (only === undefined) return undefined;
  return later.length === 1 ? one(formatClock(only.at)) : many(later.length);
}
