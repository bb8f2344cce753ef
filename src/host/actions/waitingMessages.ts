import { type Attachment, attach } from '../../core/chat/attachments.ts';
import type { MessageId } from '../../core/chat/message.ts';
import type { Conversations } from '../conversations/conversations.ts';
import type { WaitingMessage } from '../present/unsent.ts';
import type { ViewPage } from '../view/view.ts';

/** Where a message comes from. */
export interface Sending {
  /** The page where it was written, with its attachments. It goes back there if it is not sent. */
  readonly page?: Pick<ViewPage, 'post' | 'tellOthers'>;
  /** The attachments of a message that comes from no page. */
  readonly attached?: readonly Attachment[];
  /** The user message that it replaces in a fork; the original conversation stays as it is. */
  readonly inPlaceOf?: MessageId;
}

/**
 * Messages that the user has sent and no agent has received yet, oldest first. They wait for a dialog, an attachment or an
 * earlier message.
 */
export class WaitingMessages {
  readonly #conversations: Pick<Conversations, 'active'>;
  readonly #refresh: () => void;
  list: readonly WaitingMessage[] = [];
  #count = 0;
  /** Resolves when the newest waiting message was taken (true) or dropped (false). */
  #last: Promise<boolean> | undefined;

  constructor(conversations: Pick<Conversations, 'active'>, refresh: () => void) {
    this.#conversations = conversations;
    this.#refresh = refresh;
  }

  /** Whether a message that is sent now has to wait for another. */
  get isHeld(): boolean {
    return this.#last !== undefined;
  }

  /** Shows a message as waiting until it leaves. */
  add(text: string): WaitingMessage {
    this.#count += 1;
    const { active } = this.#conversations;
    const wire = { role: 'user', content: text } as const;
    const isQueued = active?.isBusy === true;
    const message = { key: `waiting${this.#count}`, of: active?.id, text, attachments: [], wire, isQueued };
    this.#set([...this.list, message]);
    return message;
  }

  /** Moves a message to another conversation: the fork in which an edited message is sent. */
  moveTo(message: WaitingMessage, conversation: string): void {
    message.of = conversation;
    this.#refresh();
  }

  /** Adds the attachments of a message. */
  attach(message: WaitingMessage, attachments: readonly Attachment[]): void {
    message.attachments = attachments;
    message.wire = { role: 'user', content: attach(message.text, attachments) };
    this.#refresh();
  }

  /** Removes a message that was taken or dropped. */
  remove(message: WaitingMessage): void {
    this.#set(this.list.filter((one) => one !== message));
  }

  /**
   * Runs `send` after all earlier messages were taken; `send` calls `taken` as soon as the agent has its message. False
   * if this or an earlier message was not sent.
   */
  async inTurn(message: WaitingMessage, send: (taken: () => void) => Promise<boolean>): Promise<boolean> {
    const before = this.#last;
    const { promise, resolve } = Promise.withResolvers<boolean>();
    const leave = (isTaken: boolean): void => {
      this.remove(message);
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
    this.list = list;
    this.#refresh();
  }
}
