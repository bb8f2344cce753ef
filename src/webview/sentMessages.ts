import type { MessageEntry } from '../protocol/entries.ts';
import type { FromWebview } from '../protocol/fromWebview.ts';
import type { ViewState } from '../protocol/viewState.ts';

/** How much of a message is shown, characters; its final row follows in a moment. */
const LONGEST = 4000;

/** A message that the page has sent and that is in no snapshot yet. */
interface Sent {
  /** The number of messages that the page had sent, including this one. */
  readonly number: number;
  readonly conversation: string | undefined;
  readonly text: string;
  /** Shown in the queue, not as the last row. */
  readonly isQueued: boolean;
}

/** Sent messages, which the page shows itself until a snapshot has them. */
export class SentMessages {
  #list: readonly Sent[] = [];
  #count = 0;

  /** Remembers a message; false if the intent sends none. `isRunning`: the host will queue it. */
  note(intent: FromWebview, { conversation, contents, preview }: ViewState, isRunning: boolean): boolean {
    if (intent.type !== 'send' && intent.type !== 'resend') return false;
    this.#count += 1;
    // The last row is hidden while something else is shown in place of the conversation.
    const isQueued = isRunning || contents !== undefined || preview !== undefined;
    this.#list = [...this.#list, { number: this.#count, conversation: conversation?.id, text: intent.text, isQueued }];
    return true;
  }

  /** Forgets the messages that a snapshot contains. */
  confirm(received: number): void {
    this.#list = this.#list.filter(({ number }) => number > received);
  }

  /** A snapshot with these messages after its rows and its queue. */
  addTo(state: ViewState): ViewState {
    const own = this.#list.filter(({ conversation }) => conversation === state.conversation?.id);
    if (own.length === 0) return state;
    const next = (state.entries.at(-1)?.to ?? -1) + 1;
    const rows = own.filter(({ isQueued }) => !isQueued).map((sent, index) => rowOf(sent, next + index));
    const queueing = own.filter(({ isQueued }) => isQueued).map(({ text }) => text);
    return { ...state, entries: [...state.entries, ...rows], queueing: [...(state.queueing ?? []), ...queueing] };
  }
}

function rowOf({ number, text }: Sent, id: number): MessageEntry {
  return {
    kind: 'message',
    key: `sent${number}`,
    from: id,
    to: id,
    role: 'user',
    text: text.slice(0, LONGEST).toWellFormed(),
    truncated: false,
    tokens: 0,
    sent: 'whole',
    pinned: false,
    streaming: false,
    unrecorded: true,
    interrupted: false,
  };
}
