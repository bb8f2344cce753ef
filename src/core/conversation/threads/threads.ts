import { english } from '../../language.ts';
import type { ChatMessage } from '../../messages/chat.ts';
import type { Result } from '../../result.ts';
import { runInSlices, type Slicing } from '../../steps.ts';
import type { Conversation } from '../conversation.ts';
import { figuresOf } from '../figures.ts';
import { Archive } from './archive.ts';
import { isAside } from './aside.ts';
import { type Beginning, beginWith, countEqual, type Found, forkOf, isRewriting } from './begin.ts';
import { keptPrint } from './fingerprint.ts';
import { asSent, markHidden, promptLength } from './known.ts';
import type { AsideMatch, Match, StatelessRequest, ThreadMatch, ThreadOpening, ThreadUse } from './match.ts';
import { isOwn, toTranscript, withClientMessages } from './own.ts';
import { isSameMessage } from './sameMessage.ts';
import { type SplitRequest, splitRequest } from './splitRequest.ts';
import { Opened, Thread } from './thread.ts';
import { aboutOf, titleOf } from './threadRecord.ts';
import { THREAD_FORMAT, type ThreadRecord, type ThreadStore, type ThreadStoreProblem } from './threadStore.ts';

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
        lastReply: () => thread.record.awaited.at(-1)?.sent,
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
    const split = await runInSlices(splitRequest(request.messages, this.#archive.all()), this.#options.slicing);
    const found = await this.#find(request, split);
    const isBeside = this.#isAside(request, split, found);
    // A request that ended meanwhile may have added something.
    if (!isBeside && (await found?.thread.settle()) === true) return this.#match(request);
    // The end of another request may have closed the thread while others were compared.
    if (!isBeside && found !== undefined && found.thread.opened !== found.opened) return this.#match(request);
    if (!isBeside && found !== undefined && mayContinue(found, request, split))
      return this.#continue(found, request, split);
    const begun = found === undefined ? beginWith(split) : forkOf(found, split);
    return isBeside ? this.#aside(request, split, begun) : this.#add(request, split, begun, found);
  }

  /** The thread that has the most first messages in common with a request; undefined when none has any. */
  async #find({ hint }: StatelessRequest, split: SplitRequest): Promise<Found | undefined> {
    const likely = this.#archive
      .all()
      .map((thread) => {
        const shared = countEqual(thread.prints, split.prints);
        const isWhole = shared === thread.prints.length;
        const isHinted = hint !== undefined && hint === thread.record.hint;
        return { thread, shared, rank: [shared, Number(isWhole), Number(isHinted), thread.record.updatedAt] };
      })
      .filter(({ shared }) => shared > 0)
      .sort((one, other) => compareRanks(other.rank, one.rank));
    let best: Found | undefined;
    for (const { thread, shared } of likely.slice(0, MOST_COMPARED)) {
      if (best !== undefined && shared < best.shared) break;
      const opened = await this.#archive.open(thread);
      if (opened === undefined) continue;
      const exact = countShared(opened, split.messages);
      const isBetter =
        best === undefined ||
        exact > best.shared ||
        (exact === best.shared && isAll(opened, exact) && !isAll(best.opened, exact));
      if (exact > 0 && isBetter) best = { thread, opened, shared: exact };
    }
    return best;
  }

  #isAside(
    { tools, maxTokens, client }: StatelessRequest,
    { prompt, messages }: SplitRequest,
    found: Found | undefined,
  ) {
    const shape = {
      hasTools: tools.length > 0,
      prompt: keptPrint(prompt),
      maxTokens,
      client,
      newRoles: messages.slice(found?.shared ?? 0).map(({ role }) => role),
    };
    return isAside(
      shape,
      found?.thread.record,
      this.#newest().map(({ record }) => record),
    );
  }

  async #aside(request: StatelessRequest, split: SplitRequest, begun: Beginning): Promise<AsideMatch> {
    const { opened } = await this.#open({ kind: 'aside' }, request, split, begun);
    const { client } = request;
    return {
      kind: 'aside',
      ...(client !== undefined && { client }),
      conversation: opened.conversation,
      dress: (view) => withClientMessages(view, opened.conversation, split),
      release: async () => undefined,
    };
  }

  /** Adds a new thread, from scratch or as a fork. */
  async #add(request: StatelessRequest, split: SplitRequest, begun: Beginning, from?: Found): Promise<ThreadMatch> {
    const rewritten = this.#archive.all().find((thread) => isRewriting(split, thread));
    const how = { kind: 'thread', ...(rewritten !== undefined && { isRewritten: true }) } as const;
    const { id, opened } = await this.#open(how, request, split, begun);
    const about = { ...aboutOf(request, split), updatedAt: this.#options.now() };
    const forkedFrom = from === undefined || from.thread === rewritten ? {} : { forkedFrom: from.thread.record.id };
    const record = { ...about, id, format: THREAD_FORMAT, title: titleOf(split.messages), awaited: [], ...forkedFrom };
    const thread = new Thread({ ...record, createdAt: about.updatedAt }, opened);
    this.#archive.add(thread);
    if (rewritten !== undefined) await this.#archive.remove(rewritten);
    const appended = split.messages.length - (from?.shared ?? 0);
    const told = { isNew: true, appended, isRewritten: rewritten !== undefined, ...forkedFrom };
    return this.#matched(thread, opened, split, { ...told, ...signalOf(request) });
  }

  async #open(
    how: Pick<ThreadOpening, 'kind' | 'isRewritten'>,
    request: StatelessRequest,
    split: SplitRequest,
    { state, known }: Beginning,
  ) {
    const { client, profile, tools } = request;
    const id = this.#options.newId();
    const who = client === undefined ? {} : { client };
    const conversation = await this.#options.open({ ...how, id, ...who, profile, tools, restore: state });
    const opened = new Opened(conversation, known);
    adjust(opened, request, split);
    return { id, opened };
  }

  #continue({ thread, opened, shared }: Found, request: StatelessRequest, split: SplitRequest): ThreadMatch {
    const { conversation } = opened;
    const added = split.messages.slice(shared);
    if (added.length > 0) {
      const recorded = thread.recordedFor(toTranscript(added));
      const first = conversation.transcript.nextId;
      conversation.append(recorded);
      // What a recorded reply has beside the client's copy comes right after that.
      const hidden = recorded.length - added.length;
      const ids = added.map((_, index) => first + index + (index > 0 ? hidden : 0));
      opened.known = [...opened.known, ...ids.map((id, index) => ({ id, print: split.prints[shared + index] ?? 0 }))];
    }
    adjust(opened, request, split);
    const awaited = added.length > 0 ? [] : thread.record.awaited;
    const updatedAt = this.#options.now();
    thread.record = { ...thread.record, ...aboutOf(request, split), awaited, updatedAt };
    return this.#matched(thread, opened, split, { isNew: false, appended: added.length, ...signalOf(request) });
  }

  #matched(
    thread: Thread,
    { conversation }: Opened,
    split: SplitRequest,
    {
      signal,
      ...told
    }: Pick<ThreadMatch, 'isNew' | 'appended' | 'forkedFrom' | 'isRewritten'> & Pick<StatelessRequest, 'signal'>,
  ): ThreadMatch {
    const end = thread.hold('request', signal);
    const { id, client } = thread.record;
    let isTold = false;
    const dress = (view: readonly ChatMessage[]): readonly ChatMessage[] => {
      if (isOwn(conversation, split)) return withClientMessages(view, conversation, split);
      if (!isTold)
        this.#options.onProblem?.(
          english(
            'A request would have been sent with something that is not its own. It was sent as its agent wrote it. Please report this.',
          ),
        );
      isTold = true;
      return [...split.prompt, ...split.messages];
    };
    return {
      kind: 'thread',
      id,
      ...(client !== undefined && { client }),
      ...told,
      conversation,
      dress,
      hide: (messages) => void conversation.append(messages.map(markHidden)),
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

function compareRanks(one: readonly number[], other: readonly number[]): number {
  const place = one.findIndex((figure, index) => figure !== other[index]);
  return place < 0 ? 0 : (one[place] ?? 0) - (other[place] ?? 0);
}

/** How many first messages of a request a thread has, compared themselves: fingerprints may be equal by chance. */
function countShared({ conversation, known }: Opened, messages: readonly ChatMessage[]): number {
  const raw = conversation.transcript.messages.map(({ wire }) => wire);
  const differs = known.findIndex(({ id }, index) => {
    const message = messages[index];
    return message === undefined || !isSameMessage(asSent(raw, id), message);
  });
  return differs < 0 ? known.length : differs;
}

function isAll({ known }: Opened, shared: number): boolean {
  return shared === known.length;
}

/**
 * Whether a request continues the thread that it has the most in common with. Not while another request works with the
 * thread and would see this one's messages, model or prompt; and not when it brings the first prompt, which would shift
 * all messages.
 */
function mayContinue({ thread, opened, shared }: Found, request: StatelessRequest, split: SplitRequest): boolean {
  const isFirstPrompt = promptLength(rawOf(opened)) === 0 && split.prompt.length > 0;
  const isTaken = thread.isAtWork && (split.messages.length > shared || !worksAlike(opened, request, split));
  return isAll(opened, shared) && !isFirstPrompt && !isTaken;
}

function rawOf({ conversation }: Opened): readonly ChatMessage[] {
  return conversation.transcript.messages.map(({ wire }) => wire);
}

/** Whether a request asks for just the model, tools and system prompt that a conversation works with now. */
function worksAlike({ prints }: Opened, request: StatelessRequest, split: SplitRequest): boolean {
  const asked = printsOf(request, split);
  return prints?.profile === asked.profile && prints.tools === asked.tools && prints.prompt === asked.prompt;
}

function printsOf({ profile, tools }: StatelessRequest, { prompt }: SplitRequest) {
  return { profile: keptPrint(profile), tools: keptPrint(tools), prompt: keptPrint(prompt) };
}

/** Gives a conversation the model, tools and system prompt of the newest request, where they differ. */
function adjust(opened: Opened, request: StatelessRequest, split: SplitRequest): void {
  const { conversation } = opened;
  const prints = printsOf(request, split);
  const last = opened.prints;
  if (prints.profile !== last?.profile) conversation.configure({ profile: request.profile });
  if (prints.tools !== last?.tools) conversation.configure({ tools: request.tools });
  if (prints.prompt !== last?.prompt) {
    const length = promptLength(rawOf(opened));
    for (let id = 0; id < length; id += 1) conversation.amend(id, id === 0 ? split.prompt : []);
  }
  opened.prints = prints;
}

function signalOf({ signal }: StatelessRequest): Pick<StatelessRequest, 'signal'> {
  return signal === undefined ? {} : { signal };
}
