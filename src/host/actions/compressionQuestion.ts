import type { Trigger } from '../../core/compaction/compaction.ts';
import type { Conversation } from '../../core/conversation/conversation.ts';
import { t } from '../../core/language.ts';
import type { CompactionMode } from '../../core/session/settings.ts';
import type { Announcer } from '../notices/announcer.ts';
import { type AskedAbout, mayAskAgain } from '../notices/askAgain.ts';
import type { NoticeAction, Notices, Teller } from '../notices/notices.ts';
import { formatPercent, triggerWords } from '../present/words.ts';

/** What the question needs. */
interface QuestionParts {
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

/** What the question needs. */
interface ThreadQuestionParts {
  readonly mode: () => CompactionMode;
  /** Asks in notifications that name the conversation: the user is looking at the other agent and not at Karl. */
  readonly teller: (conversation: Conversation) => Pick<Teller, 'notify'>;
}

/** Whether a conversation of another agent may be compressed before its next request. */
export class ThreadQuestion {
  readonly #parts: ThreadQuestionParts;
  /** Conversations whose user said "Not Now", and how full they were then. */
  readonly #declined = new WeakMap<Conversation, AskedAbout>();

  constructor(parts: ThreadQuestionParts) {
    this.#parts = parts;
  }

  /**
   * Asks when the settings say so. `signal`: of the request; when it ends, so does the question, and an answer that comes
   * later is told so.
   */
  async mayCompact(trigger: Trigger, signal: AbortSignal, conversation: Conversation): Promise<boolean> {
    const mode = this.#parts.mode();
    if (mode === 'automatic' || trigger === 'overflow') return true;
    const declined = this.#declined.get(conversation);
    const isDeclined = declined !== undefined && !mayAskAgain(declined, askedAbout(conversation));
    if (mode === 'manual' || signal.aborted || isDeclined) return false;
    const may = await this.#ask(trigger, signal, this.#parts.teller(conversation));
    if (!may && !signal.aborted) this.#declined.set(conversation, askedAbout(conversation));
    return may;
  }

  async #ask(trigger: Trigger, signal: AbortSignal, teller: Pick<Teller, 'notify'>): Promise<boolean> {
    const { promise, resolve } = Promise.withResolvers<boolean>();
    const answer = (may: boolean): void => {
      if (signal.aborted) void teller.notify({ severity: 'info', text: t('That was settled meanwhile.') });
      else resolve(may);
    };
    signal.addEventListener('abort', () => resolve(false), { once: true });
    const actions = [
      { label: t('Compress'), run: () => answer(true) },
      { label: t('Not Now'), run: () => answer(false) },
    ];
    const text = t('{0}. Compress the conversation before the next request?', triggerWords(trigger));
    void teller.notify({ severity: 'info', text, actions }).then((pressed) => pressed ?? resolve(false));
    return await promise;
  }
}

function askedAbout(conversation: Conversation): AskedAbout {
  const { used, limit } = conversation.budget();
  return { used: used.tokens, limit, compactions: conversation.compactions().length };
}
