import { type Attachment, attach } from '../../core/messages/attachments.ts';
import type { WaitingMessage } from '../present/unsent.ts';

/** The place of one message among those that wait. */
export class WaitingPlace {
  readonly #change: (message: WaitingMessage | undefined) => void;
  #message: WaitingMessage;

  constructor(message: WaitingMessage, change: (message: WaitingMessage | undefined) => void) {
    this.#message = message;
    this.#change = change;
  }

  /** The conversation that the message was written in, where one was open. */
  get of(): string | undefined {
    return this.#message.of;
  }

  /** The message goes into another conversation, which the user asked for. */
  moveTo(conversation: string): void {
    this.#message = { ...this.#message, of: conversation };
    this.#change(this.#message);
  }

  /** Shows what goes with the message. */
  attach(attachments: readonly Attachment[]): void {
    const { text } = this.#message;
    this.#message = { ...this.#message, attachments, wire: { role: 'user', content: attach(text, attachments) } };
    this.#change(this.#message);
  }

  /** Ends the waiting: the message was taken, or was not sent. */
  leave(): void {
    this.#change(undefined);
  }
}

/**
 * The messages of the user that are neither in a conversation nor in its queue yet, oldest first, because of what is
 * asked, read or prepared before. They are let through one after the other.
 */
export class WaitingMessages {
  readonly #refresh: () => void;
  readonly #isBusy: () => boolean;
  readonly #conversation: () => string | undefined;
  #list: readonly WaitingMessage[] = [];
  #count = 0;
  /** Whether the newest message that wants through was taken. */
  #last: Promise<boolean> | undefined;

  /** `isBusy`: whether a message that is sent now will be queued; `conversation`: the id of the one that is open. */
  constructor(refresh: () => void, isBusy: () => boolean, conversation: () => string | undefined = () => undefined) {
    this.#refresh = refresh;
    this.#isBusy = isBusy;
    this.#conversation = conversation;
  }

  get list(): readonly WaitingMessage[] {
    return this.#list;
  }

  /** Whether a message that is sent now comes after one that waits. */
  get isHeld(): boolean {
    return this.#last !== undefined;
  }

  /** Whether the conversation of a message is the one that is open. */
  isHere({ of }: WaitingPlace): boolean {
    return of === this.#conversation();
  }

  /** Shows a message as waiting until its place is left. */
  add(text: string): WaitingPlace {
    this.#count += 1;
    const of = this.#conversation();
    const message: WaitingMessage = {
      key: `waiting${this.#count}`,
      ...(of !== undefined && { of }),
      text,
      attachments: [],
      wire: { role: 'user', content: text },
      isQueued: this.#isBusy(),
    };
    this.#set([...this.#list, message]);
    return new WaitingPlace(message, (now) =>
      this.#set(this.#list.flatMap((one) => (one.key === message.key ? (now ?? []) : one))),
    );
  }

  /**
   * Sends a message when those before it were taken, which `send` is to say as soon as it is so. Where the one before
   * is not sent, neither is this: false, as when `send` says so.
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
