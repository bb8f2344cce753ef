import type { RowAct } from '../../protocol/contents.ts';
import type { ActiveConversation } from '../conversations/activeConversation.ts';
import type { Notice } from '../notices/notices.ts';

/** What the user reads when nothing could be done, by what was asked for. */
const NOT_DONE: Readonly<Record<RowAct['act'], string>> = {
  dropped: 'Nothing was dropped.',
  shortened: 'Nothing was shortened.',
  restored: 'Nothing was restored.',
};

/** Drops, shortens or restores messages of a conversation, and tells what stayed as it was and why. */
export async function changeByHand(
  active: ActiveConversation,
  { act, ids }: Pick<RowAct, 'act' | 'ids'>,
  tell: (notice: Notice) => void,
): Promise<void> {
  const say = (text: string) => tell({ id: 'told', severity: 'info', text });
  if (active.readOnly !== undefined) return say(`${NOT_DONE[act]} ${active.readOnly} Take it over to change it here.`);
  if (active.compressing !== undefined) return say('Karl is compressing. Wait or press Stop.');
  const done = await active.conversation.changeByHand(act, ids);
  if (!done.ok) return say(`${NOT_DONE[act]} ${done.error}`);
  const { refused } = done.value;
  if (refused.length === 0) return;
  const left = refused.length === 1 ? '1 message stays' : `${refused.length} messages stay`;
  say(`${left} as before: ${[...new Set(refused)].slice(0, 3).join(' ')}`);
}
