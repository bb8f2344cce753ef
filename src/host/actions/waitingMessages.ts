import { type Attachment, attach } from '../../core/messages/attachments.ts';
import type { Host } from '../host.ts';
import type { WaitingMessage } from '../present/unsent.ts';

/** The place of one message among the waiting ones. */
export class WaitingPlace {
  readonly #change: (message: WaitingMessage | undefined) => void;
  #message: WaitingMessage;

  constructor(message: WaitingMessage, change: (message: WaitingMessage | undefined) => void) {
    this.#message = message;
    this.#change = change;
  }

  /** The conversation in which the message was written, if one was open. */
  get of(): string | undefined {
    return this.#message.of;
  }

  /** Moves the message to another conversation: the fork in which an edited message is sent. */
  moveTo(conversation: string): void {
    this.#message = { ...this.#message, of: conversation };
    this.#change(this.#message);
  }

  /** Adds the attachments of the message. */
  attach(attachments: readonly Attachment[]): void {
    const { text } = this.#message;
    this.#message = { ...this.#message, attachments, wire: { role: 'user', content: attach(text, attachments) } };
    this.#change(this.#message);
  }

  /** Removes the message from the list: it was taken or dropped. */
  leave(): void {
    this.#change(undefined);
  }
}

/**
 * The user's messages that were sent but that no agent has yet, oldest first: they wait for a dialog, an attachment or an
 * earlier message.
 */
export class WaitingMessages {
  readonly #host: Pick<Host, 'refresh' | 'active'>;
  #list: readonly WaitingMessage[] = [];
  #count = 0;
  /** Resolves when the newest waiting message was taken (true) or dropped (false). */
  #last: Promise<boolean> | undefined;

  constructor(host: Pick<Host, 'refresh' | 'active'>) {
    this.#host = host;
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
    return of === this.#host.active?.id;
  }

  /** Shows a message as waiting until its place is left. */
  add(text: string): WaitingPlace {
    this.#count += 1;
    const message: WaitingMessage = {
      key: `waiting${this.#count}`,
      of: this.#host.active?.id,
      text,
      attachments: [],
      wire: { role: 'user', content: text },
      isQueued: this.#host.active?.isBusy === true,
    };
    this.#set([...this.#list, message]);
    return new WaitingPlace(message, (now) =>
      this.#set(this.#list.flatMap((one) => (one.key === message.key ? (now ?? []) : one))),
    );
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
    this.#host.refresh();
  }
}
