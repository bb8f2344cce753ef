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
  /** Tokens, as its record says. */
  readonly used: number;
}

/** Somebody at work with a thread: a request, or who looks at it. */
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
  /** Ends when all that was to be saved is. Writes come one after the other. */
  saving: Promise<string | undefined> = Promise.resolve(undefined);
  readonly #holders = new Set<Hold>();

  constructor(record: ThreadRecord, opened?: Opened) {
    this.record = record;
    this.opened = opened;
    this.saved = { messages: 0, basis: [], used: 0 };
  }

  /** How many messages the client last sent, as far as they are in memory. */
  get length(): number {
    return this.opened?.known.length ?? 0;
  }

  /** One of them, where the transcript has it in these words. */
  messageAt(place: number): ChatMessage | undefined {
    const known = this.opened?.known[place];
    return known?.isRaw === true ? this.opened?.conversation.transcript.messages[known.id]?.wire : undefined;
  }

  printAt(place: number): Fingerprint {
    return this.opened?.known[place]?.print ?? 0;
  }

  /** Fingerprints of what the client last sent. */
  get prints(): readonly Fingerprint[] {
    return this.record.prints;
  }

  /** True while somebody works with it: it stays in memory. */
  get isHeld(): boolean {
    return this.#holders.size > 0;
  }

  /** True while a request works with it that its client still waits for. */
  get isAtWork(): boolean {
    return [...this.#holders].some(({ kind, signal }) => kind === 'request' && signal?.aborted !== true);
  }

  /** Resolves when requests that nobody waits for any more have ended; true when there were some. */
  async settle(): Promise<boolean> {
    const ending = [...this.#holders].filter(({ kind, signal }) => kind === 'request' && signal?.aborted === true);
    await Promise.all(ending.map(({ ended }) => ended));
    return ending.length > 0;
  }

  /** Works with it from now on, until the answer is called; that may be called twice. */
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

  /** Lets it go from memory: the store has it. */
  close(): void {
    this.opened = undefined;
  }

  /** Replies that went out; several may wait, for a client may ask twice and take one. */
  get awaited(): readonly Awaited[] {
    return this.record.awaited;
  }

  /** Notes a reply. */
  await({ sent, recorded: [first, ...results] = [] }: Reply): void {
    const [print = 0] = fingerprintsOf([sent]);
    const recorded = first === undefined ? [] : [first, ...results.map(hide)];
    const others = this.awaited.filter((one) => one.print !== print);
    this.record = { ...this.record, awaited: [...others, { print, sent, recorded }] };
  }

  /** The messages of the transcript for a message of a request: a reply as it is recorded, or the client's own. */
  recordedFor({ messages, prints }: Apart, index: number, place: number | undefined): readonly ChatMessage[] {
    const message = messages[index];
    if (message === undefined) return [];
    const reply = place === undefined ? undefined : findReply(this.awaited, messages, prints);
    return reply?.index === index && reply.reply.recorded.length > 0 ? reply.reply.recorded : [message];
  }

  /** The client has gone on: no reply is waited for. */
  forgetReplies(): void {
    this.record = { ...this.record, awaited: [] };
  }
}
