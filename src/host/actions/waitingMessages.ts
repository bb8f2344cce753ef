import { type Attachment, attach } from '../../core/messages/attachments.ts';
import type { MessageId } from '../../core/messages/message.ts';
import type { Conversations } from '../conversations/conversations.ts';
import type { WaitingMessage } from '../present/unsent.ts';
import type { ViewPage } from '../view/view.ts';

/** The place of one message among the waiting ones. */
export interface WaitingPlace {
  /** The conversation in which the message was written, if one was open. */
  readonly of: string | undefined;
  /** Moves the message to another conversation: the fork in which an edited message is sent. */
  moveTo(conversation: string): void;
  /** Adds the attachments of the message. */
  attach(attachments: readonly Attachment[]): void;
  /** Removes the message from the list: it was taken or dropped. */
  leave(): void;
}

/** Where a message that is sent comes from. */
export interface Sending {
  /** The page that the message comes from, with what is attached there; it goes back there if it is not sent. */
  readonly page?: Pick<ViewPage, 'post' | 'tellOthers'>;
  /** What goes with a message that comes from no page. */
  readonly attached?: readonly Attachment[];
  /** The user message in whose place it is sent, in a fork: the original stays. */
  readonly inPlaceOf?: MessageId;
}

/**
 * The user's messages that were sent but that no agent has yet, oldest first: they wait for a dialog, an attachment or an
 * earlier message.
 */
export class WaitingMessages {
  readonly #conversations: Pick<Conversations, 'active'>;
  readonly #refresh: () => void;
  #list: readonly WaitingMessage[] = [];
  #count = 0;
  /** Resolves when the newest waiting message was taken (true) or dropped (false). */
  #last: Promise<boolean> | undefined;

  constructor(conversations: Pick<Conversations, 'active'>, refresh: () => void) {
    this.#conversations = conversations;
    this.#refresh = refresh;
  }

  get list(): readonly WaitingMessage[] {
    return this.#list;
  }

  /** Whether a message that is sent now has to wait for another. */
  get isHeld(): boolean {
    return this.#last !== undefined;
  }

  /** Whether the conversation of a message is the one that is open. */
  isHere({ of }: WaitingPlace): boolean {
    return of === this.#conversations.active?.id;
  }

  /** Shows a message as waiting until its place is left. */
  add(text: string): WaitingPlace {
    this.#count += 1;
    const key = `waiting${this.#count}`;
    let message: WaitingMessage = {
      key,
      of: this.#conversations.active?.id,
      text,
      attachments: [],
      wire: { role: 'user', content: text },
      isQueued: this.#conversations.active?.isBusy === true,
    };
    this.#set([...this.#list, message]);
    const change = (changes: Partial<WaitingMessage>): void => {
      message = { ...message, ...changes };
      this.#set(this.#list.map((one) => (one.key === key ? message : one)));
    };
    return {
      get of() {
        return message.of;
      },
      moveTo: (of) => change({ of }),
      attach: (attachments) => change({ attachments, wire: { role: 'user', content: attach(text, attachments) } }),
      leave: () => this.#set(this.#list.filter((one) => one.key !== key)),
    };
  }

  /**
   * Runs `send` after all earlier messages were taken; `send` calls `taken` as soon as the agent has its message. False
   * if this or an earlier message was not sent.
   */
  async inTurn(place: WaitingPlace, send: (taken: () => void) => Promise<boolean>): Promise<boolean> {
    const before = this.#last;
    const { promise, resolve } = Promise.withResolvers<boolean>();
    const leave = (isTaken: boolean): void => {
      place.leave();
      if (this.#last === promise) this.#last = undefined;
      resolve(isTaken);
    };
    this.#last = promise;
    try {
      return (before === undefined || (await before)) && (await send(() => leave(true)));
    } finally {
      leave(false);
    }
  }

  #set(list: readonly WaitingMessage[]): void {
    this.#list = list;
    this.#refresh();
  }
}
