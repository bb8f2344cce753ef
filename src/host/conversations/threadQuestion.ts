import type { Trigger } from '../../core/compaction/compaction.ts';
import type { Conversation } from '../../core/conversation/conversation.ts';
import { t } from '../../core/language.ts';
import type { CompactionMode } from '../../core/session/settings.ts';
import { type AskedAbout, mayAskAgain } from '../notices/askAgain.ts';
import type { Teller } from '../notices/elsewhere.ts';
import { triggerWords } from '../present/words.ts';

/** What the question needs. */
export interface ThreadQuestionParts {
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
