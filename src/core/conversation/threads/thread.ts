import type { ChatMessage } from '../../messages/chat.ts';
import type { MessageId } from '../../messages/message.ts';
import type { Conversation } from '../conversation.ts';
import { type Fingerprint, fingerprintsOf } from './fingerprint.ts';
import type { Reply } from './match.ts';
import type { Known, ThreadRecord } from './threadStore.ts';

/** A reply that went out and has not come back yet. */
interface Awaited {
  readonly print: Fingerprint;
  readonly recorded: readonly ChatMessage[];
}

/** One conversation of a client, in memory or stored: what the client last sent of it, and what stands for that. */
export class Thread {
  #record: ThreadRecord;
  #awaited: readonly Awaited[] = [];
  #holders = 0;
  /** Messages of the transcript that are stored. */
  saved: number;
  /** Undefined while it is only stored. */
  conversation: Conversation | undefined;

  constructor(record: ThreadRecord, conversation: Conversation | undefined, saved: number) {
    this.#record = record;
    this.conversation = conversation;
    this.saved = saved;
  }

  get id(): string {
    return this.#record.id;
  }

  get record(): ThreadRecord {
    return this.#record;
  }

  /** What the client last sent, without the system prompt. */
  get known(): readonly Known[] {
    return this.#record.known;
  }

  /** True while a request works with it. */
  get isHeld(): boolean {
    return this.#holders > 0;
  }

  hold(): void {
    this.#holders += 1;
  }

  release(): void {
    this.#holders -= 1;
  }

  /** Takes what a request told of the thread. */
  note(change: Partial<Pick<ThreadRecord, 'known' | 'hint' | 'updatedAt'>>): void {
    this.#record = { ...this.#record, ...change };
  }

  /** Notes a reply. Several may wait: a client may ask twice and take one. */
  await({ sent, recorded = [] }: Reply): void {
    const [print = 0] = fingerprintsOf([sent]);
    this.#awaited = [...this.#awaited.filter((one) => one.print !== print), { print, recorded }];
  }

  /** The messages of the transcript for the client's copy of a reply. */
  recordedFor(print: Fingerprint, copy: ChatMessage): readonly ChatMessage[] {
    const recorded = this.#awaited.find((one) => one.print === print)?.recorded ?? [];
    return recorded.length > 0 ? recorded : [copy];
  }

  /** The client has gone on: no reply is waited for. */
  forgetReplies(): void {
    this.#awaited = [];
  }

  /** The message of the transcript that the first message after the first `count` that the client knows stands for. */
  endOf(count: number, length: number): MessageId {
    return this.known[count]?.id ?? length;
  }
}
