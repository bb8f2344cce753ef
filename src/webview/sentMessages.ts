import type { MessageEntry } from '../protocol/entries.ts';
import type { FromWebview } from '../protocol/fromWebview.ts';
import type { ViewState } from '../protocol/viewState.ts';

/** How much of a message is shown, characters; its final row follows in a moment. */
const LONGEST = 4000;

/** A message that the page has sent and that is in no snapshot yet. */
interface Sent {
  /** The number of messages that the page had sent, including this one. */
  readonly number: number;
  readonly conversation: string;
  readonly text: string;
  /** Shown in the queue, not as the last row. */
  readonly isQueued: boolean;
}

/** Sent messages, which the page shows itself until a snapshot has them. */
export class SentMessages {
  #list: readonly Sent[] = [];
  #count = 0;

  /** Remembers a message if the intent sends one. True if there is more to show. `isRunning`: the host will queue it. */
  note(intent: FromWebview, { conversation, shows, preview }: ViewState, isRunning: boolean): boolean {
    if (intent.type !== 'send' && intent.type !== 'resend') return false;
    this.#count += 1;
    if (conversation === undefined) return false;
    // The last row is hidden while something else is shown in place of the conversation.
    const isQueued = isRunning || shows === 'contents' || preview !== undefined;
    const sent = { number: this.#count, conversation: conversation.id, text: intent.text, isQueued };
    this.#list = [...this.#list, sent];
    return true;
  }

  /** Forgets the messages that a snapshot contains. */
  confirm(received: number): void {
    this.#list = this.#list.filter(({ number }) => number > received);
  }

  /** The rows after those of a snapshot. */
  rows({ conversation, entries }: ViewState): readonly MessageEntry[] {
    const last = entries.at(-1);
    const next = last?.kind === 'message' ? last.id + 1 : 0;
    return this.#of(conversation?.id, false).map(({ number, text }, index) => ({
      kind: 'message',
      key: `sent${number}`,
      id: next + index,
      role: 'user',
      text: text.slice(0, LONGEST).toWellFormed(),
      truncated: false,
      tokens: 0,
      sent: 'whole',
      pinned: false,
      streaming: false,
      unrecorded: true,
      interrupted: false,
    }));
  }

  /** The messages after the queue of a snapshot. */
  queueing({ conversation, queueing = [] }: ViewState): readonly string[] {
    return [...queueing, ...this.#of(conversation?.id, true).map(({ text }) => text)];
  }

  #of(conversation: string | undefined, isQueued: boolean): readonly Sent[] {
    return this.#list.filter((one) => one.conversation === conversation && one.isQueued === isQueued);
  }
}
