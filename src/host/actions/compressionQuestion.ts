import type { Trigger } from '../../core/compaction/compaction.ts';
import type { Conversation } from '../../core/conversation/conversation.ts';
import { t } from '../../core/language.ts';
import type { CompactionMode } from '../../core/session/settings.ts';
import { orAborted } from '../../core/steps.ts';
import type { Basics } from '../basics.ts';
import type { NoticeAction, Teller } from '../notices/notices.ts';
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

/**
 * Whether an automatic compression may run: what the mode says, and what the user answers. "Not Now" holds until
 * `mayAskAgain`, and only in the same mode.
 */
abstract class Consent {
  protected readonly conversation: Conversation;
  readonly #settings: Pick<Settings, 'current'>;
  #declined: (AskedAbout & { readonly mode: CompactionMode }) | undefined;

  constructor(conversation: Conversation, settings: Pick<Settings, 'current'>) {
    this.conversation = conversation;
    this.#settings = settings;
  }

  protected abstract ask(trigger: Trigger, signal: AbortSignal): Promise<boolean>;

  /** Whether the user chose "Not Now", and that still holds. */
  get isDeclined(): boolean {
    return (
      this.#declined?.mode === this.#settings.current['compaction.mode'] &&
      !mayAskAgain(this.#declined, askedAbout(this.conversation))
    );
  }

  /**
   * Whether the run may start; asks if the settings say so. After an overflow that the server reported it always may,
   * since the turn would end otherwise.
   */
  async mayCompress(trigger: Trigger, signal: AbortSignal): Promise<boolean> {
    const mode = this.#settings.current['compaction.mode'];
    if (trigger === 'overflow') return true;
    if (mode === 'manual' || this.isDeclined) return false;
    if (mode === 'automatic') return true;
    if (signal.aborted) return false;
    const may = await this.ask(trigger, signal);
    if (may || signal.aborted) this.#declined = undefined;
    else this.decline();
    return may;
  }

  /** Records "Not Now", whether or not there is a question. */
  decline(): void {
    this.#declined = { ...askedAbout(this.conversation), mode: this.#settings.current['compaction.mode'] };
  }
}

/** What a question uses. */
export interface QuestionParts extends Basics {
  /** Opens the preview of a compression. */
  readonly preview: () => Promise<void>;
}

/**
 * Asks above the composer whether an automatic compression may run, while a turn waits. The answer comes from the
 * question's buttons, any other Compress button, a notification while the view is hidden, or the end of the turn.
 */
export class CompressionQuestion extends Consent {
  readonly #parts: QuestionParts;
  #settle: ((mayCompress: boolean) => void) | undefined;

  constructor(conversation: Conversation, parts: QuestionParts) {
    super(conversation, parts.settings);
    this.#parts = parts;
  }

  /** Whether a turn waits for the answer. */
  get isOpen(): boolean {
    return this.#settle !== undefined;
  }

  /** Answers the question, if there is one. */
  answer(mayCompress: boolean): void {
    this.#settle?.(mayCompress);
  }

  override decline(): void {
    super.decline();
    this.answer(false);
  }

  protected override async ask(trigger: Trigger, signal: AbortSignal): Promise<boolean> {
    const { notices, preview, log, view } = this.#parts;
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
    view.refresh();
    try {
      return await orAborted(promise, false, signal);
    } finally {
      this.#settle = undefined;
      notices.remove('compress?');
      view.refresh();
    }
  }

  #describe(trigger: Trigger): string {
    const { used, limit } = askedAbout(this.conversation);
    if (trigger === 'message-count') return t('The conversation has many messages. Compress before continuing?');
    if (trigger === 'trace-size') return t('The current turn has many tool calls. Compress before continuing?');
    return t('{0} of the budget is used. Compress before continuing?', formatPercent(used, limit));
  }
}

/** Asks whether another agent's conversation may be compressed before its next request. */
export class ThreadQuestion extends Consent {
  readonly #teller: () => Pick<Teller, 'notify'>;

  /** `teller` asks in notifications that name the conversation, since the user is looking at the other agent. */
  constructor(conversation: Conversation, settings: Pick<Settings, 'current'>, teller: () => Pick<Teller, 'notify'>) {
    super(conversation, settings);
    this.#teller = teller;
  }

  /** The question ends with the request's `signal`; a later answer is told that it is settled. */
  protected override async ask(trigger: Trigger, signal: AbortSignal): Promise<boolean> {
    const teller = this.#teller();
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
