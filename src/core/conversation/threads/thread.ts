import type { ChatMessage } from '../../messages/chat.ts';
import type { Conversation } from '../conversation.ts';
import { type Awaited, findReply } from './awaited.ts';
import { type Fingerprint, fingerprintsOf, type Printed } from './fingerprint.ts';
import { hide, type Known } from './known.ts';
import type { Reply } from './match.ts';
import type { Apart } from './takeIn.ts';
import type { ThreadRecord } from './threadStore.ts';

/** A thread that is in memory. */
export interface Opened {
  readonly conversation: Conversation;
  /** What the client last sent, without the system prompt. */
  known: readonly Known[];
  /** With what it works now; undefined: with what it was stored with. */
  prints: { readonly profile: number; readonly tools: number; readonly prompt: number } | undefined;
}

/** What of a thread is stored: so many messages, and the records and pins of one moment. */
export interface Saved {
  readonly messages: number;
  readonly basis: readonly unknown[];
}

/** One conversation of a client, in memory or stored. */
export class Thread {
  record: ThreadRecord;
  opened: Opened | undefined;
  saved: Saved;
  /** Ends when all that was to be saved is. Writes come one after the other. */
  saving: Promise<string | undefined> = Promise.resolve(undefined);
  #awaited: readonly Awaited[] = [];
  #holders = 0;

  constructor(record: ThreadRecord, opened?: Opened) {
    this.record = record;
    this.opened = opened;
    this.saved = { messages: 0, basis: [] };
  }

  /** What the client last sent with its fingerprints, as far as the transcript has it in these words; while in memory. */
  printed(): readonly (Printed | undefined)[] {
    const messages = this.opened?.conversation.transcript.messages;
    return (this.opened?.known ?? []).map(({ id, print, isRaw }) => {
      const message = isRaw ? messages?.[id]?.wire : undefined;
      return message === undefined ? undefined : { message, print };
    });
  }

  /** Fingerprints of what the client last sent. */
  get prints(): readonly Fingerprint[] {
    return this.record.prints;
  }

  /** True while somebody works with it. */
  get isHeld(): boolean {
    return this.#holders > 0;
  }

  hold(): void {
    this.#holders += 1;
  }

  release(): void {
    this.#holders -= 1;
  }

  /** Lets it go from memory: the store has it. */
  close(): void {
    this.opened = undefined;
    this.#awaited = [];
  }

  /** Replies that went out; several may wait, for a client may ask twice and take one. */
  get awaited(): readonly Awaited[] {
    return this.#awaited;
  }

  /** Notes a reply. */
  await({ sent, recorded: [first, ...results] = [] }: Reply): void {
    const [print = 0] = fingerprintsOf([sent]);
    const recorded = first === undefined ? [] : [first, ...results.map(hide)];
    this.#awaited = [...this.#awaited.filter((one) => one.print !== print), { print, sent, recorded }];
  }

  /** The messages of the transcript for a message of a request: a reply as it is recorded, or the client's own. */
  recordedFor({ messages, prints }: Apart, index: number, place: number | undefined): readonly ChatMessage[] {
    const message = messages[index];
    if (message === undefined) return [];
    const reply = place === undefined ? undefined : findReply(this.#awaited, messages, prints);
    return reply?.index === index && reply.reply.recorded.length > 0 ? reply.reply.recorded : [message];
  }

  /** The client has gone on: no reply is waited for. */
  forgetReplies(): void {
    this.#awaited = [];
  }
}
