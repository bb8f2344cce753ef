import type { ChatMessage } from '../../messages/chat.ts';
import { countSame } from '../../messages/growing.ts';
import type { Conversation } from '../conversation.ts';
import { type Awaited, findReply } from './awaited.ts';
import { type Fingerprint, fingerprintsOf, type Printed, type PrintedMessages } from './fingerprint.ts';
import { hide, type Known } from './known.ts';
import type { Reply } from './match.ts';
import type { Apart } from './takeIn.ts';
import type { ThreadRecord } from './threadStore.ts';

/** A thread that is in memory. */
export class Opened {
  readonly conversation: Conversation;
  /** Fingerprints of what it works with now; undefined: it still works with what was stored. */
  prints: { readonly profile: number; readonly tools: number; readonly prompt: number } | undefined;
  #known: readonly Known[] = [];
  #printed: PrintedMessages = NOTHING_PRINTED;

  constructor(conversation: Conversation, known: readonly Known[]) {
    this.conversation = conversation;
    this.known = known;
  }

  /** What the client last sent, without the system prompt. The transcript has it already. */
  set known(known: readonly Known[]) {
    const { messages: raw } = this.conversation.transcript;
    const { messages, prints } = this.#printed;
    // Nearly all of it is what it was.
    const same = countSame(this.#known, known);
    const others = known.slice(same);
    this.#known = known;
    this.#printed = {
      messages: messages.slice(0, same).concat(others.map(({ id, isRaw }) => (isRaw ? raw[id]?.wire : undefined))),
      prints: prints.slice(0, same).concat(others.map(({ print }) => print)),
    };
  }

  get known(): readonly Known[] {
    return this.#known;
  }

  /** The same as messages, where the transcript has them in these words, and fingerprints. */
  get printed(): PrintedMessages {
    return this.#printed;
  }
}

const NOTHING_PRINTED: PrintedMessages = { messages: [], prints: [] };

/** How much of a thread is stored: the number of messages, and the records and pins at that moment. */
export interface Saved {
  readonly messages: number;
  readonly basis: readonly unknown[];
  /** The tokens used according to its stored record. */
  readonly used: number;
  /** The record as it was loaded; absent once the thread has been stored since. */
  readonly loaded?: ThreadRecord;
}

/** Somebody who uses a thread: a request, or whoever looks at it. */
interface Hold {
  readonly kind: 'request' | 'look';
  /** Aborts when the client has gone. */
  readonly signal?: AbortSignal;
  readonly ended: Promise<void>;
}

/** One conversation of a client, in memory or stored. */
export class Thread implements Printed {
  record: ThreadRecord;
  opened: Opened | undefined;
  saved: Saved;
  /** Resolves when everything that was to be saved is. Writes are made one after the other. */
  saving: Promise<string | undefined> = Promise.resolve(undefined);
  readonly #holders = new Set<Hold>();

  constructor(record: ThreadRecord, opened?: Opened) {
    this.record = record;
    this.opened = opened;
    this.saved = { messages: 0, basis: [], used: 0 };
  }

  /** What the client last sent, as far as it is in memory. */
  get printed(): PrintedMessages {
    return this.opened?.printed ?? NOTHING_PRINTED;
  }

  /** Fingerprints of the messages that the client sent last. */
  get prints(): readonly Fingerprint[] {
    return this.record.prints;
  }

  /** True while somebody uses it: it stays in memory. */
  get isHeld(): boolean {
    return this.#holders.size > 0;
  }

  /** True while a request works with it whose client still waits. */
  get isAtWork(): boolean {
    return [...this.#holders].some(({ kind, signal }) => kind === 'request' && signal?.aborted !== true);
  }

  /** Resolves when requests whose clients have gone have ended; true when there were any. */
  async settle(): Promise<boolean> {
    const ending = [...this.#holders].filter(({ kind, signal }) => kind === 'request' && signal?.aborted === true);
    await Promise.all(ending.map(({ ended }) => ended));
    return ending.length > 0;
  }

  /** Holds the thread until the returned function is called; calling that twice does no harm. */
  hold(kind: Hold['kind'], signal?: AbortSignal): () => void {
    let end: () => void = () => undefined;
    const ended = new Promise<void>((resolve) => {
      end = resolve;
    });
    const hold: Hold = { kind, ended, ...(signal !== undefined && { signal }) };
    this.#holders.add(hold);
    return () => {
      this.#holders.delete(hold);
      end();
    };
  }

  /** Removes it from memory: the store has it. */
  close(): void {
    this.opened = undefined;
  }

  /** Replies that were sent. There may be several, since a client may ask twice and use one answer. */
  get awaited(): readonly Awaited[] {
    return this.record.awaited;
  }

  /** Takes note of a reply that was sent. */
  await({ sent, recorded: [first, ...results] = [] }: Reply): void {
    const [print = 0] = fingerprintsOf([sent]);
    const recorded = first === undefined ? [] : [first, ...results.map(hide)];
    const others = this.awaited.filter((one) => one.print !== print);
    this.record = { ...this.record, awaited: [...others, { print, sent, recorded }] };
  }

  /**
   * What the transcript records for a message of a request: a reply as it was recorded, or the client's own message.
   */
  recordedFor({ messages, prints }: Apart, index: number, place: number | undefined): readonly ChatMessage[] {
    const message = messages[index];
    if (message === undefined) return [];
    const reply = place === undefined ? undefined : findReply(this.awaited, messages, prints);
    return reply?.index === index && reply.reply.recorded.length > 0 ? reply.reply.recorded : [message];
  }

  /** Forgets awaited replies, since the client has continued. */
  forgetReplies(): void {
    this.record = { ...this.record, awaited: [] };
  }
}
