import { messagesOf } from '../../messages/view.ts';
import { runInSlices, type Slicing } from '../../steps.ts';
import type { Conversation } from '../conversation.ts';
import { figuresOf } from '../figures.ts';
import { knownOf } from './known.ts';
import type { ThreadOpening } from './match.ts';
import { type Opened, Thread } from './thread.ts';
import type { ThreadStore, ThreadUpdate } from './threadStore.ts';

/** What an archive works with. */
export interface ArchiveOptions {
  readonly open: (opening: ThreadOpening) => Promise<Conversation>;
  readonly slicing: Slicing;
  readonly store: ThreadStore | undefined;
  readonly onProblem: (message: string) => void;
  /** Threads in memory, besides those at work. */
  readonly mostOpen: number;
}

/** Every thread that is known: a few in memory, the others in the store. */
export class Archive {
  readonly #options: ArchiveOptions;
  readonly #threads = new Map<string, Thread>();
  #listed: Promise<void> | undefined;

  constructor(options: ArchiveOptions) {
    this.#options = options;
  }

  /** Every thread. */
  all(): readonly Thread[] {
    return [...this.#threads.values()];
  }

  find(id: string): Thread | undefined {
    return this.#threads.get(id);
  }

  add(thread: Thread): void {
    this.#threads.set(thread.record.id, thread);
  }

  /** False when there was none. */
  forget(id: string): boolean {
    return this.#threads.delete(id);
  }

  /** Learns what the store holds; once. */
  list(): Promise<void> {
    this.#listed ??= this.#list();
    return this.#listed;
  }

  async #list(): Promise<void> {
    const listed = await this.#options.store?.list();
    if (listed === undefined) return;
    if (!listed.ok) return this.#options.onProblem(listed.error.message);
    for (const record of listed.value) if (!this.#threads.has(record.id)) this.add(new Thread(record));
  }

  /** The thread in memory. Undefined when it cannot be read: it is no longer known then. */
  async open(thread: Thread): Promise<Opened | undefined> {
    if (thread.opened !== undefined) return thread.opened;
    const { id, client, profile } = thread.record;
    const loaded = await this.#options.store?.load(id);
    if (loaded === undefined || !loaded.ok) {
      this.#threads.delete(id);
      if (loaded !== undefined) this.#options.onProblem(loaded.error.message);
      return undefined;
    }
    const restore = loaded.value;
    const who = client === undefined ? {} : { client };
    const conversation = await this.#options.open({ kind: 'thread', id, ...who, profile, tools: [], restore });
    const known = await runInSlices(knownOf(restore.messages), this.#options.slicing);
    // To be compared with a request takes a slice of its own.
    await this.#options.slicing.pause();
    thread.opened = { conversation, known, prints: undefined };
    const used = thread.record.figures?.used ?? 0;
    thread.saved = { messages: restore.messages.length, basis: basisOf(conversation), used };
    return thread.opened;
  }

  /** Stores what is new of a thread; answers why not. Writes of one thread come one after the other. */
  save(thread: Thread, isClosing = false): Promise<string | undefined> {
    const { store } = this.#options;
    if (store === undefined) return Promise.resolve(undefined);
    thread.saving = thread.saving.then(() => saveNow(store, thread, isClosing));
    return thread.saving;
  }

  /** Closes the threads that were used least recently, until few enough are in memory. Without a store they are forgotten. */
  async shrink(): Promise<void> {
    const idle = this.all().filter((thread) => thread.opened !== undefined && !thread.isHeld);
    idle.sort((one, two) => two.record.updatedAt - one.record.updatedAt);
    for (const thread of idle.slice(this.#options.mostOpen)) {
      if (this.#options.store === undefined) this.#threads.delete(thread.record.id);
      // What cannot be stored stays.
      else if ((await this.save(thread, true)) === undefined && !thread.isHeld && isSaved(thread)) thread.close();
    }
  }
}

/** When the budget in use has moved by more than this share of it, the record is stored again. */
const TOLD_SHARE = 0.05;

/** False when a request came and went while it was saved. */
function isSaved({ saved, opened }: Thread): boolean {
  return saved.messages === opened?.conversation.transcript.messages.length;
}

async function saveNow(store: ThreadStore, thread: Thread, isClosing: boolean): Promise<string | undefined> {
  const { opened, saved, record } = thread;
  if (opened === undefined) return undefined;
  const { messages, ...state } = opened.conversation.snapshot();
  const basis = basisOf(opened.conversation);
  const appended = messages.slice(saved.messages);
  const figures = figuresOf(opened.conversation, record.updatedAt);
  const hasMoved = Math.abs(figures.used - saved.used) > figures.limit * TOLD_SHARE;
  const isChanged = saved.messages === 0 || hasMoved || basis.some((part, index) => part !== saved.basis[index]);
  const why: ThreadUpdate['why'] = isClosing ? 'closed' : isChanged ? 'changed' : 'grown';
  if (why === 'grown' && appended.length === 0) return undefined;
  const view = messagesOf(opened.conversation.items());
  const done = await store.save({ record: { ...record, figures }, from: saved.messages, appended, view, state, why });
  if (!done.ok) return done.error.message;
  const isTold = why !== 'grown';
  if (isTold) thread.record = { ...thread.record, figures };
  thread.saved = { messages: messages.length, basis, used: isTold ? figures.used : saved.used };
  return undefined;
}

/** What is another object after each change that is kept beside the messages. */
function basisOf(conversation: Conversation): readonly unknown[] {
  return [conversation.compactions(), conversation.pins(), conversation.learnedWindow()];
}
