import { buildsOn, undoneWith } from '../../core/conversation/compactedView.ts';
import type { Conversation } from '../../core/conversation/conversation.ts';
import { t, translate } from '../../language/language.ts';
import type { RowAct } from '../../protocol/list.ts';
import type { ActiveConversation } from '../conversations/activeConversation.ts';

/**
 * Undoes the newest compression, or the one with the id and all later ones that build on it. Returns a message for the
 * user, if there is any.
 */
export function undoCompression(conversation: Conversation, id: string | undefined): string | undefined {
  const later = id === undefined ? [] : buildsOn(conversation.history(), id);
  for (const compaction of later) conversation.undo(compaction.id, id);
  if (!conversation.undo(id)) return t('There is no compression to undo.');
  if (later.length === 0) return undefined;
  return later.length === 1
    ? t('The later compression, which builds on it, is undone too.')
    : t('The {0} later compressions, which build on it, are undone too.', later.length);
}

/**
 * Redoes the oldest undone compression, or the one with the id, and the later ones that were undone with it. Returns a
 * message for the user, if there is any.
 */
export function redoCompression(
  conversation: Conversation,
  id = conversation.history().find(({ undone, superseded }) => undone && !superseded)?.compaction.id,
): string | undefined {
  const later = id === undefined ? [] : undoneWith(conversation.history(), id);
  if (!conversation.redo(id)) return t('There is no compression to redo.');
  for (const compaction of later) conversation.redo(compaction.id);
  if (later.length === 0) return undefined;
  return later.length === 1
    ? t('The later compression, which was undone with it, is redone too.')
    : t('The {0} later compressions, which were undone with it, are redone too.', later.length);
}

/** Drops, shortens or restores messages, and tells the user which of them could not be changed. */
export async function changeByHand(
  active: Pick<ActiveConversation, 'conversation' | 'readOnly' | 'compressing'>,
  { act, ids }: Pick<RowAct, 'act' | 'ids'>,
  say: (text: string) => void,
): Promise<void> {
  if (active.readOnly !== undefined) return say(t('{0} Take it over to change it here.', active.readOnly));
  if (active.compressing !== undefined) return say(t('Karl is compressing. Wait or press Stop.'));
  const done = await active.conversation.changeByHand(act, ids);
  if (!done.ok) return say(t('Nothing was changed. {0}', done.error));
  const { refused } = done.value;
  if (refused.length === 0) return;
  const why = [...new Set(refused.map(translate))].slice(0, 3).join(' ');
  say(
    refused.length === 1
      ? t('1 message was left unchanged: {0}', why)
      : t('{0} messages were left unchanged: {1}', refused.length, why),
  );
}
