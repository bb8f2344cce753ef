import type { Trigger } from '../../core/compaction/compaction.ts';
import type { Conversation } from '../../core/conversation/conversation.ts';
import { orAborted } from '../../core/steps.ts';
import { t } from '../../language/language.ts';
import type { Basics } from '../basics.ts';
import type { Teller } from '../notices/notices.ts';
import { formatPercent } from '../present/words.ts';
import type { CompactionMode } from '../settings/settingRules.ts';
import type { Settings } from '../settings/settings.ts';

/** The share of the budget by which the used tokens must change before the user is asked again after "Not Now". */
const ASK_AGAIN_SHARE = 0.1;

/** What a "Not Now" is about; tokens. */
interface Declined {
  readonly mode: CompactionMode;
  readonly used: number;
  readonly limit: number;
  /** How many compactions there were. */
  readonly compactions: number;
}

/** Asks the user. The turn waits until `answer` is called or `signal` aborts; then the returned function is called. */
type AskUser = (text: string, answer: (mayCompress: boolean) => void, signal: AbortSignal) => () => void;

/**
 * Whether an automatic compression may run: what the mode says, and what the user answers. "Not Now" holds until the
 * budget is used up, another tenth of it was used or freed, something was compressed, or the mode or budget has changed.
 */
export class CompressionQuestion {
  readonly #conversation: Conversation;
  readonly #settings: Pick<Settings, 'current'>;
  readonly #ask: AskUser;
  /** How things were when the user chose "Not Now". */
  #declined: Declined | undefined;
  #settle: ((mayCompress: boolean) => void) | undefined;

  constructor(conversation: Conversation, settings: Pick<Settings, 'current'>, ask: AskUser) {
    this.#conversation = conversation;
    this.#settings = settings;
    this.#ask = ask;
  }

  /** Whether a turn waits for the answer. */
  get isOpen(): boolean {
    return this.#settle !== undefined;
  }

  /** Whether the user chose "Not Now", and that still holds. */
  get isDeclined(): boolean {
    const { mode, used, limit, compactions } = this.#now();
    const then = this.#declined;
    if (then === undefined || used >= limit) return false;
    const isOther = mode !== then.mode || limit !== then.limit || compactions !== then.compactions;
    return !isOther && Math.abs(used - then.used) < limit * ASK_AGAIN_SHARE;
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
    const { promise, resolve } = Promise.withResolvers<boolean>();
    this.#settle = resolve;
    const close = this.#ask(this.#describe(trigger), resolve, signal);
    try {
      const may = await orAborted(promise, false, signal);
      if (may || signal.aborted) this.#declined = undefined;
      else this.decline();
      return may;
    } finally {
      this.#settle = undefined;
      close();
    }
  }

  #now(): Declined {
    const { used, limit } = this.#conversation.budget();
    const mode = this.#settings.current['compaction.mode'];
    return { mode, used: used.tokens, limit, compactions: this.#conversation.compactions().length };
  }

  #describe(trigger: Trigger): string {
    const { used, limit } = this.#conversation.budget();
    if (trigger === 'message-count') return t('The conversation has many messages. Compress before continuing?');
    if (trigger === 'trace-size') return t('The current turn has many tool calls. Compress before continuing?');
    return t('{0} of the budget is used. Compress before continuing?', formatPercent(used.tokens, limit));
  }
}

/** What a question in the view uses. */
export interface QuestionParts extends Basics {
  /** Opens the preview of a compression. */
  readonly preview: () => Promise<void>;
}

/**
 * Asks above the composer. The answer comes from the question's buttons, any other Compress button, a notification while
 * the view is hidden, or the end of the turn.
 */
export function askInView({ notices, preview, log }: QuestionParts): AskUser {
  return (text, answer) => {
    const actions = [
      { label: t('Compress'), run: () => answer(true) },
      { label: t('Preview'), run: () => log.run(preview()), keeps: true },
      { label: t('Not Now'), run: () => answer(false) },
    ] as const;
    // A dismissed notification is an answer too: the turn must not wait for a question that nobody can see.
    void notices
      .ask({ id: 'compress?', severity: 'info', text, actions })
      .then((isAnswered) => isAnswered || answer(false));
    return () => notices.remove('compress?');
  };
}

/**
 * Asks in a notification that names the conversation, since the user is looking at another agent. Whoever answers it
 * later is told that it has been settled.
 */
export function askElsewhere(find: () => Pick<Teller, 'notify'>): AskUser {
  return (text, answer, signal) => {
    const teller = find();
    const settle = (may: boolean): void => {
      if (signal.aborted) void teller.notify({ severity: 'info', text: t('This has already been settled.') });
      else answer(may);
    };
    const actions = [
      { label: t('Compress'), run: () => settle(true) },
      { label: t('Not Now'), run: () => settle(false) },
    ];
    void teller.notify({ severity: 'info', text, actions }).then((pressed) => pressed ?? answer(false));
    return () => undefined;
  };
}
