import type { ViewState } from '../../protocol/viewState.ts';
import { ask } from '../intent.ts';
import type { PageState } from '../vscodeApi.ts';

/**
 * Closes the preview when a message is sent, which it would hide; it stays where a turn waits for it, and where the user
 * has chosen or written something in it.
 */
export function leavePreview(
  { preview, conversation }: ViewState,
  { summaries = [] }: PageState,
  of: EventTarget,
): void {
  if (preview === undefined || preview.asked) return;
  const { groups = [], summaries: made = [] } = preview.plan ?? {};
  const isUsed =
    preview.instructions !== '' ||
    summaries.some((draft) => draft.conversation === conversation?.id) ||
    made.some(({ edited }) => edited) ||
    groups.some(({ fate }) => fate === 'chosen' || fate === 'aside');
  if (!isUsed) ask(of, { type: 'preview-close' });
}
