import { t } from '../../core/language.ts';
import type { RowAct } from '../../protocol/contents.ts';
import type { ActiveConversation } from '../conversations/activeConversation.ts';
import type { Notice } from '../notices/notices.ts';

/** What the user reads when nothing could be done, depending on what was asked for. */
function sayNotDone(act: RowAct['act'], why: string): string {
  switch (act) {
    case 'dropped':
      return t('Nothing was dropped. {0}', why);
    case 'shortened':
      return t('Nothing was shortened. {0}', why);
    case 'restored':
      return t('Nothing was restored. {0}', why);
  }
}

/** Drops, shortens or restores messages of a conversation, and tells what stayed as it was and why. */
export async function changeByHand(
  active: Pick<ActiveConversation, 'conversation' | 'readOnly' | 'compressing'>,
  { act, ids }: Pick<RowAct, 'act' | 'ids'>,
  tell: (notice: Notice) => void,
): Promise<void> {
  const say = (text: string) => tell({ id: 'told', severity: 'info', text, passing: true });
  if (active.readOnly !== undefined)
    return say(sayNotDone(act, t('{0} Take it over to change it here.', active.readOnly)));
  if (active.compressing !== undefined) return say(t('Karl is compressing. Wait or press Stop.'));
  const done = await active.conversation.changeByHand(act, ids);
  if (!done.ok) return say(sayNotDone(act, done.error));
  const { refused } = done.value;
  if (refused.length === 0) return;
  const why = [...new Set(refused)].slice(0, 3).join(' ');
  say(
    refused.length === 1
      ? t('1 message stays as before: {0}', why)
      : t('{0} messages stay as before: {1}', refused.length, why),
  );
}
