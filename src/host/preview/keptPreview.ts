import { t } from '../../core/language.ts';
import { type KeptChoices, parseKeptChoices } from '../../protocol/parseKept.ts';
import type { ActiveConversation } from '../conversations/activeConversation.ts';
import type { Notice } from '../notices/notices.ts';
import type { PreviewChoices } from './compressionPreview.ts';

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
export class KeptPreview {
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
