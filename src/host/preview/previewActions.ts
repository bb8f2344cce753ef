import type { MessageId } from '../../core/chat/message.ts';
import { unreachable } from '../../core/result.ts';
import { t, translate } from '../../language/language.ts';
import type { PreviewIntent } from '../../protocol/fromWebview.ts';
import type { UserActions } from '../actions/userActions.ts';
import type { Basics } from '../basics.ts';
import type { ActiveConversation } from '../conversations/activeConversation.ts';
import type { Conversations } from '../conversations/conversations.ts';
import { describeEnd } from '../present/receipt.ts';
import { cureLabel } from '../present/words.ts';
import type { CompressionPreview } from './compressionPreview.ts';

interface PreviewParts extends Basics {
  readonly conversations: Pick<Conversations, 'active'>;
  readonly karl: Pick<UserActions, 'mend' | 'run'>;
}

/** Shows what a compression would do, optionally only up to a message. A preview that is open is begun anew. */
export async function openPreview(parts: PreviewParts, upTo?: MessageId): Promise<void> {
  const { conversations, notices, view } = parts;
  const { active } = conversations;
  if (active === undefined || active.readOnly !== undefined) return;
  // Loaded when it is needed, to keep activation fast.
  const { CompressionPreview } = await import('./compressionPreview.ts');
  if (conversations.active !== active) return;
  active.closePreview();
  // The preview shows the problem of an earlier run itself, if it still exists.
  notices.remove('compression');
  const preview = new CompressionPreview(active.conversation, upTo, parts);
  active.preview = preview;
  view.refresh();
  if (!view.isVisible) await view.reveal();
  if (active.preview === preview) await preview.plan();
}

/** Does what the view asks for in the open preview. Without one there is nothing to do. */
export async function changePreview(intent: PreviewIntent, parts: PreviewParts): Promise<void> {
  const { active } = parts.conversations;
  const preview = active?.preview;
  if (active === undefined || preview === undefined) return;
  if (preview.state.busy === 'applying' && intent.type !== 'preview-close') return;
  switch (intent.type) {
    case 'preview-keep':
      return await preview.keep(intent, intent.keep);
    case 'preview-more':
      return preview.showMore();
    case 'preview-strategy':
      return await preview.useStrategy(intent.strategy);
    case 'preview-instructions':
      return await preview.instruct(intent.text);
    case 'preview-edit':
      return await preview.edit(intent, intent.text);
    case 'preview-unedit':
      return await preview.unedit();
    case 'preview-again':
      return await preview.again();
    case 'preview-mend': {
      const cure = preview.cures.find((one) => cureLabel(one) === intent.cure);
      if (cure !== undefined && (await parts.karl.mend(cure)) && active.preview === preview) await preview.rewrite();
      return;
    }
    case 'preview-apply':
      return await applyPreview(active, preview, parts);
    case 'preview-close':
      active.closePreview();
      if (intent.answer === 'not-now') active.agent?.question.decline();
      return parts.view.refresh();
    default:
      return unreachable(intent);
  }
}

/** Records what is shown. A turn that waits for the user's answer then goes on. */
async function applyPreview(
  active: ActiveConversation,
  preview: CompressionPreview,
  { karl, view }: PreviewParts,
): Promise<void> {
  const isApplied = await preview.apply(async (prepared, abort) => {
    if (active.readOnly !== undefined) return translate(active.readOnly);
    const result = await karl.run(active, { ...prepared.request, preview: prepared }, abort);
    if (result.kind === 'compacted') return undefined;
    if (result.kind === 'cancelled') return t('Stopped: nothing was changed.');
    return describeEnd(result);
  });
  if (!isApplied) return;
  if (active.preview === preview) active.closePreview();
  active.agent?.question.answer(false);
  view.refresh();
}
