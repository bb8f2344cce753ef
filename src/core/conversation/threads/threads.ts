import type { Result } from '../../result.ts';
import { runInSlices, type Slicing } from '../../steps.ts';
import type { Conversation } from '../conversation.ts';
import { figuresOf } from '../figures.ts';
import { Archive } from './archive.ts';
import { isAside } from './aside.ts';
import { adjust, bringUp } from './bringUp.ts';
import { dresser } from './dress.ts';
import { keptPrint } from './fingerprint.ts';
import { countAdded, type Found, findThread, mayContinue, newIn } from './found.ts';
import { hide } from './known.ts';
import type { AsideMatch, Match, StatelessRequest, ThreadMatch, ThreadOpening, ThreadUse } from './match.ts';
import { type Beginning, parentOf, planFork, startOf } from './planFork.ts';
import { type Apart, takeApart } from './takeIn.ts';
import { Opened, Thread } from './thread.ts';
import type { ThreadRecord, ThreadStore, ThreadStoreProblem } from './threadStore.ts';
import { titleOf } from './words.ts';

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
  readonly store?: ThreadStore;
  /**
   * Told, in a sentence, about a thread that cannot be read or written. The client's next request brings its content
   * again.
   */
  readonly onProblem?: (message: string) => void;
  /** How many threads are kept in memory, besides those in use. */
  readonly mostOpen?: number;
}

/** Deletes stored threads, never one that is in use, and returns their ids. */
export type RemoveThreads = () => Promise<Result<readonly string[], ThreadStoreProblem>>;

/** The default of `mostOpen`. */
const MOST_OPEN = 16;

/**
 * The conversations of clients that send the whole history with each request. Each request is matched with the thread
 * that it continues, that is, a transcript with its compactions: what was compacted once stays compacted.
 */
export class Threads {
  readonly #options: ThreadsOptions;
  readonly #archive: Archive;
  /** Requests are matched one after the other, since two may continue one thread. */
  #last: Promise<unknown> = Promise.resolve();

  constructor(options: ThreadsOptions) {
    this.#options = options;
    const { open, slicing, store, onProblem = () => undefined, mostOpen = MOST_OPEN } = options;
    this.#archive = new Archive({ open, slicing, store, onProblem, mostOpen });
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
    return this.#inTurn(() => this.#archive.list());
  }

  /** All known threads, in memory or stored, newest first; with current figures for those in memory. */
  list(): readonly ThreadRecord[] {
    return this.#newest().map(({ record, opened }) =>
      opened === undefined ? record : { ...record, figures: figuresOf(opened.conversation, record.updatedAt) },
    );
  }

  #newest(): readonly Thread[] {
    return this.#archive.all().toSorted((one, two) => two.record.updatedAt - one.record.updatedAt);
  }

  /**
   * The conversation of a thread, to show it or to recall from it; held until `release`. Undefined when there is none.
   */
  use(id: string): Promise<ThreadUse | undefined> {
    return this.#inTurn(async () => {
      const thread = this.#archive.find(id);
      const opened = thread === undefined ? undefined : await this.#archive.open(thread);
      if (thread === undefined || opened === undefined) return undefined;
      const end = thread.hold('look');
      return {
        record: thread.record,
        conversation: opened.conversation,
        lastReply: () => thread.awaited.at(-1)?.sent,
        save: () => this.#archive.save(thread),
        release: () => this.#release(thread, end),
      };
    });
  }

  /** True while a request works with the thread. */
  isAtWork(id: string): boolean {
    return this.#archive.find(id)?.isAtWork === true;
  }

  /** True while a request works with the thread, or somebody looks at it. */
  isHeld(id: string): boolean {
    return this.#archive.find(id)?.isHeld === true;
  }

  /** Forgets a thread without storing it; the caller must know that nobody uses it. False when there was none. */
  drop(id: string): boolean {
    return this.#archive.forget(id);
  }

  /**
   * Has stored threads deleted by `remove`, which returns their ids, and forgets them. No thread is opened meanwhile.
   */
  deleteStored(remove: RemoveThreads): Promise<Result<readonly string[], ThreadStoreProblem>> {
    return this.#inTurn(async () => {
      const removed = await remove();
      if (removed.ok) for (const id of removed.value) this.#archive.forget(id);
      return removed;
    });
  }

  /** Stores what is in memory, before the process ends. Returns a sentence for each failure. */
  async saveAll(): Promise<readonly string[]> {
    const saved = await Promise.all(this.#archive.all().map((thread) => this.#archive.save(thread, true)));
    return saved.filter((problem) => problem !== undefined);
  }

  #inTurn<Value>(work: () => Promise<Value>): Promise<Value> {
    const done = this.#last.then(work);
    this.#last = done.catch(() => undefined);
    return done;
  }

  async #match(request: StatelessRequest): Promise<Match> {
    await this.#archive.list();
    const apart = await runInSlices(takeApart(request.messages, this.#archive.all()), this.#options.slicing);
    const found = await findThread(this.#archive, request, apart);
    const isBeside = this.#isAside(request, apart, found);
    // A request that ended meanwhile may have added something.
    if (!isBeside && (await found?.thread.settle()) === true) return this.#match(request);
    // The end of another request may have closed the thread while others were compared.
    if (!isBeside && found !== undefined && found.thread.opened !== found.opened) return this.#match(request);
    if (!isBeside && found !== undefined && mayContinue(found, request, apart))
      return this.#continue(found, request, apart);
    const begun =
      found === undefined ? startOf(apart) : planFork(parentOf(found.thread, found.opened), found.relation, apart);
    if (isBeside) return this.#aside(request, apart, begun);
    if (found === undefined) return this.#add(request, apart, begun);
    const forked = { from: found.thread.record.id, appended: countAdded(found.relation, found.opened) };
    return this.#add(request, apart, begun, forked);
  }

  #isAside({ tools, maxTokens, client }: StatelessRequest, apart: Apart, found: Found | undefined): boolean {
    const shape = {
      hasTools: tools.length > 0,
      prompt: keptPrint(apart.prompt),
      maxTokens,
      client,
      newRoles: newIn(apart, found?.relation).map(({ role }) => role),
    };
    return isAside(
      shape,
      found?.thread.record,
      this.#newest().map(({ record }) => record),
    );
  }

  async #aside(request: StatelessRequest, apart: Apart, begun: Beginning): Promise<AsideMatch> {
    const { opened } = await this.#open('aside', request, apart, begun);
    const { client } = request;
    return {
      kind: 'aside',
      ...(client !== undefined && { client }),
      conversation: opened.conversation,
      dress: dresser(apart.messages, begun.known, opened.conversation),
      release: async () => undefined,
    };
  }

  /** Adds a new thread, from scratch or as a fork. */
  async #add(request: StatelessRequest, apart: Apart, begun: Beginning, forked?: Forked): Promise<ThreadMatch> {
    const { id, opened } = await this.#open('thread', request, apart, begun);
    const about = { ...aboutOf(request, apart), updatedAt: this.#options.now() };
    const forkedFrom = forked === undefined ? {} : { forkedFrom: forked.from };
    const thread = new Thread(
      { ...about, id, title: titleOf(apart.messages), awaited: [], createdAt: about.updatedAt, ...forkedFrom },
      opened,
    );
    this.#archive.add(thread);
    const appended = forked?.appended ?? apart.messages.length;
    return this.#matched(thread, opened, apart, { isNew: true, appended, ...forkedFrom, ...signalOf(request) });
  }

  async #open(kind: ThreadOpening['kind'], request: StatelessRequest, apart: Apart, { state, known }: Beginning) {
    const { client, profile, tools } = request;
    const id = this.#options.newId();
    const who = client === undefined ? {} : { client };
    const conversation = await this.#options.open({ kind, id, ...who, profile, tools, restore: state });
    const opened = new Opened(conversation, known);
    adjust(opened, request, apart);
    return { id, opened };
  }

  #continue({ thread, opened, relation }: Found, request: StatelessRequest, apart: Apart): ThreadMatch {
    const appended = countAdded(relation, opened);
    bringUp(thread, opened, relation, apart);
    adjust(opened, request, apart);
    thread.record = { ...thread.record, ...aboutOf(request, apart), updatedAt: this.#options.now() };
    return this.#matched(thread, opened, apart, { isNew: false, appended, ...signalOf(request) });
  }

  #matched(
    thread: Thread,
    { conversation, known }: Opened,
    apart: Apart,
    { signal, ...told }: Pick<ThreadMatch, 'isNew' | 'appended' | 'forkedFrom'> & Pick<StatelessRequest, 'signal'>,
  ): ThreadMatch {
    const end = thread.hold('request', signal);
    const { id, client } = thread.record;
    return {
      kind: 'thread',
      id,
      ...(client !== undefined && { client }),
      ...told,
      conversation,
      dress: dresser(apart.messages, known, conversation),
      hide: (messages) => void conversation.append(messages.map(hide)),
      replied: (reply) => thread.await(reply),
      save: () => this.#archive.save(thread),
      release: () => this.#release(thread, end),
    };
  }

  async #release(thread: Thread, end: () => void): Promise<string | undefined> {
    end();
    const problem = await this.#archive.save(thread);
    await this.#archive.shrink();
    return problem;
  }
}

/** For a fork: where it comes from, and how many messages it did not take over from there. */
interface Forked {
  readonly from: string;
  readonly appended: number;
}

function signalOf({ signal }: StatelessRequest): Pick<StatelessRequest, 'signal'> {
  return signal === undefined ? {} : { signal };
}

/** What a request says about its thread, for the record. */
function aboutOf({ client, hint, profile, tools }: StatelessRequest, { prompt, prints }: Apart) {
  return {
    ...(client !== undefined && { client }),
    ...(hint !== undefined && { hint }),
    profile,
    prints,
    prompt: keptPrint(prompt),
    hasTools: tools.length > 0,
  };
}
