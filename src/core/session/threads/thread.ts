import type { Conversation } from '../../conversation/conversation.ts';
import type { Words } from '../../language.ts';
import type { ChatMessage } from '../../messages/chat.ts';
import { isSameMessage, markHidden } from './clientMessages.ts';
import type { Reply } from './match.ts';
import type { ThreadRecord } from './threadStore.ts';

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
  readonly signal: AbortSignal | undefined;
  readonly ended: Promise<void>;
}

/** One conversation of a client, in memory or stored. */
export class Thread {
  record: ThreadRecord;
  /** Undefined: only the store has it. */
  conversation: Conversation | undefined;
  /** The fingerprint of the model, tools and system prompt in use. Undefined: those that were stored. */
  worksWith: number | undefined;
  saved: Saved = { messages: 0, basis: [], used: 0 };
  /** Resolves when everything that was to be saved is. Writes are made one after the other. */
  saving: Promise<Words | undefined> = Promise.resolve(undefined);
  readonly #holders = new Set<Hold>();

  constructor(record: ThreadRecord, conversation?: Conversation, worksWith?: number) {
    this.record = record;
    this.conversation = conversation;
    this.worksWith = worksWith;
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
    // Not Promise.withResolvers: the gateway runs on Node 20 too.
    let end = (): void => undefined;
    const ended = new Promise<void>((resolve) => {
      end = resolve;
    });
    const hold: Hold = { kind, signal, ended };
    this.#holders.add(hold);
    return () => {
      this.#holders.delete(hold);
      end();
    };
  }

  /** Removes it from memory: the store has it. */
  close(): void {
    this.conversation = undefined;
    this.worksWith = undefined;
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
