import type { Conversation } from '../../core/conversation/conversation.ts';
import type { ModelProfile } from '../../core/model/profile.ts';
import { profileKey } from '../../core/model/providers.ts';
import { readQueued } from '../../core/session/continuation.ts';
import { AgentSession } from '../../core/session/session.ts';
import type { CompactionMode } from '../../core/session/settings.ts';
import { takeProfile } from '../../core/session/takeProfile.ts';
import {
  isSameFault,
  type SessionState,
  type TurnOutcome,
  type TurnProblem,
  type UserContent,
} from '../../core/session/turnContext.ts';
import { orAborted } from '../../core/steps.ts';
import { CompressionQuestion } from '../actions/compressionQuestion.ts';
import type { Host } from '../host.ts';
import type { Cure } from '../notices/describeModelError.ts';
import { clearOutcome, showOutcome } from '../notices/outcomes.ts';
import { describeContent, type StreamingReply } from '../present/unsent.ts';
import type { AgentWork } from '../work/agentWork.ts';
import type { ActiveConversation } from './activeConversation.ts';
import type { ConversationFactory } from './conversationFactory.ts';
import { StreamedReply } from './streamedReply.ts';
import { SYSTEM_CLOCK } from './system.ts';

/**
 * The agent of one conversation. Its session, and with it the model client, is created at the first message. Each turn
 * uses the settings, trust and folders in force when it begins.
 */
export class Agent {
  readonly #active: ActiveConversation;
  readonly #conversation: Conversation;
  readonly #factory: ConversationFactory;
  readonly #host: Host;
  /** Whether an automatic compaction may run. */
  readonly question: CompressionQuestion;
  /** What the agent may do to the workspace. */
  readonly work: AgentWork;
  state: SessionState = { kind: 'idle' };
  /** Messages that wait for their turn. */
  queue: readonly UserContent[];
  /** Tokens of the last request that the provider read from its cache, if it says so. */
  cached: number | undefined;
  /**
   * What the last turn and the whole conversation have cost, US dollars, as far as tokens and prices are known; and how
   * much of it was spent because compressions invalidated caches.
   */
  cost: { readonly turn: number; readonly all: number; readonly broken: number };
  #session: Promise<AgentSession> | undefined;
  #madeSession: AgentSession | undefined;
  /** Turns that are about to begin. */
  readonly #starting = new Set<AbortController>();
  /** The model and the budget of the last turn, to notice a change to a smaller model before the next one. */
  #last: { readonly model: string; readonly limit: number };
  readonly #streamed: StreamedReply;
  readonly #reported = new WeakSet<TurnOutcome>();

  constructor(active: ActiveConversation, factory: ConversationFactory) {
    const { conversation, file } = active;
    this.#active = active;
    this.#conversation = conversation;
    this.#factory = factory;
    this.#host = factory.host;
    this.question = new CompressionQuestion(conversation, factory.host);
    this.work = factory.createWork(active.id, conversation);
    this.#last = modelOf(conversation);
    const { cost, brokenCost } = file.stored.details.state ?? {};
    this.cost = { turn: 0, all: readCost(cost), broken: readCost(brokenCost) };
    this.queue = active.readOnly === undefined ? readQueued(file.stored.details.state?.queued) : [];
    this.#streamed = new StreamedReply(active, () => factory.counter(conversation.profile()).stream?.());
    // Queued messages can be taken back before anything is sent.
    if (this.queue.length > 0) this.#session = this.#create();
    this.refreshTools();
  }

  get isBusy(): boolean {
    return this.#starting.size > 0 || this.state.kind !== 'idle';
  }

  /** How many messages at the head of the queue are sent only when the user asks for it. */
  get held(): number {
    return this.#madeSession?.held ?? this.queue.length;
  }

  get streaming(): StreamingReply | undefined {
    return this.#streamed.current;
  }

  /**
   * Starts a turn, or queues the message. Resolves when its turn has ended and its outcome was shown; false if the user
   * stopped it before the session had the message. `onTaken` is called as soon as it has.
   */
  async send(content: UserContent, onTaken?: () => void): Promise<boolean> {
    const session = await this.#start();
    if (session === undefined) return false;
    const turn = session.send(content);
    onTaken?.();
    this.#host.refresh();
    this.#finish(await turn);
    return true;
  }

  /** Continues a turn that failed or was cancelled, or joins the running one. Undefined if stopped before it began. */
  async resume(): Promise<TurnOutcome | undefined> {
    const session = await this.#start();
    if (session === undefined) return undefined;
    const outcome = await session.resume();
    this.#finish(outcome);
    return outcome;
  }

  /**
   * Resumes after the user has fixed `mended`, the problem that ended the turn. A turn that is already running began
   * before the fix: if it fails with the same problem, it is resumed once more.
   */
  async resumeMended(mended: TurnProblem): Promise<void> {
    const beganBefore = this.isBusy;
    const outcome = await this.resume();
    if (beganBefore && outcome?.kind === 'failed' && isSameFault(outcome.problem, mended)) await this.resume();
  }

  /** Sends all queued messages, including held ones and those of an earlier window. Resolves when their turns have ended. */
  async sendQueued(): Promise<void> {
    const session = await this.#start();
    const turns = session?.sendQueued() ?? [];
    this.#host.refresh();
    await Promise.all(turns.map(async (turn) => this.#finish(await turn)));
  }

  /** Ends the running turn, or keeps one from starting. Resolves when it has ended. */
  async cancel(): Promise<void> {
    for (const starting of this.#starting) starting.abort();
    const session = await this.#session;
    const ended = session?.cancel();
    // The queue is held from now on, not only when the turn has ended.
    this.#host.refresh();
    await ended;
  }

  /** Takes a message out of the queue that was shown as `text` at `index`; does nothing if its turn has begun. */
  async unqueue(index: number, text: string): Promise<void> {
    await this.#withQueued(index, text, (session, place) => session.unqueue(place));
  }

  /** Whether the running turn waits, or will wait, before its next step. */
  get isPaused(): boolean {
    return this.#madeSession?.isPaused ?? false;
  }

  /** Pauses the running turn before its next step, or lets it go on. */
  pause(isPaused: boolean): void {
    if (isPaused) this.#madeSession?.pause();
    else this.#madeSession?.goOn();
    this.#host.refresh();
  }

  /** Makes the running turn read a queued message at its next step. */
  async sendBetween(index: number, text: string): Promise<void> {
    await this.#withQueued(index, text, (session, place) => session.sendBetween(place));
  }

  async #withQueued(
    index: number,
    text: string,
    act: (session: AgentSession, place: number) => unknown,
  ): Promise<void> {
    const session = await this.#session;
    const places = (session?.queued ?? []).slice(0, index + 1).map(describeContent);
    const place = places.lastIndexOf(text);
    if (session !== undefined && place >= 0) act(session, place);
    this.#host.refresh();
  }

  /** Counts the tools that the next request would carry. */
  refreshTools(): void {
    const tools = this.#factory.listTools(this.#conversation, this.work);
    this.#conversation.configure({ tools: tools.map((tool) => tool.definition) });
  }

  /**
   * Makes the session ready for a turn. Applies the settings unless a turn is running: queued messages get them when
   * their turn comes. Undefined if the user stopped it meanwhile.
   */
  async #start(): Promise<AgentSession | undefined> {
    const { refresh } = this.#host;
    const starting = new AbortController();
    this.#starting.add(starting);
    if (this.state.kind === 'idle') this.#begin();
    refresh();
    try {
      return await orAborted(this.#prepare(starting.signal), undefined, starting.signal);
    } finally {
      this.#starting.delete(starting);
      refresh();
    }
  }

  async #prepare(signal: AbortSignal): Promise<AgentSession> {
    this.#session ??= this.#create();
    const session = await this.#session;
    if (this.state.kind === 'idle') await this.#applySettings(session, signal);
    return session;
  }

  /** Applies the settings to a turn that is about to begin, unless it is stopped meanwhile. */
  async #applySettings(session: AgentSession, signal: AbortSignal): Promise<void> {
    const { profiles, host } = this.#factory;
    await profiles.load();
    const resolved = profiles.resolve(host.settings.current.model);
    // Stop does not wait for this method, which must not change the settings of a later turn.
    if (signal.aborted) return;
    await this.#takeProfile(resolved.profile, signal);
    if (signal.aborted) return;
    this.#active.runWith(resolved);
    const tools = this.#factory.listTools(this.#conversation, this.work);
    const { current } = host.settings;
    const limits = {
      rounds: current['tools.maxRounds'],
      minutes: current['tools.maxMinutes'],
      dollars: current['tools.maxDollars'],
    };
    session.configure({ tools, limits });
  }

  /**
   * Gives the conversation the profile from the settings. In automatic mode, a conversation that is too long for the
   * smaller window of a new model is compacted first; in the other modes the session decides before the request.
   */
  async #takeProfile(profile: ModelProfile, signal: AbortSignal): Promise<void> {
    const [conversation, last] = [this.#conversation, this.#last];
    await takeProfile(conversation, {
      profile,
      change: this.#factory.changeFor(profile, () => conversation),
      findWindow: async () => {
        const found = await this.#host.windows.find(profile);
        return signal.aborted ? conversation.learnedWindow() : found;
      },
    });
    if (signal.aborted) return;
    this.#last = modelOf(conversation);
    const isSmaller = last.model !== this.#last.model && last.limit > this.#last.limit;
    if (this.#mode !== 'automatic' || !isSmaller) return;
    if (conversation.due() !== undefined) await conversation.compact({ trigger: 'smaller-model', signal });
  }

  async #create(): Promise<AgentSession> {
    const { file } = this.#active;
    const { refresh } = this.#host;
    const conversation = this.#conversation;
    const model = this.#factory.client();
    const session: AgentSession = new AgentSession({
      conversation,
      client: {
        complete: async (request, onDelta, signal) => {
          const reply = await model.complete(request, onDelta, signal);
          if (reply.ok) this.cached = reply.value.usage?.prompt_tokens_details?.cached_tokens;
          return reply;
        },
      },
      tools: this.#factory.listTools(conversation, this.work),
      store: {
        queue: (messages) => file.queue(messages),
        flush: () => file.flush(),
        saveState: () => this.#active.save(),
      },
      prompt: await this.#factory.readPrompt(),
      clock: SYSTEM_CLOCK,
      preparesSummaries: () => this.#mode !== 'manual',
      withoutTools: this.#factory.withoutTools,
      queued: this.queue,
      beforeQueued: (signal) => {
        this.#begin();
        return this.#applySettings(session, signal);
      },
      mayCompact: (trigger, signal) => this.question.mayCompress(trigger, signal),
      listener: {
        onState: (state) => {
          if (this.state.kind === 'running-tools') this.#host.log.run(this.work.noteChanges());
          this.state = state;
          this.#streamed.end();
          refresh();
        },
        onDelta: (delta) => {
          this.#streamed.add(delta);
          refresh();
        },
        onCost: ({ dollars, broken }) => {
          const { turn, all, ...before } = this.cost;
          this.cost = { turn: turn + dollars, all: all + dollars, broken: before.broken + broken };
        },
        onQueue: (queue) => this.#takeQueue(queue),
        onEvent: (event) => this.#factory.receive(this.#active, event),
      },
    });
    this.#madeSession = session;
    return session;
  }

  get #mode(): CompactionMode {
    return this.#host.settings.current['compaction.mode'];
  }

  get #isOpen(): boolean {
    return this.#host.active === this.#active;
  }

  /** Ends what the agent has started: its conversation is closed. */
  close(): void {
    this.work.close();
  }

  /** A turn is about to begin. */
  #begin(): void {
    this.work.beginTurn();
    this.cost = { ...this.cost, turn: 0 };
    if (this.#isOpen) clearOutcome(this.#host.notices);
  }

  #finish(outcome: TurnOutcome): void {
    // Every caller that joined the turn gets the same outcome.
    if (this.#reported.has(outcome)) return;
    this.#reported.add(outcome);
    if (this.#isOpen) this.#show(outcome);
    this.#host.refresh();
  }

  #show(outcome: TurnOutcome): void {
    const { notices, announcer, karl, log } = this.#host;
    notices.remove('busy');
    // The message box already says that another window has taken over.
    const isTaken = outcome.kind === 'failed' && outcome.problem.kind === 'not-saved';
    if (isTaken && this.#active.readOnly !== undefined) {
      clearOutcome(notices);
      return;
    }
    const mend = async (cure: Cure, problem: TurnProblem): Promise<void> => {
      if (await karl.mend(cure)) await this.resumeMended(problem);
    };
    const resume = () => log.run(this.resume());
    showOutcome(outcome, announcer, resume, (cure, problem) => log.run(mend(cure, problem)));
  }

  #takeQueue(queue: readonly UserContent[]): void {
    const isSame = queue.length === 0 && this.queue.length === 0;
    this.queue = queue;
    if (!isSame) this.#host.log.run(this.#active.saveAndReport());
  }
}

function modelOf(conversation: Conversation): { readonly model: string; readonly limit: number } {
  return { model: profileKey(conversation.profile()), limit: conversation.budget().limit };
}

function readCost(stored: unknown): number {
  return typeof stored === 'number' && stored >= 0 ? stored : 0;
}
