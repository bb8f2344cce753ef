import type { Trigger } from '../../core/compaction/compaction.ts';
import type { Conversation } from '../../core/conversation/conversation.ts';
import { t } from '../../core/language.ts';
import type { CompactionMode } from '../../core/session/settings.ts';
import { orAborted } from '../../core/steps.ts';
import type { WindowLog } from '../log/windowLog.ts';
import type { NoticeAction, Notices, Teller } from '../notices/notices.ts';
import { formatPercent, triggerWords } from '../present/words.ts';
import type { Settings } from '../settings/settings.ts';

/** How full a conversation was when the user was asked to compress it. Tokens. */
interface AskedAbout {
  readonly used: number;
  readonly limit: number;
  /** The number of compressions so far. */
  readonly compactions: number;
}

/** The share of the budget that must be used before the user is asked again. */
const ASK_AGAIN_SHARE = 0.1;

/**
 * Whether to ask again after "Not Now": once another tenth of the budget is used, the budget is used up, a compression
 * has run, or the budget has changed with the model.
 */
function mayAskAgain(declined: AskedAbout, now: AskedAbout): boolean {
  if (declined.limit !== now.limit || declined.compactions !== now.compactions) return true;
  return now.used >= Math.min(now.limit, declined.used + now.limit * ASK_AGAIN_SHARE);
}

interface QuestionParts {
  readonly settings: Pick<Settings, 'current'>;
  readonly notices: Notices;
  readonly log: Pick<WindowLog, 'run'>;
  readonly refresh: () => void;
  /** Opens the preview of a compression. */
  readonly preview: () => Promise<void>;
}

/**
 * Asks above the composer whether an automatic compression may run, while a turn waits. The answer comes from the
 * question's buttons, any other Compress button, a notification while the view is hidden, or the end of the turn. "Not
 * Now", also in a preview, holds until `mayAskAgain`, and only in the same mode.
 */
export class CompressionQuestion {
  readonly #conversation: Conversation;
  readonly #parts: QuestionParts;
  #settle: ((mayCompress: boolean) => void) | undefined;
  #declined: (AskedAbout & { readonly mode: CompactionMode }) | undefined;

  constructor(conversation: Conversation, parts: QuestionParts) {
    this.#conversation = conversation;
    this.#parts = parts;
  }

  /** Whether a turn waits for the answer. */
  get isOpen(): boolean {
    return this.#settle !== undefined;
  }

  /** Whether the user chose "Not Now", and that still holds. */
  get isDeclined(): boolean {
    const now = this.#now();
    return this.#declined?.mode === now.mode && !mayAskAgain(this.#declined, now);
  }

  /**
   * Whether the run may start; asks if the settings say so. After an overflow that the server reported it always may,
   * since the turn would end otherwise.
   */
  async mayCompress(trigger: Trigger, signal: AbortSignal): Promise<boolean> {
    const { mode } = this.#now();
    if (trigger === 'overflow') return true;
    if (mode === 'manual' || this.isDeclined) return false;
    if (mode === 'automatic') return true;
    if (signal.aborted) return false;
    const may = await this.#ask(trigger, signal);
    this.#declined = may || signal.aborted ? undefined : this.#now();
    return may;
  }

  /** Answers the question, if there is one. */
  answer(mayCompress: boolean): void {
    this.#settle?.(mayCompress);
  }

  /** Records "Not Now", whether or not there is a question. */
  decline(): void {
    this.#declined = this.#now();
    this.answer(false);
  }

  #now(): AskedAbout & { readonly mode: CompactionMode } {
    return { ...askedAbout(this.#conversation), mode: this.#parts.settings.current['compaction.mode'] };
  }

  async #ask(trigger: Trigger, signal: AbortSignal): Promise<boolean> {
    const { notices, refresh, preview, log } = this.#parts;
    const { promise, resolve } = Promise.withResolvers<boolean>();
    const actions: readonly NoticeAction[] = [
      { label: t('Compress'), run: () => resolve(true) },
      { label: t('Preview'), run: () => log.run(preview()), keeps: true },
      { label: t('Not Now'), run: () => resolve(false) },
    ];
    const question = { id: 'compress?', severity: 'info', text: this.#describe(trigger), actions } as const;
    this.#settle = resolve;
    // A dismissed notification is an answer too: the turn must not wait for a question that nobody can see.
    void notices.ask(question).then((isAnswered) => isAnswered || resolve(false));
    refresh();
    try {
      return await orAborted(promise, false, signal);
    } finally {
      this.#settle = undefined;
      notices.remove('compress?');
      refresh();
    }
  }

  #describe(trigger: Trigger): string {
    const { used, limit } = this.#now();
    if (trigger === 'message-count') return t('The conversation has many messages. Compress before continuing?');
    if (trigger === 'trace-size') return t('The current turn has many tool calls. Compress before continuing?');
    return t('{0} of the budget is used. Compress before continuing?', formatPercent(used, limit));
  }
}

/** Asks whether another agent's conversation may be compressed before its next request. */
export class ThreadQuestion {
  readonly #mode: () => CompactionMode;
  readonly #teller: (conversation: Conversation) => Pick<Teller, 'notify'>;
  /** Conversations for which the user chose "Not Now", and how full they were. */
  readonly #declined = new WeakMap<Conversation, AskedAbout>();

  /** `teller` asks in notifications that name the conversation, since the user is looking at the other agent. */
  constructor(mode: () => CompactionMode, teller: (conversation: Conversation) => Pick<Teller, 'notify'>) {
    this.#mode = mode;
    this.#teller = teller;
  }

  /**
   * Asks if the settings say so. The question ends with the request's `signal`; a later answer is told that it is settled.
   */
  async mayCompact(trigger: Trigger, signal: AbortSignal, conversation: Conversation): Promise<boolean> {
    const mode = this.#mode();
    if (mode === 'automatic' || trigger === 'overflow') return true;
    const declined = this.#declined.get(conversation);
    const isDeclined = declined !== undefined && !mayAskAgain(declined, askedAbout(conversation));
    if (mode === 'manual' || signal.aborted || isDeclined) return false;
    const may = await this.#ask(trigger, signal, this.#teller(conversation));
    if (!may && !signal.aborted) this.#declined.set(conversation, askedAbout(conversation));
    return may;
  }

  async #ask(trigger: Trigger, signal: AbortSignal, teller: Pick<Teller, 'notify'>): Promise<boolean> {
    const { promise, resolve } = Promise.withResolvers<boolean>();
    const answer = (may: boolean): void => {
      if (signal.aborted) void teller.notify({ severity: 'info', text: t('That has been settled in the meantime.') });
      else resolve(may);
    };
    const actions = [
      { label: t('Compress'), run: () => answer(true) },
      { label: t('Not Now'), run: () => answer(false) },
    ];
    const text = t('{0}. Compress the conversation before the next request?', triggerWords(trigger));
    void teller.notify({ severity: 'info', text, actions }).then((pressed) => pressed ?? resolve(false));
    return await orAborted(promise, false, signal);
  }
}

function askedAbout(conversation: Conversation): AskedAbout {
  const { used, limit } = conversation.budget();
  return { used: used.tokens, limit, compactions: conversation.compactions().length };
}
