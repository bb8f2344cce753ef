import { t, translate } from '../../core/language.ts';
import { unreachable } from '../../core/result.ts';
import type { PreviewIntent } from '../../protocol/fromWebview.ts';
import { type KeptChoices, parseKeptChoices } from '../../protocol/parseKept.ts';
import type { UserActions } from '../actions/userActions.ts';
import type { Basics } from '../basics.ts';
import type { ActiveConversation } from '../conversations/activeConversation.ts';
import type { Conversations } from '../conversations/conversations.ts';
import { describeEnd } from '../present/receipt.ts';
import { cureLabel } from '../present/words.ts';
import type { CompressionPreview, PreviewChoices } from './compressionPreview.ts';

const KEY = 'karl.preview';

interface PreviewActionParts extends Basics {
  readonly conversations: Pick<Conversations, 'active'>;
  readonly karl: Pick<UserActions, 'mend' | 'run'>;
}

/**
 * Everything that a user can do with a preview of a compression. What the user chose in it is kept, since it would be
 * lost when the window ends. The next window asks before it opens the preview again, because that may ask a model.
 */
export class PreviewActions {
  readonly #parts: PreviewActionParts;
  /** The choices of the previous window. */
  #before: KeptChoices | undefined;
  #written: PreviewChoices | undefined;

  constructor(parts: PreviewActionParts) {
    this.#parts = parts;
    this.#before = parseKeptChoices(parts.memory.get(KEY));
  }

  /** Shows what a compression would do. A preview that is open is begun anew. */
  async open(choices: Partial<PreviewChoices> = {}): Promise<void> {
    const { conversations, notices, view } = this.#parts;
    const { active } = conversations;
    if (active === undefined || active.readOnly !== undefined) return;
    // Loaded when it is needed, to keep activation fast.
    const { CompressionPreview } = await import('./compressionPreview.ts');
    if (conversations.active !== active) return;
    active.closePreview();
    // The preview shows the problem of an earlier run itself, if it still exists.
    notices.remove('compression');
    // The button of that notice would replace this preview.
    notices.remove('preview-ended');
    const preview = new CompressionPreview(active.conversation, choices, this.#parts);
    active.preview = preview;
    view.refresh();
    if (!view.isVisible) await view.reveal();
    if (active.preview === preview) await preview.plan();
  }

  /** Stores the user's choices in the preview of the open conversation, if there is one. */
  note(): void {
    const { active } = this.#parts.conversations;
    if (active === undefined) return;
    const choices = active.preview?.choices;
    if (choices === this.#written && this.#before === undefined) return;
    if (choices === undefined && this.#before?.conversation === active.id) return;
    this.#before = undefined;
    this.#written = choices;
    this.#keep(choices && { conversation: active.id, choices });
  }

  /** Offers to reopen the preview that the previous window had open in this conversation. */
  tellEnded(): void {
    const { conversations, notices, log } = this.#parts;
    const { conversation, choices } = this.#before ?? {};
    if (choices === undefined || conversation !== conversations.active?.id) return;
    notices.show({
      id: 'preview-ended',
      severity: 'info',
      text: t('A preview was open when the window closed. Nothing was changed; your choices are kept.'),
      actions: [{ label: t('Open It Again'), run: () => log.run(this.open(choices)) }],
      onDismiss: () => {
        this.#before = undefined;
        this.#keep(undefined);
      },
    });
  }

  #keep(kept: { conversation: string; choices: PreviewChoices } | undefined): void {
    void this.#parts.memory.update(KEY, kept);
  }

  /** Does what the view asks for. Without an open preview there is nothing to do. */
  async perform(intent: PreviewIntent): Promise<void> {
    const { active } = this.#parts.conversations;
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
        if (cure !== undefined && (await this.#parts.karl.mend(cure)) && active.preview === preview)
          await preview.rewrite();
        return;
      }
      case 'preview-apply':
        return await this.#apply(active, preview);
      case 'preview-close':
        active.closePreview();
        if (intent.answer === 'not-now') active.agent?.question.decline();
        return this.#parts.view.refresh();
      default:
        return unreachable(intent);
    }
  }

  /** Records what is shown. A turn that waits for the user's answer then goes on. */
  async #apply(active: ActiveConversation, preview: CompressionPreview): Promise<void> {
    const isApplied = await preview.apply(async (prepared, abort) => {
      if (active.readOnly !== undefined) return translate(active.readOnly);
      const result = await this.#parts.karl.run(active, { ...prepared.request, preview: prepared }, abort);
      if (result.kind === 'compacted') return undefined;
      if (result.kind === 'cancelled') return t('Stopped: nothing was changed.');
      return describeEnd(result);
    });
    if (!isApplied) return;
    if (active.preview === preview) active.closePreview();
    active.agent?.question.answer(false);
    this.#parts.view.refresh();
  }
}
