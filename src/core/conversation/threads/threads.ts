import type { ChatMessage } from '../../messages/chat.ts';
import { isClientMade } from '../../messages/human.ts';
import { contentText, parseMessage } from '../../messages/parse.ts';
import { splitUserText } from '../../messages/typedText.ts';
import type { Conversation } from '../conversation.ts';
import type { ConversationState } from '../conversationState.ts';
import { cutState } from './cutState.ts';
import { type Fingerprint, fingerprintsOf, jsonPrint } from './fingerprint.ts';
import type { Match, StatelessRequest, ThreadMatch, ThreadOpening, ThreadUse } from './match.ts';
import { Thread } from './thread.ts';
import type { Known, ThreadRecord, ThreadStore } from './threadStore.ts';

/** What threads are made with. */
export interface ThreadsOptions {
  /** Makes the conversation of a thread: with the settings of the user, what is known of the model's window, and listeners. */
  readonly open: (opening: ThreadOpening) => Conversation;
  readonly newId: () => string;
  /** Milliseconds since 1970. */
  readonly now: () => number;
  /** Absent: threads are kept out of storage. */
  readonly store?: ThreadStore;
}

/** A request apart: its prompt, and the rest with fingerprints. */
interface Apart {
  readonly prompt: readonly ChatMessage[];
  readonly messages: readonly ChatMessage[];
  readonly prints: readonly Fingerprint[];
}

/**
 * The conversations of clients that send the whole history with each request. Each request is matched with the thread
 * that it continues, which is a transcript with its compactions: what was compacted once stays so.
 */
export class Threads {
  readonly #options: ThreadsOptions;
  readonly #threads = new Map<string, Thread>();
  /** Requests are matched one after the other: two may continue one thread. */
  #last: Promise<unknown> = Promise.resolve();

  constructor(options: ThreadsOptions) {
    this.#options = options;
  }

  /**
   * Finds or makes the thread that a request continues and brings its conversation up to date. Whoever asks must release
   * the match. Rejects with InvalidMessageError (index and field) for what is no message; nothing is changed then.
   */
  match(request: StatelessRequest): Promise<Match> {
    const matched = this.#last.then(() => this.#match(request));
    this.#last = matched.catch(() => undefined);
    return matched;
  }

  /** Every thread that is known, in memory or stored, newest first. */
  list(): readonly ThreadRecord[] {
    return [...this.#threads.values()].map(({ record }) => record).sort((one, two) => two.updatedAt - one.updatedAt);
  }

  /** The conversation of a thread, to show it or to recall from it; held until `release`. Undefined: there is none. */
  async use(id: string): Promise<ThreadUse | undefined> {
    const thread = this.#threads.get(id);
    if (thread?.conversation === undefined) return undefined;
    thread.hold();
    return { record: thread.record, conversation: thread.conversation, release: async () => this.#release(thread) };
  }

  async #match(request: StatelessRequest): Promise<Match> {
    const apart = takeApart(request.messages);
    let best: { readonly thread: Thread; readonly common: number } | undefined;
    for (const thread of this.#threads.values()) {
      if (thread.record.client !== request.client) continue;
      const common = commonLength(thread.known, apart.prints);
      if (common > (best?.common ?? 0)) best = { thread, common };
    }
    if (best === undefined || !apart.messages.slice(0, best.common).some(isHuman)) return this.#start(request, apart);
    return best.common === best.thread.known.length && !this.#isTaken(best.thread, best.common, apart)
      ? this.#continue(best.thread, request, apart)
      : this.#fork(best.thread, best.common, request, apart);
  }

  /** Another request that goes on differently works with the thread. */
  #isTaken(thread: Thread, common: number, { prints }: Apart): boolean {
    return thread.isHeld && common < prints.length;
  }

  #start(request: StatelessRequest, apart: Apart): ThreadMatch {
    return this.#make(request, apart, undefined, []);
  }

  #fork(parent: Thread, common: number, request: StatelessRequest, apart: Apart): ThreadMatch {
    const { conversation } = parent;
    if (conversation === undefined) throw new Error('unreachable: every thread is open');
    const state = cutState(conversation.snapshot(), parent.endOf(common, conversation.transcript.messages.length));
    return this.#make(request, apart, { id: parent.id, state }, parent.known.slice(0, common));
  }

  #make(
    request: StatelessRequest,
    apart: Apart,
    parent: { readonly id: string; readonly state: ConversationState } | undefined,
    known: readonly Known[],
  ): ThreadMatch {
    const { client, profile, tools, hint } = request;
    const id = this.#options.newId();
    const restore = parent?.state;
    const conversation = this.#options.open({
      kind: 'thread',
      id,
      profile,
      tools,
      ...(client !== undefined && { client }),
      ...(restore !== undefined && { restore }),
    });
    if (restore === undefined) conversation.append(apart.prompt);
    const record = {
      id,
      title: titleOf(apart.messages),
      ...(client !== undefined && { client }),
      ...(hint !== undefined && { hint }),
      ...(parent !== undefined && { forkedFrom: parent.id }),
      known,
      createdAt: this.#options.now(),
      updatedAt: this.#options.now(),
    };
    const thread = new Thread(record, conversation, 0);
    this.#threads.set(id, thread);
    return this.#update(thread, conversation, request, apart, true);
  }

  #continue(thread: Thread, request: StatelessRequest, apart: Apart): ThreadMatch {
    const { conversation } = thread;
    if (conversation === undefined) throw new Error('unreachable: every thread is open');
    const { profile, tools } = request;
    if (jsonPrint(conversation.profile()) !== jsonPrint(profile)) conversation.configure({ profile });
    conversation.configure({ tools });
    return this.#update(thread, conversation, request, apart, false);
  }

  #update(
    thread: Thread,
    conversation: Conversation,
    { hint }: StatelessRequest,
    { prompt, messages, prints }: Apart,
    isNew: boolean,
  ): ThreadMatch {
    renewPrompt(conversation, prompt);
    const known: Known[] = [...thread.known];
    for (const [index, message] of messages.entries()) {
      const print = prints[index];
      if (index < thread.known.length || print === undefined) continue;
      const appended = conversation.append(thread.recordedFor(print, message));
      known.push({ print, id: appended[0]?.id ?? 0 });
    }
    const appended = known.length - thread.known.length;
    if (appended > 0) thread.forgetReplies();
    thread.note({ known, updatedAt: this.#options.now(), ...(hint !== undefined && { hint }) });
    thread.hold();
    const { client, forkedFrom } = thread.record;
    return {
      kind: 'thread',
      id: thread.id,
      ...(client !== undefined && { client }),
      isNew,
      appended,
      ...(isNew && forkedFrom !== undefined && { forkedFrom }),
      conversation,
      dress: (view) => view,
      hide: (hidden) => void conversation.append(hidden),
      replied: (reply) => thread.await(reply),
      release: async () => this.#release(thread),
    };
  }

  #release(thread: Thread): string | undefined {
    thread.release();
    return undefined;
  }
}

function takeApart(messages: readonly ChatMessage[]): Apart {
  messages.forEach((message, index) => void parseMessage(message, index));
  const first = messages.findIndex(({ role }) => role !== 'system' && role !== 'developer');
  const start = first < 0 ? messages.length : first;
  const rest = messages.slice(start);
  return { prompt: messages.slice(0, start), messages: rest, prints: fingerprintsOf(rest) };
}

function commonLength(known: readonly Known[], prints: readonly Fingerprint[]): number {
  const most = Math.min(known.length, prints.length);
  for (let index = 0; index < most; index += 1) if (known[index]?.print !== prints[index]) return index;
  return most;
}

/** The newest prompt is sent; the transcript keeps the first. */
function renewPrompt(conversation: Conversation, prompt: readonly ChatMessage[]): void {
  const { messages } = conversation.transcript;
  const end = messages.findIndex(({ role }) => role !== 'system');
  const length = end < 0 ? messages.length : end;
  for (let id = 0; id < length; id += 1) conversation.amend(id, id === 0 ? prompt : []);
}

function isHuman(message: ChatMessage): boolean {
  return message.role === 'user' && !isClientMade(contentText(message));
}

function titleOf(messages: readonly ChatMessage[]): string {
  const first = messages.find(isHuman) ?? messages.find(({ role }) => role === 'user');
  if (first === undefined) return '';
  const text = contentText(first);
  return (splitUserText(text).typed ?? text).replace(/\s+/gu, ' ').trim().slice(0, 80);
}
