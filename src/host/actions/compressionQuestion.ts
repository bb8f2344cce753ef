import type { Trigger } from '../../core/compaction/compaction.ts';
import { t } from '../../core/language.ts';
import type { CompactionMode } from '../../core/session/settings.ts';
import type { Announcer } from '../notices/announcer.ts';
import { type AskedAbout, mayAskAgain } from '../notices/askAgain.ts';
import type { NoticeAction, Notices } from '../notices/notices.ts';
import { formatPercent } from '../present/words.ts';

/** What the question needs. */
export interface QuestionParts {
  readonly mode: () => CompactionMode;
  /** The conversation as it is now. */
  readonly about: () => AskedAbout;
  readonly notices: Notices;
  readonly announcer: Announcer;
  /** Shows what the compression would do; the question stays. */
  readonly preview: () => void;
  /** The question was asked or answered. */
  readonly onChange: () => void;
}

/**
 * Whether an automatic compression may run, asked above the composer. A turn waits for the answer: it comes from the
 * question's own buttons, from any other Compress button, from a notification when the view is hidden, or from the end
 * of the turn. "Not Now", also in a preview that nobody asked about, holds until another tenth of the budget is used, in
 * the mode in which it was said.
 */
export class CompressionQuestion {
  readonly #parts: QuestionParts;
  #settle: ((mayCompress: boolean) => void) | undefined;
  #declined: (AskedAbout & { readonly mode: CompactionMode }) | undefined;

  constructor(parts: QuestionParts) {
    this.#parts = parts;
  }

  /** Whether a turn waits for the answer. */
  get isOpen(): boolean {
    return this.#settle !== undefined;
  }

  /** Whether the user's last word was "Not Now", and still holds. */
  get isDeclined(): boolean {
    if (this.#declined?.mode !== this.#parts.mode()) return false;
    return !mayAskAgain(this.#declined, this.#parts.about());
  }

  /**
   * Whether the run may start; asks when the settings say so. An overflow that the server reported is always repaired:
   * without it the turn would end.
   */
  async mayCompress(trigger: Trigger, signal: AbortSignal): Promise<boolean> {
    const mode = this.#parts.mode();
    if (trigger === 'overflow') return true;
    if (mode === 'manual' || this.isDeclined) return false;
    if (mode === 'automatic') return true;
    if (signal.aborted) return false;
    const may = await this.#ask(trigger, signal);
    this.#declined = may || signal.aborted ? undefined : this.#now();
    return may;
  }

  /** Answers the question; without one there is nothing to do. */
  answer(mayCompress: boolean): void {
    this.#settle?.(mayCompress);
  }

  /** "Not Now", whether or not there is a question. */
  decline(): void {
    this.#declined = this.#now();
    this.answer(false);
  }

  #now(): AskedAbout & { readonly mode: CompactionMode } {
    return { ...this.#parts.about(), mode: this.#parts.mode() };
  }

  async #ask(trigger: Trigger, signal: AbortSignal): Promise<boolean> {
    const { notices, announcer, onChange, preview } = this.#parts;
    const { promise, resolve } = Promise.withResolvers<boolean>();
    const actions: readonly NoticeAction[] = [
      { label: t('Compress'), run: () => resolve(true) },
      { label: t('Preview'), run: preview, keeps: true },
      { label: t('Not Now'), run: () => resolve(false) },
    ];
    const question = { id: 'compress?', severity: 'info', text: this.#describe(trigger), actions } as const;
    this.#settle = resolve;
    const onAbort = () => resolve(false);
    signal.addEventListener('abort', onAbort, { once: true });
    notices.ask(question);
    // A notification that is dismissed is an answer too: the turn must not wait for one that cannot be seen.
    void announcer.ask(question).then((isAnswered) => isAnswered || resolve(false));
    onChange();
    try {
      return await promise;
    } finally {
      this.#settle = undefined;
      signal.removeEventListener('abort', onAbort);
      notices.remove('compress?');
      onChange();
    }
  }

  #describe(trigger: Trigger): string {
    const { used, limit } = this.#parts.about();
    if (trigger === 'message-count') return t('The conversation has many messages. Compress before continuing?');
    if (trigger === 'trace-size') return t('The current turn has many tool calls. Compress before continuing?');
    return t('{0} of the budget is used. Compress before continuing?', formatPercent(used, limit));
  }
}
