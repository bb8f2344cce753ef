import type { ChatMessage } from '../../chat/wire.ts';
import type { Conversation } from '../../conversation/conversation.ts';
import type { ConversationState } from '../../conversation/conversationOptions.ts';
import { figuresOf } from '../../conversation/figures.ts';
import { phrase, type Words } from '../../phrase.ts';
import { countSame, type Result } from '../../result.ts';
import { queueWork, runInSlices, type Slicing } from '../../steps.ts';
import { beginWith, type Found, forkOf, isAside, isRewriting, wasAside } from './begin.ts';
import {
  aboutOf,
  clientMessages,
  isSameMessage,
  markHidden,
  printOf,
  promptLength,
  type SplitRequest,
  splitRequest,
} from './clientMessages.ts';
import type { Match, Outgoing, StatelessRequest, ThreadOpening, ThreadUse } from './match.ts';
import { areOwnTools, isOwn, toTranscript, withClientMessages } from './own.ts';
import { Thread } from './thread.ts';
import { type ThreadRecord, type ThreadStore, type ThreadStoreProblem, titleOf } from './threadStore.ts';

/** What threads need. */
export interface ThreadsOptions {
  /** Opens a thread's conversation with the user's settings, the known window of its model, and listeners. */
  readonly open: (opening: ThreadOpening) => Promise<Conversation>;
  /** Slices the work on a request, which may be long. */
  readonly slicing: Slicing;
  readonly newId: () => string;
  /** Milliseconds since 1970. */
  readonly now: () => number;
  /** Absent: threads are not stored. */
  readonly store?: ThreadStore | undefined;
  /** Receives a sentence about a thread that cannot be read or written. The next request restores its content. */
  readonly onProblem?: (message: Words) => void;
  /** How many threads are kept in memory, besides those in use. */
  readonly mostOpen?: number;
}

const MOST_OPEN = 16;

/** A conversation that was made for a request. */
type Opened = Pick<Match, 'id' | 'conversation'>;

/** At most this many threads are compared with a request message by message. */
const MOST_COMPARED = 4;

/**
 * The conversations of clients that send the whole history with each request. A request is the whole truth about its
 * conversation: it continues a thread when all messages of that are its first ones. Where it differs from there on, a
 * new thread begins with what both have in common, and with the records that were made from nothing else. So what is
 * sent comes from the request, or was derived from messages that it contains.
 */
export class Threads {
  readonly #options: ThreadsOptions;
  /** All known threads by id: a few in memory, the others in the store. */
  readonly #threads = new Map<string, Thread>();
  #isListed = false;
  /** Requests are matched one after the other, since two may continue one thread. */
  readonly #inTurn = queueWork();

  constructor(options: ThreadsOptions) {
    this.#options = options;
  }

  /**
   * Finds or makes the thread that a request continues, and brings its conversation up to date. The caller must release
   * the match. Rejects with InvalidMessageError (index and field) for an invalid message, in which case nothing is
   * changed.
   */
  match(request: StatelessRequest): Promise<Match> {
    return this.#inTurn(() => this.#match(request));
  }

  /** Reads the list of stored threads; the first request does so by itself. */
  load(): Promise<void> {
    return this.#inTurn(() => this.#load());
  }

  /** All known threads, in memory or stored, newest first; with current figures for those in memory. */
  list(): readonly ThreadRecord[] {
    return this.#all
      .map(({ record, conversation }) =>
        conversation === undefined ? record : { ...record, figures: figuresOf(conversation, record.updatedAt) },
      )
      .sort((one, two) => two.updatedAt - one.updatedAt);
  }

  /** The conversation of a thread, to show it or to recall from it, until `release`. Undefined if there is none. */
  use(id: string): Promise<ThreadUse | undefined> {
    return this.#inTurn(async () => {
      const thread = this.#threads.get(id);
      const conversation = thread === undefined ? undefined : await this.#read(thread);
      if (thread === undefined || conversation === undefined) return undefined;
      const end = thread.hold('look');
      return {
        record: thread.record,
        conversation,
        lastReply: () => thread.record.awaited.at(-1)?.sent,
        save: () => this.#save(thread),
        release: () => this.#release(thread, end),
      };
    });
  }

  /** True while a request works with the thread. */
  isAtWork(id: string): boolean {
    return this.#threads.get(id)?.isAtWork === true;
  }

  /** True while a request works with the thread, or somebody looks at it. */
  isHeld(id: string): boolean {
    return this.#threads.get(id)?.isHeld === true;
  }

  /** Forgets a thread without storing it; the caller must know that nobody uses it. False when there was none. */
  drop(id: string): boolean {
    return this.#threads.delete(id);
  }

  /**
   * Deletes stored threads with `remove`, which returns their ids and deletes none that is in use, and forgets them. No
   * thread is opened meanwhile.
   */
  deleteStored(
    remove: () => Promise<Result<readonly string[], ThreadStoreProblem>>,
  ): Promise<Result<readonly string[], ThreadStoreProblem>> {
    return this.#inTurn(async () => {
      const removed = await remove();
      if (removed.ok) for (const id of removed.value) this.#threads.delete(id);
      return removed;
    });
  }

  /** Stores what is in memory, before the process ends. Returns a sentence for each failure. */
  async saveAll(): Promise<readonly Words[]> {
    const saved = await Promise.all(this.#all.map((thread) => this.#save(thread, true)));
    return saved.filter((problem) => problem !== undefined);
  }

  get #all(): readonly Thread[] {
    return [...this.#threads.values()];
  }

  /** Reads the list of stored threads, once. */
  async #load(): Promise<void> {
    const listed = this.#isListed ? undefined : await this.#options.store?.list();
    this.#isListed = true;
    if (listed === undefined) return;
    if (!listed.ok) return this.#options.onProblem?.(listed.error.message);
    for (const record of listed.value)
      if (!this.#threads.has(record.id)) this.#threads.set(record.id, new Thread(record));
  }

  /** The thread, in memory; loads it if needed. Undefined when it cannot be read, in which case it is forgotten. */
  async #read(thread: Thread): Promise<Conversation | undefined> {
    if (thread.conversation !== undefined) return thread.conversation;
    const { id, profile } = thread.record;
    const loaded = await this.#options.store?.load(id);
    if (loaded === undefined || !loaded.ok) {
      this.#threads.delete(id);
      if (loaded !== undefined) this.#options.onProblem?.(loaded.error.message);
      return undefined;
    }
    const restore = loaded.value;
    const conversation = await this.#options.open({ kind: 'thread', id, profile, tools: [], restore });
    // Comparing it with a request needs a slice of its own.
    await this.#options.slicing.pause();
    thread.open(conversation);
    return conversation;
  }

  async #save(thread: Thread, isClosing = false): Promise<Words | undefined> {
    const { store } = this.#options;
    return store && thread.save(store, isClosing);
  }

  /** Forgets a thread, and deletes what is stored of it. */
  async #remove(thread: Thread): Promise<void> {
    this.#threads.delete(thread.record.id);
    await thread.saved();
    const removed = await this.#options.store?.delete?.(thread.record.id);
    if (removed?.ok === false) this.#options.onProblem?.(removed.error.message);
  }

  /** Removes the threads used least recently from memory until few enough are left. Without a store, forgets them. */
  async #shrink(): Promise<void> {
    const { store, mostOpen = MOST_OPEN } = this.#options;
    const idle = this.#all.filter((thread) => thread.conversation !== undefined && !thread.isHeld);
    idle.sort((one, two) => two.record.updatedAt - one.record.updatedAt);
    for (const thread of idle.slice(mostOpen)) {
      if (store === undefined) this.#threads.delete(thread.record.id);
      else await thread.close(store);
    }
  }

  async #match(request: StatelessRequest): Promise<Match> {
    await this.#load();
    const split = await runInSlices(splitRequest(request), this.#options.slicing);
    const found = await this.#find(split);
    const begin = () => (found === undefined ? beginWith(split) : forkOf(found, split));
    if (isAside(split, found, this.#all)) return this.#matched(await this.#open('aside', split, begin()), split);
    for (const thread of this.#all) if (thread !== found?.thread && wasAside(split, thread)) await this.#remove(thread);
    if (found !== undefined) {
      // A request that ended may have closed the thread while others were compared.
      if (found.thread.conversation !== found.conversation) return this.#match(request);
      if (mayContinue(found, split)) return this.#continue(found, split);
    }
    return this.#add(split, begin());
  }

  /** The thread that has the most first messages in common with a request; undefined when none has any. */
  async #find(split: SplitRequest): Promise<Found | undefined> {
    const { hint } = split.request;
    const isHinted = ({ record }: Thread): number => Number(hint !== undefined && hint === record.hint);
    const isWhole = ({ thread, shared }: Pick<Found, 'thread' | 'shared'>): number =>
      Number(shared === thread.record.prints.length);
    const likely = this.#all
      .map((thread) => ({ thread, shared: countSame(thread.record.prints, split.prints) }))
      .filter(({ shared }) => shared > 0)
      .sort(
        (one, other) =>
          other.shared - one.shared ||
          isWhole(other) - isWhole(one) ||
          isHinted(other.thread) - isHinted(one.thread) ||
          other.thread.record.updatedAt - one.thread.record.updatedAt,
      );
    let best: Found | undefined;
    for (const { thread, shared } of likely.slice(0, MOST_COMPARED)) {
      if (best !== undefined && shared < best.shared) break;
      const conversation = await this.#read(thread);
      if (conversation === undefined) continue;
      const found = { thread, conversation, ...countShared(conversation, split.messages) };
      const isBetter =
        found.shared > (best?.shared ?? 0) || (found.shared === best?.shared && found.isWhole && !best.isWhole);
      if (isBetter) best = found;
    }
    return best;
  }

  async #add(split: SplitRequest, restore: ConversationState): Promise<Match> {
    const rewritten = this.#all.find((thread) => isRewriting(split, thread));
    const opened = await this.#open('thread', split, restore);
    const now = this.#options.now();
    const about = { ...aboutOf(split), title: titleOf(split.messages), createdAt: now, updatedAt: now };
    const thread = new Thread({ id: opened.id, ...about, awaited: [] }, opened.conversation, worksWithOf(split));
    this.#threads.set(opened.id, thread);
    if (rewritten !== undefined) await this.#remove(rewritten);
    return this.#matched(opened, split, thread, rewritten !== undefined);
  }

  async #open(kind: ThreadOpening['kind'], split: SplitRequest, restore: ConversationState): Promise<Opened> {
    const { profile, tools } = split.request;
    const id = this.#options.newId();
    const conversation = await this.#options.open({ kind, id, profile, tools, restore });
    adjust(conversation, split);
    return { id, conversation };
  }

  #continue({ thread, conversation, shared }: Found, split: SplitRequest): Match {
    const added = split.messages.slice(shared);
    if (added.length > 0) conversation.append(thread.recordedFor(toTranscript(added)));
    const worksWith = worksWithOf(split);
    if (thread.worksWith !== worksWith) adjust(conversation, split);
    thread.worksWith = worksWith;
    const awaited = added.length > 0 ? [] : thread.record.awaited;
    thread.record = { ...thread.record, ...aboutOf(split), awaited, updatedAt: this.#options.now() };
    return this.#matched({ id: thread.record.id, conversation }, split, thread);
  }

  /** `thread`: absent for a request beside a conversation, of which nothing is recorded. */
  #matched({ id, conversation }: Opened, split: SplitRequest, thread?: Thread, isRewritten = false): Match {
    const { client, signal } = split.request;
    const end = thread?.hold(signal ?? 'request');
    return {
      kind: thread === undefined ? 'aside' : 'thread',
      id,
      client,
      isRewritten,
      conversation,
      prepare: this.#preparing(conversation, split),
      hide: (messages) => void conversation.append(messages.map(markHidden)),
      replied: (reply) => thread?.await(reply),
      save: async () => thread && this.#save(thread),
      release: async () => thread && end && this.#release(thread, end),
    };
  }

  #preparing(conversation: Conversation, split: SplitRequest): Match['prepare'] {
    const { tools } = split.request;
    let isTold = false;
    return (view: Outgoing): Outgoing => {
      if (isOwn(conversation, split) && areOwnTools(view.tools, tools))
        return { ...view, messages: withClientMessages(view.messages, conversation, split) };
      if (!isTold) this.#options.onProblem?.(phrase('request.foreign'));
      isTold = true;
      return { messages: [...split.prompt, ...split.messages], tools };
    };
  }

  async #release(thread: Thread, end: () => void): Promise<Words | undefined> {
    end();
    const problem = await this.#save(thread);
    await this.#shrink();
    return problem;
  }
}

/** How many of a request's first messages a thread has. Equal fingerprints are no proof, so messages are compared. */
function countShared(conversation: Conversation, messages: readonly ChatMessage[]): Pick<Found, 'shared' | 'isWhole'> {
  const known = clientMessages(conversation);
  const differs = known.findIndex(({ message }, index) => {
    const asked = messages[index];
    return asked === undefined || !isSameMessage(message, asked);
  });
  return { shared: differs < 0 ? known.length : differs, isWhole: differs < 0 };
}

/**
 * Whether a request continues the thread that it has the most in common with. It does not while another request works
 * with the thread and would see this one's messages, model or prompt, nor if it adds the first prompt, which would shift
 * all messages.
 */
function mayContinue({ thread, conversation, shared, isWhole }: Found, split: SplitRequest): boolean {
  const isFirstPrompt = lengthOfPrompt(conversation) === 0 && split.prompt.length > 0;
  const isTaken = thread.isAtWork && (split.messages.length > shared || thread.worksWith !== worksWithOf(split));
  return isWhole && !isFirstPrompt && !isTaken;
}

function lengthOfPrompt({ transcript }: Conversation): number {
  return promptLength(transcript.messages.map(({ wire }) => wire));
}

/** The fingerprint of the model, tools and system prompt that a request asks for. */
function worksWithOf({ request: { profile, tools }, prompt }: SplitRequest): number {
  return printOf([profile, tools, prompt].map(printOf));
}

/** Gives a conversation the model, tools and system prompt of a request. */
function adjust(conversation: Conversation, { request: { profile, tools }, prompt }: SplitRequest): void {
  conversation.configure({ profile, tools });
  const length = lengthOfPrompt(conversation);
  for (let id = 0; id < length; id += 1) conversation.view.amend(id, id === 0 ? prompt : []);
}
