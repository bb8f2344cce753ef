import { byHuman } from '../chat/human.ts';
import type { ChatMessage } from '../chat/wire.ts';
import type { Trigger } from '../compaction/compaction.ts';
import type { Conversation } from '../conversation/conversation.ts';
import type { ModelClient } from '../model/modelClient.ts';
import { reasonOf } from '../result.ts';
import { orAborted } from '../steps.ts';
import { planContinuation } from './continuation.ts';
import type { Tool } from './tools.ts';
import { append, runTurn } from './turn.ts';
import type {
  Clock,
  SessionListener,
  SessionStore,
  Taught,
  TurnContext,
  TurnLimits,
  TurnOutcome,
  UserContent,
} from './turnContext.ts';

/** The default stops an endless loop. */
const DEFAULT_LIMITS: TurnLimits = { rounds: 200, minutes: null, dollars: null };

type Prepare = (signal: AbortSignal) => Promise<void>;

/** What a session needs. */
export interface AgentSessionOptions {
  readonly conversation: Conversation;
  readonly client: ModelClient;
  readonly tools: readonly Tool[];
  readonly store: SessionStore;
  /** The system prompt; becomes the first message of an empty transcript. */
  readonly prompt: string;
  readonly clock: Clock;
  readonly listener?: SessionListener;
  /** Messages that an earlier session left in its queue; they wait for `sendQueued`. */
  readonly queued?: readonly UserContent[];
  readonly limits?: Partial<TurnLimits>;
  /** Models known to refuse tool definitions, by profile key; the session adds those it discovers. */
  readonly withoutTools?: Set<string>;
  /** Called before every automatic compaction (modes "ask" and "manual"); absent: always allowed. */
  readonly mayCompact?: (trigger: Trigger, signal: AbortSignal) => Promise<boolean>;
  /** Whether a model may write summaries ahead of an automatic compaction; default: yes. */
  readonly preparesSummaries?: () => boolean;
  /** Applies changed settings to a queued message, before the model is asked. A rejection fails the turn. */
  readonly beforeQueued?: Prepare;
}

interface Waiting {
  readonly content: UserContent;
  readonly settle: PromiseWithResolvers<TurnOutcome>;
  /** `held`: a cancel stopped it, so it waits for `sendQueued`; `now`: the next step of the running turn takes it. */
  when: 'next' | 'held' | 'now';
}

/**
 * The agent session: one turn at a time over one conversation. Messages sent during a turn are queued. The queue
 * continues after an answered turn. After a failed turn it stops until something is sent or resumed; after a cancel, its
 * messages wait for `sendQueued`.
 */
export class AgentSession {
  #options: AgentSessionOptions;
  readonly #queue: Waiting[] = [];
  #paused: PromiseWithResolvers<void> | undefined;
  /** Messages delivered during the running turn; their promises resolve with it. */
  #between: Waiting[] = [];
  readonly #taught: Taught;
  #running: Promise<TurnOutcome> | undefined;
  /** Ends the running turn, and a summary being written ahead, which may outlast the turn that started it. */
  #stop = new AbortController();

  constructor(options: AgentSessionOptions) {
    this.#options = options;
    const { conversation, withoutTools = new Set(), queued = [] } = options;
    for (const content of queued) this.#enqueue(content, 'held');
    this.#taught = { outputLimits: new Map(), withoutTools };
    conversation.configure({ tools: options.tools.map((tool) => tool.definition) });
  }

  get conversation(): Conversation {
    return this.#options.conversation;
  }

  /** Queued messages, oldest first. */
  get queued(): readonly UserContent[] {
    return this.#queue.map((waiting) => waiting.content);
  }

  /** The queued messages that a cancel stopped; they wait for `sendQueued`. */
  get held(): readonly UserContent[] {
    return this.#queue.filter(({ when }) => when === 'held').map(({ content }) => content);
  }

  /** Starts a turn, or queues the message while one is running. Resolves when the message's own turn has ended. */
  send(content: UserContent): Promise<TurnOutcome> {
    const { settle } = this.#enqueue(content, 'next');
    if (this.#running === undefined) this.#startNext();
    else this.#options.listener?.onQueue?.(this.queued);
    return settle.promise;
  }

  #enqueue(content: UserContent, when: Waiting['when']): Waiting {
    const waiting = { content, settle: Promise.withResolvers<TurnOutcome>(), when };
    this.#queue.push(waiting);
    return waiting;
  }

  /** Continues a failed, cancelled or interrupted turn. Joins a running turn; does nothing after a complete answer. */
  resume(): Promise<TurnOutcome> {
    if (this.#running !== undefined) return this.#running;
    const messages = planContinuation(this.conversation.transcript);
    return messages === undefined
      ? Promise.resolve({ kind: 'answered', rounds: 0, cutOff: false })
      : this.#start(messages);
  }

  /** Sends the queued messages, including those stopped by a cancel. Each promise resolves when that message's turn ends. */
  sendQueued(): readonly Promise<TurnOutcome>[] {
    const turns = this.#queue.map(({ settle }) => settle.promise);
    for (const waiting of this.#queue) if (waiting.when === 'held') waiting.when = 'next';
    if (this.#running === undefined) this.#startNext();
    return turns;
  }

  /**
   * Ends the running turn, whatever it is doing, and stops the queue; resolves when the turn has ended. Unfinished tool
   * calls are answered "cancelled". Also abandons a summary that is being written ahead.
   */
  async cancel(): Promise<void> {
    const running = this.#running;
    for (const waiting of this.#queue) waiting.when = 'held';
    this.#stop.abort();
    this.#stop = new AbortController();
    await running;
  }

  /** Whether the running turn waits, or will wait, before its next step. */
  get isPaused(): boolean {
    return this.#paused !== undefined;
  }

  /** Makes the running turn wait before its next step until `goOn`. */
  pause(): void {
    if (this.#running !== undefined) this.#paused ??= Promise.withResolvers();
  }

  goOn(): void {
    this.#paused?.resolve();
    this.#paused = undefined;
  }

  /** Delivers a queued message at the next step of the running turn, instead of in a turn of its own. */
  sendBetween(index: number): void {
    const waiting = this.#queue[index];
    if (waiting !== undefined && this.#running !== undefined) waiting.when = 'now';
  }

  /** Removes a message from the queue; its promise resolves as `cancelled`. */
  unqueue(index: number): UserContent | undefined {
    const [waiting] = this.#queue.splice(index, 1);
    waiting?.settle.resolve({ kind: 'cancelled' });
    this.#options.listener?.onQueue?.(this.queued);
    return waiting?.content;
  }

  /** Takes effect with the next turn. */
  configure(change: Partial<Pick<AgentSessionOptions, 'client' | 'tools' | 'limits' | 'mayCompact'>>): void {
    this.#options = { ...this.#options, ...change };
    if (change.tools !== undefined) {
      this.conversation.configure({ tools: change.tools.map((tool) => tool.definition) });
    }
  }

  /** Starts the next turn from the queue. False if it has only messages that a cancel stopped. */
  #startNext(prepare?: Prepare): boolean {
    const next = this.#queue.find(({ when }) => when !== 'held');
    if (next === undefined) return false;
    this.#queue.splice(this.#queue.indexOf(next), 1);
    this.#start([byHuman(next.content)], prepare).then(next.settle.resolve, next.settle.reject);
    return true;
  }

  #start(messages: readonly ChatMessage[], prepare?: Prepare): Promise<TurnOutcome> {
    // A fresh signal per turn: its listeners are collected with it.
    const signal = AbortSignal.any([this.#stop.signal]);
    // Deferred: the turn must count as running before it can end.
    this.#running = Promise.resolve().then(() => this.#run(messages, signal, prepare));
    return this.#running;
  }

  async #run(messages: readonly ChatMessage[], signal: AbortSignal, prepare?: Prepare): Promise<TurnOutcome> {
    let outcome: TurnOutcome | undefined;
    try {
      const isNew = this.conversation.transcript.messages.length === 0;
      const opening: ChatMessage[] =
        isNew && this.#options.prompt !== '' ? [{ role: 'system', content: this.#options.prompt }] : [];
      outcome = await append(this.#context(signal), [...opening, ...messages]);
      // The message is in the transcript now, so the stored queue may drop it.
      this.#options.listener?.onQueue?.(this.queued);
      outcome ??= prepare && (await prepareTurn(prepare, signal));
      outcome ??= await runTurn(this.#context(signal));
      return outcome;
    } finally {
      this.#running = undefined;
      this.goOn();
      for (const { settle } of this.#between.splice(0)) settle.resolve(outcome ?? { kind: 'cancelled' });
      // After a failed turn the next one would probably fail too, so the queue stops.
      const goesOn = outcome !== undefined && outcome.kind !== 'failed' && this.#startNext(this.#options.beforeQueued);
      if (!goesOn) this.#options.listener?.onState?.({ kind: 'idle' });
    }
  }

  #context(signal: AbortSignal): TurnContext {
    const { listener = {}, limits, preparesSummaries = () => true } = this.#options;
    const context: TurnContext = {
      mayCompact: async () => true,
      ...this.#options,
      ...this.#taught,
      limits: { ...DEFAULT_LIMITS, ...limits },
      beforeStep: () => this.#beforeStep(context),
      preparesSummaries: preparesSummaries(),
      takesBack: true,
      signal,
      listener,
    };
    return context;
  }

  async #beforeStep(context: TurnContext): Promise<TurnOutcome | undefined> {
    const { signal, listener } = context;
    if (this.#paused !== undefined) {
      listener.onState?.({ kind: 'paused' });
      await orAborted(this.#paused.promise, undefined, signal);
      if (signal.aborted) return { kind: 'cancelled' };
    }
    const taken = this.#queue.filter(({ when }) => when === 'now');
    if (taken.length === 0) return undefined;
    this.#between.push(...taken);
    for (const waiting of taken) this.#queue.splice(this.#queue.indexOf(waiting), 1);
    const messages = taken.map(({ content }) => byHuman(content));
    const notKept = await append(context, messages);
    // Only now may the stored queue drop them.
    listener.onQueue?.(this.queued);
    return notKept;
  }
}

/** A returned outcome ends the turn. */
async function prepareTurn(prepare: Prepare, signal: AbortSignal): Promise<TurnOutcome | undefined> {
  try {
    await orAborted(prepare(signal), undefined, signal);
  } catch (error) {
    if (!signal.aborted) return { kind: 'failed', problem: { kind: 'not-prepared', message: reasonOf(error) } };
  }
  return signal.aborted ? { kind: 'cancelled' } : undefined;
}
