import type { Compaction } from '../../core/compaction/compaction.ts';
import type { Conversation } from '../../core/conversation/conversation.ts';
import { buildsOn, undoneWith } from '../../core/conversation/history.ts';
import { t } from '../../core/language.ts';
import { nameMoment } from '../present/moments.ts';

/**
 * Undoes the newest compression, or the one with the id and all later ones that build on it. Returns what the user is
 * to be told, if anything.
 */
export function undoCompression(conversation: Conversation, id: string | undefined): string | undefined {
  const later = id === undefined ? [] : buildsOn(conversation.history(), id);
  for (const compaction of later) conversation.undo(compaction.id, id);
  if (!conversation.undo(id)) return t('There is no compression to undo.');
  return tellLater(conversation, id, later, {
    one: (time, of) => t('The later compression at {0}, which builds on the one at {1}, is undone too.', time, of),
    many: (count, of) => t('The {0} later compressions, which build on the one at {1}, are undone too.', count, of),
  });
}

/**
 * Redoes the oldest undone compression, or the one with the id, and the later ones that its undo took along. Returns
 * what the user is to be told, if anything.
 */
export function redoCompression(
  conversation: Conversation,
  id = conversation.history().find(({ undone, superseded }) => undone && !superseded)?.compaction.id,
): string | undefined {
  const later = id === undefined ? [] : undoneWith(conversation.history(), id);
  if (!conversation.redo(id)) return t('There is no compression to redo.');
  for (const compaction of later) conversation.redo(compaction.id, id);
  return tellLater(conversation, id, later, {
    one: (time, of) =>
      t('The later compression at {0}, which was undone with the one at {1}, is redone too.', time, of),
    many: (count, of) =>
      t('The {0} later compressions, which were undone with the one at {1}, are redone too.', count, of),
  });
}

/** What is said of one later compression, or of several; `of`: when the one ran that the user chose. */
interface LaterWords {
  readonly one: (time: string, of: string) => string;
  readonly many: (count: number, of: string) => string;
}

function tellLater(
  conversation: Conversation,
  id: string | undefined,
  later: readonly Compaction[],
  { one, many }: LaterWords,
): string | undefined {
  const history = conversation.history();
  const [only] = later;
  const chosen = history.find(({ compaction }) => compaction.id === id)?.compaction;
  if (only === undefined || chosen === undefined) return undefined;
  const of = nameMoment(chosen, history);
  return later.length === 1 ? one(nameMoment(only, history), of) : many(later.length, of);
}
