import type { ChatMessage } from '../../messages/chat.ts';
import { countSame } from '../../messages/growing.ts';
import type { Conversation } from '../conversation.ts';
import type { Fingerprint, Printed, PrintedMessages } from './fingerprint.ts';
import { markHidden, type SentMessage } from './known.ts';
import type { Reply } from './match.ts';
import { isSameMessage } from './sameMessage.ts';
import type { ThreadRecord } from './threadStore.ts';

/** A thread that is in memory. */
export class Opened {
  readonly conversation: Conversation;
  /** Fingerprints of what it works with now; undefined: it still works with what was stored. */
  prints: { readonly profile: number; readonly tools: number; readonly prompt: number } | undefined;
  #known: readonly SentMessage[] = [];
  #printed: PrintedMessages = NOTHING_PRINTED;

  constructor(conversation: Conversation, known: readonly SentMessage[]) {
    this.conversation = conversation;
    this.known = known;
  }

  /** What the client last sent, without the system prompt. The transcript has it already. */
  set known(known: readonly SentMessage[]) {
    const { messages: raw } = this.conversation.transcript;
    const { messages, prints } = this.#printed;
    // Nearly all of it is what it was.
    const same = countSame(this.#known, known);
    const others = known.slice(same);
    this.#known = known;
    this.#printed = {
      messages: messages.slice(0, same).concat(others.map(({ id }) => raw[id]?.wire)),
      prints: prints.slice(0, same).concat(others.map(({ print }) => print)),
    };
  }

  get known(): readonly SentMessage[] {
    return this.#known;
  }

  /** The same as messages of the transcript, and fingerprints. */
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

  /** Takes note of a reply that was sent. There may be several, since a client may ask twice and use one answer. */
  await({ sent, recorded: [first, ...results] = [] }: Reply): void {
    const recorded = first === undefined ? [] : [first, ...results.map(markHidden)];
    const others = this.record.awaited.filter((one) => !isSameMessage(one.sent, sent));
    this.record = { ...this.record, awaited: [...others, { sent, recorded }] };
  }

  /** What the transcript records for new messages of a request: a reply that came back as it was recorded. */
  recordedFor(added: readonly ChatMessage[]): readonly ChatMessage[] {
    const [first, ...others] = added;
    const reply =
      first && this.record.awaited.find(({ sent, recorded }) => recorded.length > 0 && isSameMessage(sent, first));
    return reply === undefined ? added : [...reply.recorded, ...others];
  }
}
