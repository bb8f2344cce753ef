import type { Conversation } from '../../conversation/conversation.ts';
import { figuresOf } from '../../conversation/figures.ts';
import { sentence, type Words } from '../../language.ts';
import type { Slicing } from '../../steps.ts';
import type { ThreadOpening } from './match.ts';
import { Thread } from './thread.ts';
import { THREAD_FORMAT, type ThreadStore, type ThreadUpdate } from './threadStore.ts';

/** What threads need. */
export interface ThreadsOptions {
  /**
   * Opens the conversation of a thread, with the user's settings, what is known about the model's window, and
   * listeners.
   */
  readonly open: (opening: ThreadOpening) => Promise<Conversation>;
  /** Slices the work on a request, which may be long. */
  readonly slicing: Slicing;
  readonly newId: () => string;
  /** Milliseconds since 1970. */
  readonly now: () => number;
  /** Absent: threads are not stored. */
  readonly store?: ThreadStore | undefined;
  /**
   * Told, in a sentence, about a thread that cannot be read or written. The client's next request brings its content
   * again.
   */
  readonly onProblem?: (message: Words) => void;
  /** How many threads are kept in memory, besides those in use. */
  readonly mostOpen?: number;
}

const MOST_OPEN = 16;

/** All known threads: a few in memory, the others in the store. */
export class Archive {
  readonly #options: ThreadsOptions;
  /** By id. */
  readonly threads = new Map<string, Thread>();
  #listed: Promise<void> | undefined;

  constructor(options: ThreadsOptions) {
    this.#options = options;
  }

  all(): readonly Thread[] {
    return [...this.threads.values()];
  }

  add(thread: Thread): void {
    this.threads.set(thread.record.id, thread);
  }

  /** Reads the list of stored threads, once. */
  list(): Promise<void> {
    this.#listed ??= this.#list();
    return this.#listed;
  }

  async #list(): Promise<void> {
    const listed = await this.#options.store?.list();
    if (listed === undefined) return;
    if (!listed.ok) return this.#options.onProblem?.(listed.error.message);
    for (const record of listed.value) if (!this.threads.has(record.id)) this.add(new Thread(record));
    const older = listed.value.filter(({ format }) => format !== THREAD_FORMAT).length;
    if (older > 0)
      this.#options.onProblem?.(
        sentence(
          '{0} conversations of other agents were stored by an earlier version. They can be read; a request of their agents begins a new one.',
          older,
        ),
      );
  }

  /** Forgets a thread, and deletes what is stored of it. */
  async remove(thread: Thread): Promise<void> {
    this.threads.delete(thread.record.id);
    await thread.saving;
    const removed = await this.#options.store?.delete?.(thread.record.id);
    if (removed?.ok === false) this.#options.onProblem?.(removed.error.message);
  }

  /** The thread, in memory; loads it if needed. Undefined when it cannot be read, in which case it is forgotten. */
  async open(thread: Thread): Promise<Conversation | undefined> {
    if (thread.conversation !== undefined) return thread.conversation;
    const { id, profile } = thread.record;
    const loaded = await this.#options.store?.load(id);
    if (loaded === undefined || !loaded.ok) {
      this.threads.delete(id);
      if (loaded !== undefined) this.#options.onProblem?.(loaded.error.message);
      return undefined;
    }
    const restore = loaded.value;
    const conversation = await this.#options.open({ kind: 'thread', id, profile, tools: [], restore });
    // Comparing it with a request takes a slice of its own.
    await this.#options.slicing.pause();
    thread.conversation = conversation;
    const used = thread.record.figures?.used ?? 0;
    const messages = conversation.transcript.nextId;
    thread.saved = { messages, basis: basisOf(conversation), used, loaded: thread.record };
    return conversation;
  }

  /**
   * Stores what is new in a thread; returns the reason if that failed. Writes of one thread are made one after the
   * other.
   */
  save(thread: Thread, isClosing = false): Promise<Words | undefined> {
    const { store } = this.#options;
    if (store === undefined) return Promise.resolve(undefined);
    thread.saving = thread.saving.then(() => saveNow(store, thread, isClosing));
    return thread.saving;
  }

  /**
   * Removes the least recently used threads from memory until few enough are left. Without a store this forgets them.
   */
  async shrink(): Promise<void> {
    const idle = this.all().filter((thread) => thread.conversation !== undefined && !thread.isHeld);
    idle.sort((one, two) => two.record.updatedAt - one.record.updatedAt);
    for (const thread of idle.slice(this.#options.mostOpen ?? MOST_OPEN)) {
      if (this.#options.store === undefined) this.threads.delete(thread.record.id);
      // A thread that cannot be stored stays in memory.
      else if ((await this.save(thread, true)) === undefined && !thread.isHeld && isSaved(thread)) thread.close();
    }
  }
}

/** A thread's record is stored again when its use has changed by more than this share of the budget. */
const TOLD_SHARE = 0.05;

/** False when a request added messages while the thread was being saved. */
function isSaved({ saved, conversation }: Thread): boolean {
  return saved.messages === conversation?.transcript.nextId;
}

async function saveNow(store: ThreadStore, thread: Thread, isClosing: boolean): Promise<Words | undefined> {
  const { conversation, saved, record } = thread;
  if (conversation === undefined) return undefined;
  const { messages, ...state } = conversation.snapshot();
  const basis = basisOf(conversation);
  const appended = messages.slice(saved.messages);
  const figures = figuresOf(conversation, record.updatedAt);
  const hasMoved = Math.abs(figures.used - saved.used) > figures.limit * TOLD_SHARE;
  const isChanged = saved.messages === 0 || hasMoved || basis.some((part, index) => part !== saved.basis[index]);
  const isUntouched = !isChanged && appended.length === 0 && record === saved.loaded;
  const closing = isUntouched ? 'untouched' : 'closed';
  const why: ThreadUpdate['why'] = isClosing ? closing : isChanged ? 'changed' : 'grown';
  if (why === 'grown' && appended.length === 0) return undefined;
  const view = conversation.viewMessages();
  const done = await store.save({ record: { ...record, figures }, from: saved.messages, appended, view, state, why });
  if (!done.ok) return done.error.message;
  const isTold = why === 'changed' || why === 'closed';
  if (isTold) thread.record = { ...thread.record, figures };
  thread.saved = { messages: messages.length, basis, used: isTold ? figures.used : saved.used };
  return undefined;
}

/** Objects kept beside the messages that are replaced by new ones at every change. */
function basisOf(conversation: Conversation): readonly unknown[] {
  return [conversation.compactions(), conversation.pins(), conversation.learnedWindow()];
}
