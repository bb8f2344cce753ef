import { t } from '../../core/language.ts';
import { unreachable } from '../../core/result.ts';
import type { PreviewIntent } from '../../protocol/fromWebview.ts';
import { type KeptChoices, parseKeptChoices } from '../../protocol/parseKept.ts';
import type { compressWithProgress } from '../actions/compress.ts';
import type { ActiveConversation } from '../conversations/activeConversation.ts';
import type { Cure } from '../notices/describeModelError.ts';
import type { Notice, Notices } from '../notices/notices.ts';
import { describeEnd } from '../present/receipt.ts';
import { cureLabel } from '../present/words.ts';
import type { CompressionPreview, PreviewChoices, PreviewSurroundings } from './compressionPreview.ts';

/** What the actions work on. */
export interface PreviewParts extends PreviewSurroundings {
  /** Its two nouns are there when an action is performed, not yet when this is made. */
  readonly host: {
    readonly karl: {
      readonly active: ActiveConversation | undefined;
      /** Opens the dialog or setting that cures a problem. True when the cure is in force. */
      readonly mend: (cure: Cure) => Promise<boolean>;
    };
    readonly view: { readonly isVisible: boolean; readonly reveal: () => Promise<void> };
  };
  readonly notices: Notices;
  readonly compress: typeof compressWithProgress;
  /** Where the choices of a preview are kept; asked when it is first needed. */
  readonly memory: () => Memory;
}

/** Everything that a user can do with a preview of a compression. */
export class PreviewActions {
  readonly #parts: PreviewParts;
  #kept: KeptPreview | undefined;

  constructor(parts: PreviewParts) {
    this.#parts = parts;
  }

  /** Shows what a compression would do. A preview that is open is begun anew. */
  async open(choices: Partial<PreviewChoices> = {}): Promise<void> {
    const active = this.#parts.host.karl.active;
    if (active === undefined || active.readOnly !== undefined) return;
    // Not needed by who only activates the extension.
    const { CompressionPreview } = await import('./compressionPreview.ts');
    if (this.#parts.host.karl.active !== active) return;
    active.closePreview();
    // What a run before this one could not do is shown here, if it still holds.
    this.#parts.notices.remove('compression');
    // Its button would put the preview of the window before in the place of this one.
    this.#parts.notices.remove('preview-ended');
    const preview = new CompressionPreview(active.conversation, choices, this.#parts);
    active.preview = preview;
    this.#parts.refresh();
    if (!this.#parts.host.view.isVisible) await this.#parts.host.view.reveal();
    if (active.preview === preview) await preview.plan();
  }

  /** Keeps what the user chose by now in the preview that is open: a window ends with it. */
  note(): void {
    this.#memory.note(this.#parts.host.karl.active);
  }

  /** Says that a preview of the conversation that is open ended with the window before, and offers to open it again. */
  tellEnded(run: (work: Promise<void>) => void): void {
    const active = this.#parts.host.karl.active;
    const notice = active && this.#memory.tell(active.id, (choices) => run(this.open(choices)));
    if (notice !== undefined) this.#parts.notices.show(notice);
  }

  get #memory(): KeptPreview {
    this.#kept ??= new KeptPreview(this.#parts.memory());
    return this.#kept;
  }

  /** Does what the view asks for. Without an open preview there is nothing to do. */
  async perform(intent: PreviewIntent): Promise<void> {
    const active = this.#parts.host.karl.active;
    if (intent.type === 'preview') return await this.open(intent.upTo === undefined ? {} : { upTo: intent.upTo });
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
        if (cure !== undefined && (await this.#parts.host.karl.mend(cure)) && active.preview === preview)
          await preview.rewrite();
        return;
      }
      case 'preview-apply':
        return await this.#apply(active, preview);
      case 'preview-close':
        active.closePreview();
        if (intent.answer === 'not-now') active.agent.decline();
        return this.#parts.refresh();
      default:
        return unreachable(intent);
    }
  }

  /** Records what is shown. A turn that waits for the user's word goes on then. */
  async #apply(active: ActiveConversation, preview: CompressionPreview): Promise<void> {
    const isApplied = await preview.apply(async (prepared, abort) => {
      if (active.readOnly !== undefined) return active.readOnly;
      const run = { isVisible: this.#parts.host.view.isVisible, ...prepared.request, preview: prepared };
      const result = await active.whileOpen(() => this.#parts.compress(active.conversation, abort, run), abort);
      if (result.kind === 'compacted') return undefined;
      if (result.kind === 'cancelled') return t('Stopped: nothing was changed.');
      return describeEnd(result);
    });
    if (!isApplied) return;
    if (active.preview === preview) active.closePreview();
    active.agent.answer(false);
    this.#parts.refresh();
  }
}

/** The name under which it is kept. */
const KEY = 'karl.preview';

/** Where it is kept, as `vscode.Memento` has it. */
export interface Memory {
  get(key: string): unknown;
  update(key: string, value: unknown): Thenable<void>;
}

/**
 * Stores what the user chose in the open preview, which would be lost when the window ends. The next window asks before
 * it opens the preview again, because that may ask a model.
 */
class KeptPreview {
  readonly #memory: Memory;
  /** Of the window before this one. */
  #before: KeptChoices | undefined;
  #written: PreviewChoices | undefined;

  constructor(memory: Memory) {
    this.#memory = memory;
    this.#before = parseKeptChoices(memory.get(KEY));
  }

  /** Keeps the preview of the conversation that is open; while none is open there is nothing to say about it. */
  note(active: Pick<ActiveConversation, 'id' | 'preview'> | undefined): void {
    if (active === undefined) return;
    const choices = active.preview?.choices;
    if (choices === this.#written && this.#before === undefined) return;
    if (choices === undefined && this.#before?.conversation === active.id) return;
    this.#before = undefined;
    this.#written = choices;
    void this.#memory.update(KEY, choices === undefined ? undefined : { conversation: active.id, choices });
  }

  /** Says that a preview of the conversation ended with the window before, and how it is opened again. */
  tell(conversation: string, open: (choices: PreviewChoices) => void): Notice | undefined {
    const { conversation: of, choices } = this.#before ?? {};
    if (choices === undefined || of !== conversation) return undefined;
    return {
      id: 'preview-ended',
      severity: 'info',
      text: t('A preview was open when the window closed. Nothing was changed; your choices are kept.'),
      actions: [{ label: t('Open It Again'), run: () => open(choices) }],
      onDismiss: () => {
        this.#before = undefined;
        void this.#memory.update(KEY, undefined);
      },
    };
  }
}
