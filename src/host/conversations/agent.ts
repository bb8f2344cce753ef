import type { Conversation } from '../../core/conversation/conversation.ts';
import type { ConversationChange } from '../../core/conversation/conversationOptions.ts';
import type { KarlEvent } from '../../core/events/event.ts';
import type { LearnedWindow } from '../../core/model/budget.ts';
import type { ModelProfile } from '../../core/model/profile.ts';
import { profileKey } from '../../core/model/providers.ts';
import type { ResolvedProfile } from '../../core/model/resolve.ts';
import type { ModelClient } from '../../core/session/modelClient.ts';
import { AgentSession } from '../../core/session/session.ts';
import type { KarlSettings } from '../../core/session/settings.ts';
import { takeProfile } from '../../core/session/takeProfile.ts';
import type { Tool } from '../../core/session/tools.ts';
import {
  type AcceptedSizes,
  isSameFault,
  type SessionState,
  type SessionStore,
  type TurnOutcome,
  type TurnProblem,
  type UserContent,
} from '../../core/session/turnContext.ts';
import { orAborted } from '../../core/steps.ts';
import type { CompressionQuestion } from '../actions/compressionQuestion.ts';
import { describeContent, type StreamingReply } from '../present/unsent.ts';
import { StreamedReply, type StreamedReplyParts } from './streamedReply.ts';
import { SYSTEM_CLOCK } from './system.ts';

/** What an agent works with. */
export interface AgentParts {
  readonly conversation: Conversation;
  /** The tools that the settings and the trust of the workspace allow now. */
  readonly tools: (conversation: Conversation) => readonly Tool[];
  readonly settings: () => KarlSettings;
  /** The profile of the model in the settings, as the profile files define it now. */
  readonly profile: () => Promise<ResolvedProfile>;
  /** A turn runs with this profile from now on. */
  readonly onProfile: (resolved: ResolvedProfile) => void;
  /** What the settings change for a model, its summarizer among it. */
  readonly changeFor: (profile: ModelProfile) => ConversationChange;
  /** What is known of a model's window, if need be by asking its server now. */
  readonly findWindow: (profile: ModelProfile) => Promise<LearnedWindow | undefined>;
  readonly store: SessionStore;
  readonly client: () => ModelClient;
  readonly prompt: () => Promise<string>;
  readonly streamed: Omit<StreamedReplyParts, 'after'>;
  /** Whether an automatic compression may run. */
  readonly question: CompressionQuestion;
  /** Models that are known to take no tool definitions, by profile key. */
  readonly withoutTools: Set<string>;
  /** The largest requests that servers accepted, by profile key. */
  readonly acceptedSizes: AcceptedSizes;
  readonly onEvent: (event: KarlEvent) => void;
  /** A turn is about to begin. */
  readonly onStart: () => void;
  /** A turn has ended: once for each, however many wait for it. */
  readonly onOutcome: (outcome: TurnOutcome) => void;
  /** Messages that the window before left in the queue. */
  readonly queued: readonly UserContent[];
  /** The queue has changed, and is to be kept. */
  readonly onQueue: () => void;
  /** Something that is shown has changed. */
  readonly onChange: () => void;
}

/**
 * The agent of one conversation. Its session, and with it the model client, is made at the first message. Each turn gets
 * the settings, trust and folders in force when it begins.
 */
export class Agent {
  readonly #parts: AgentParts;
  #session: Promise<AgentSession> | undefined;
  #madeSession: AgentSession | undefined;
  #state: SessionState = { kind: 'idle' };
  /** Turns that are about to begin. */
  readonly #starting = new Set<AbortController>();
  #queue: readonly UserContent[];
  /** The model of the last turn and the budget of its requests: a change of the settings comes before the next turn. */
  #last: { readonly model: string; readonly limit: number };
  readonly #streamed: StreamedReply;
  #cached: number | undefined;
  readonly #told = new WeakSet<TurnOutcome>();

  constructor(parts: AgentParts) {
    this.#parts = parts;
    this.#last = modelOf(parts.conversation);
    this.#queue = parts.queued;
    const after = () => parts.conversation.transcript.messages.length;
    this.#streamed = new StreamedReply({ ...parts.streamed, after });
    // The messages can be taken back.
    if (this.#queue.length > 0) this.#session = this.#create();
    this.refreshTools();
  }

  get state(): SessionState {
    return this.#state;
  }

  /** Whether a turn waits for the user's word on a compaction. */
  get asks(): boolean {
    return this.#parts.question.isOpen;
  }

  /** Whether the user said "Not Now", and that still holds. */
  get isDeclined(): boolean {
    return this.#parts.question.isDeclined;
  }

  /** Forwards the user's answer to the compaction prompt; does nothing when no turn waits for it. */
  answer(mayCompress: boolean): void {
    this.#parts.question.answer(mayCompress);
  }

  /** "Not Now", whether or not a turn waits: no compaction runs by itself, and nobody is asked, for a while. */
  decline(): void {
    this.#parts.question.decline();
  }

  get isBusy(): boolean {
    return this.#starting.size > 0 || this.#state.kind !== 'idle';
  }

  /** Messages that wait for their turn. */
  get queue(): readonly UserContent[] {
    return this.#queue;
  }

  /** How many of them, the oldest ones, are sent only when the user says so. */
  get held(): number {
    return this.#madeSession?.held ?? this.#queue.length;
  }

  /** Tokens of the last request that the provider read from its cache, where it says so. */
  get cached(): number | undefined {
    return this.#cached;
  }

  /** The reply that streams in now. */
  get streaming(): StreamingReply | undefined {
    return this.#streamed.current;
  }

  /**
   * Starts a turn, or queues the message. Resolves when its turn has ended and its outcome was passed on; false when
   * the user stopped it before the message was taken; `onTaken` is called when it is taken, before anything is shown.
   */
  async send(content: UserContent, onTaken?: () => void): Promise<boolean> {
    const session = await this.#start();
    if (session === undefined) return false;
    const turn = session.send(content);
    onTaken?.();
    this.#parts.onChange();
    this.#finish(await turn);
    return true;
  }

  /** Continues a turn that failed or was cancelled; joins one that runs. Undefined: it was stopped before it began. */
  async resume(): Promise<TurnOutcome | undefined> {
    const session = await this.#start();
    if (session === undefined) return undefined;
    const outcome = await session.resume();
    this.#finish(outcome);
    return outcome;
  }

  /**
   * Resumes after `mended`, the problem at which the turn failed, was mended. A turn that runs by now began before
   * that: when it fails with the same problem, it is resumed once more; after any other failure it is left.
   */
  async resumeMended(mended: TurnProblem): Promise<void> {
    const beganBefore = this.isBusy;
    const outcome = await this.resume();
    if (beganBefore && outcome?.kind === 'failed' && isSameFault(outcome.problem, mended)) await this.resume();
  }

  /** Sends the queued messages, held ones too, also those of an earlier window. Resolves when their turns have ended. */
  async sendQueued(): Promise<void> {
    const session = await this.#start();
    const turns = session?.sendQueued() ?? [];
    this.#parts.onChange();
    await Promise.all(turns.map(async (turn) => this.#finish(await turn)));
  }

  /** Ends the running turn, or keeps one from starting. Resolves when it has ended. */
  async cancel(): Promise<void> {
    for (const starting of this.#starting) starting.abort();
    const session = await this.#session;
    const ended = session?.cancel();
    // What waits is held from now on, not only when the turn has ended.
    this.#parts.onChange();
    await ended;
  }

  /** Takes a queued message back that was shown as `text` in a place of the queue; its turn may have come meanwhile. */
  async unqueue(index: number, text: string): Promise<void> {
    const session = await this.#session;
    const places = (session?.queued ?? []).slice(0, index + 1).map(describeContent);
    const place = places.lastIndexOf(text);
    if (place >= 0) session?.unqueue(place);
    this.#parts.onChange();
  }

  /** Counts the tools that the next request would carry. */
  refreshTools(): void {
    const { conversation, tools } = this.#parts;
    conversation.configure({ tools: tools(conversation).map((tool) => tool.definition) });
  }

  /**
   * Applies the settings, unless a turn runs: queued messages get them when their turn comes. Undefined when the user
   * stopped it meanwhile.
   */
  async #start(): Promise<AgentSession | undefined> {
    const { onStart, onChange } = this.#parts;
    const starting = new AbortController();
    this.#starting.add(starting);
    if (this.#state.kind === 'idle') onStart();
    onChange();
    try {
      return await orAborted(this.#prepare(starting.signal), undefined, starting.signal);
    } finally {
      this.#starting.delete(starting);
      onChange();
    }
  }

  async #prepare(signal: AbortSignal): Promise<AgentSession> {
    this.#session ??= this.#create();
    const session = await this.#session;
    if (this.#state.kind === 'idle') await this.#applySettings(session, signal);
    return session;
  }

  /** Applies the settings to a turn that is about to begin, unless it is stopped meanwhile. */
  async #applySettings(session: AgentSession, signal: AbortSignal): Promise<void> {
    const { conversation, tools, settings, profile, onProfile } = this.#parts;
    const resolved = await profile();
    // A Stop does not wait for this: from here on it could change the settings of a later turn.
    if (signal.aborted) return;
    await this.#takeProfile(resolved.profile, signal);
    if (signal.aborted) return;
    onProfile(resolved);
    session.configure({ tools: tools(conversation), maxToolRounds: settings()['tools.maxRounds'] });
  }

  /**
   * Gives the conversation the profile of the settings. One that is too long for the smaller window of a new model is
   * compacted first; in the other modes the session asks, or leaves it, before the request.
   */
  async #takeProfile(profile: ModelProfile, signal: AbortSignal): Promise<void> {
    const { conversation, changeFor, findWindow, settings } = this.#parts;
    const last = this.#last;
    const window = () => findWindow(profile).then((found) => (signal.aborted ? conversation.learnedWindow() : found));
    await takeProfile(conversation, { profile, change: changeFor(profile), findWindow: window });
    if (signal.aborted) return;
    this.#last = modelOf(conversation);
    const isSmaller = last.model !== this.#last.model && last.limit > this.#last.limit;
    if (settings()['compaction.mode'] !== 'automatic' || !isSmaller) return;
    if (conversation.due() !== undefined) await conversation.compact({ trigger: 'smaller-model', signal });
  }

  async #create(): Promise<AgentSession> {
    const { conversation, store, client, tools, prompt, question, settings, withoutTools } = this.#parts;
    const { acceptedSizes, onEvent, onStart, onChange } = this.#parts;
    const model = client();
    const session: AgentSession = new AgentSession({
      conversation,
      client: {
        complete: async (request, onDelta, signal) => {
          const reply = await model.complete(request, onDelta, signal);
          if (reply.ok) this.#cached = reply.value.usage?.prompt_tokens_details?.cached_tokens;
          return reply;
        },
      },
      tools: tools(conversation),
      store,
      prompt: await prompt(),
      clock: SYSTEM_CLOCK,
      preparesSummaries: () => settings()['compaction.mode'] !== 'manual',
      withoutTools,
      acceptedSizes,
      queued: this.#queue,
      beforeQueued: (signal) => {
        onStart();
        return this.#applySettings(session, signal);
      },
      mayCompact: (trigger, signal) => question.mayCompress(trigger, signal),
      listener: {
        onState: (state) => {
          this.#state = state;
          this.#streamed.end();
          onChange();
        },
        onDelta: (delta) => {
          this.#streamed.add(delta);
          onChange();
        },
        onQueue: (queue) => this.#takeQueue(queue),
        onEvent,
      },
    });
    this.#madeSession = session;
    return session;
  }

  #finish(outcome: TurnOutcome): void {
    // Every caller that joined the turn gets the same outcome.
    if (this.#told.has(outcome)) return;
    this.#told.add(outcome);
    this.#parts.onOutcome(outcome);
    this.#parts.onChange();
  }

  #takeQueue(queue: readonly UserContent[]): void {
    const isSame = queue.length === 0 && this.#queue.length === 0;
    this.#queue = queue;
    if (!isSame) this.#parts.onQueue();
  }
}

function modelOf(conversation: Conversation): { readonly model: string; readonly limit: number } {
  return { model: profileKey(conversation.profile()), limit: conversation.budget().limit };
}
