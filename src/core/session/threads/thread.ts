import type { ChatMessage } from '../../chat/wire.ts';
import type { Conversation } from '../../conversation/conversation.ts';
import { figuresOf } from '../../conversation/figures.ts';
import type { Words } from '../../phrase.ts';
import { queueWork } from '../../steps.ts';
import { isSameMessage, markHidden } from './clientMessages.ts';
import type { Reply } from './match.ts';
import type { ThreadRecord, ThreadStore } from './threadStore.ts';

/** What is stored of a thread: the number of messages, and what was kept beside them, to detect changes. */
interface Saved {
  readonly messages: number;
  readonly basis: readonly unknown[];
  /** Absent where messages were stored since. */
  readonly record?: ThreadRecord;
}

/** A thread's record is stored again when its use has changed by more than this share of the budget. */
const TOLD_SHARE = 0.05;

/** One conversation of a client, in memory or stored. */
export class Thread {
  record: ThreadRecord;
  /** The fingerprint of the model, tools and system prompt in use. Undefined: those that were stored. */
  worksWith: number | undefined;
  #conversation: Conversation | undefined;
  #saved: Saved = { messages: 0, basis: [] };
  /** Writes are made one after the other. */
  readonly #inTurn = queueWork();
  /** Who uses it: requests, by the signals that abort when their clients have gone, and views that show it. */
  readonly #holders = new Set<{ readonly by: AbortSignal | 'request' | 'look' }>();

  constructor(record: ThreadRecord, conversation?: Conversation, worksWith?: number) {
    this.record = record;
    this.#conversation = conversation;
    this.worksWith = worksWith;
  }

  /** Undefined: only the store has it. */
  get conversation(): Conversation | undefined {
    return this.#conversation;
  }

  /** Takes what was loaded from the store. */
  open(conversation: Conversation): void {
    this.#conversation = conversation;
    const { nextId: messages } = conversation.transcript;
    this.#saved = { messages, basis: basisOf(conversation), record: this.record };
  }

  /** True while somebody uses it: it stays in memory. */
  get isHeld(): boolean {
    return this.#holders.size > 0;
  }

  /** True while a request works with it whose client still waits. */
  get isAtWork(): boolean {
    return [...this.#holders].some(({ by }) => (typeof by === 'object' ? !by.aborted : by === 'request'));
  }

  /** Holds the thread until the returned function is called; calling that twice does no harm. */
  hold(by: AbortSignal | 'request' | 'look'): () => void {
    const holder = { by };
    this.#holders.add(holder);
    return () => void this.#holders.delete(holder);
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

  /** Resolves when everything that was to be saved is. */
  saved(): Promise<void> {
    return this.#inTurn(async () => undefined);
  }

  /** Stores what is new; returns the reason if that failed. */
  save(store: ThreadStore, isClosing = false): Promise<Words | undefined> {
    return this.#inTurn(() => this.#save(store, isClosing));
  }

  /** Stores it and removes it from memory; it stays if that failed, or if it was used meanwhile. */
  async close(store: ThreadStore): Promise<void> {
    const problem = await this.save(store, true);
    if (problem !== undefined || this.isHeld || this.#saved.messages !== this.#conversation?.transcript.nextId) return;
    this.#conversation = undefined;
    this.worksWith = undefined;
  }

  async #save(store: ThreadStore, isClosing: boolean): Promise<Words | undefined> {
    const [conversation, record, saved] = [this.#conversation, this.record, this.#saved];
    if (conversation === undefined) return undefined;
    const { messages, ...state } = conversation.snapshot();
    const basis = basisOf(conversation);
    const appended = messages.slice(saved.messages);
    const figures = figuresOf(conversation, record.updatedAt);
    const hasMoved = Math.abs(figures.used - (record.figures?.used ?? 0)) > figures.limit * TOLD_SHARE;
    const isChanged = saved.messages === 0 || hasMoved || basis.some((part, index) => part !== saved.basis[index]);
    const isBeside = isChanged || (isClosing && record !== saved.record);
    const stored = { ...record, figures };
    if (isBeside || appended.length > 0) {
      const beside = isBeside && { beside: { state, view: conversation.viewMessages() } };
      const done = await store.save({ record: stored, from: saved.messages, appended, ...beside });
      if (!done.ok) return done.error.message;
      if (isBeside) this.record = this.record === record ? stored : { ...this.record, figures };
      this.#saved = { messages: messages.length, basis, ...(isBeside && { record: stored }) };
    }
    if (isClosing) await store.close?.(record.id);
    return undefined;
  }
}

/** Objects kept beside the messages that are replaced by new ones at every change. */
function basisOf(conversation: Conversation): readonly unknown[] {
  return [conversation.compactions(), conversation.pins(), conversation.learnedWindow()];
}
