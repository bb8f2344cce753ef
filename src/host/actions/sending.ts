import { type Attachment, attach, readAttachments } from '../../core/messages/attachments.ts';
import type { MessageId } from '../../core/messages/message.ts';
import type { ActiveConversation } from '../conversations/activeConversation.ts';
import { requireTrust } from '../settings/trust.ts';
import { leadBack, mayLead } from './guards.ts';
import type { UserActionsParts } from './userActions.ts';
import type { WaitingMessages, WaitingPlace } from './waitingMessages.ts';

/** What sending needs. Failures of the disk were shown. */
interface SendingParts extends Pick<UserActionsParts, 'conversations' | 'setup' | 'announcer' | 'reveal'> {
  readonly waiting: WaitingMessages;
  readonly create: () => Promise<ActiveConversation | undefined>;
  /** Opens a fork with what comes before a message. */
  readonly fork: (source: ActiveConversation, end: MessageId) => Promise<ActiveConversation | undefined>;
  readonly isFree: (active: ActiveConversation) => boolean;
  readonly mayWrite: (active: ActiveConversation) => boolean;
  readonly tell: (text: string) => void;
}

/** Brings what the user writes to the agent of the open conversation. */
export class Sending {
  readonly #parts: SendingParts;

  constructor(parts: SendingParts) {
    this.#parts = parts;
  }

  /**
   * Sends a message, or queues it while the agent runs. Asks first for what is missing. Resolves when its turn has
   * ended; false when it was not sent, which the user was told or decided. Until it is taken it is shown as waiting, in
   * the place that it may have already.
   */
  async send(text: string, attachments: readonly Attachment[] = [], given?: WaitingPlace): Promise<boolean> {
    const { waiting, setup } = this.#parts;
    const place = given ?? waiting.add(text);
    place.attach(attachments);
    if (waiting.isHeld) void setup.focusDialog();
    return await waiting.inTurn(place, (taken) => this.#send(text, attachments, place, taken));
  }

  async #send(
    text: string,
    attachments: readonly Attachment[],
    { of }: WaitingPlace,
    taken: () => void,
  ): Promise<boolean> {
    // Another conversation may be opened during each of these: the message was not written for that one.
    const isElsewhere = () => of !== undefined && this.#active !== undefined && this.#active.id !== of;
    if (isElsewhere() || (this.#active !== undefined && !(await this.#mayLead(this.#active)))) return false;
    if (!(await this.#mayAsk()) || isElsewhere()) return false;
    const active = this.#active ?? (await this.#parts.create());
    if (active === undefined || !(await this.#mayLead(active))) return false;
    await this.#parts.conversations.nameByFirstMessage(active, text);
    // What is closed by now takes no message.
    if (this.#active !== active) return false;
    return await active.agent.send(attach(text, attachments), taken);
  }

  /** Continues a turn that has no answer, also one of an earlier window. Resolves when the turn has ended. */
  async resume(): Promise<void> {
    const active = this.#active;
    if (active === undefined || !(await this.#mayAsk()) || !(await this.#mayLead(active))) return;
    await active.agent.resume();
  }

  /** Sends the messages that a stop or a failure left in the queue. Resolves when their turns have ended. */
  async sendQueued(): Promise<void> {
    const active = this.#active;
    if (active === undefined || !(await this.#mayAsk()) || !(await this.#mayLead(active))) return;
    await active.agent.sendQueued();
  }

  /** Asks a message of the user again: in a fork, unless it is the last one of Karl's own conversation. */
  async retry(id: MessageId): Promise<void> {
    const active = this.#active;
    const messages = active?.conversation.transcript.messages ?? [];
    const message = messages[id];
    if (message?.role !== 'user') return;
    const { typed, attachments } = readAttachments(message.wire.content);
    if (id === messages.length - 1 && active?.otherAgent === undefined) await this.resume();
    else await this.resend(id, typed, attachments);
  }

  /** Sends a text in place of a message of the user, in a fork; the original stays. Resolves as `send` does. */
  async resend(
    id: MessageId,
    text: string,
    attachments: readonly Attachment[] = [],
    given?: WaitingPlace,
  ): Promise<boolean> {
    const source = this.#active;
    const place = given ?? this.#parts.waiting.add(text);
    place.attach(attachments);
    try {
      if (source === undefined || !(await this.#mayAsk())) return false;
      if (this.#active !== source || !this.#parts.isFree(source)) return false;
      const fork = await this.#parts.fork(source, id);
      if (fork === undefined) return false;
      place.moveTo(fork.id);
      return await this.send(text, attachments, place);
    } finally {
      place.leave();
    }
  }

  get #active(): ActiveConversation | undefined {
    return this.#parts.conversations.active;
  }

  /** Whether a model may be asked here; asks the user for what is missing. */
  async #mayAsk(): Promise<boolean> {
    return requireTrust() && (await leadBack(() => this.#parts.setup.complete(), this.#parts, 'view'));
  }

  /** Whether a message may be sent in the conversation; a flush finds out whether another window has taken over. */
  async #mayLead(active: ActiveConversation): Promise<boolean> {
    await active.file.flush();
    return mayLead(active, this.#parts.tell) && this.#parts.mayWrite(active);
  }
}
