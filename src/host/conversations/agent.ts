import type { ConversationFile } from '../../adapters/node/conversationFile.ts';
import type { Conversation } from '../../core/conversation/conversation.ts';
import type { KarlEvent } from '../../core/events/event.ts';
import type { ResolvedProfile } from '../../core/model/resolve.ts';
import type { Words } from '../../core/phrase.ts';
import type { Result } from '../../core/result.ts';
import { readQueued } from '../../core/session/continuation.ts';
import type { StorageProblem } from '../../core/session/conversationStore.ts';
import { AgentSession } from '../../core/session/session.ts';
import { takeProfile } from '../../core/session/takeProfile.ts';
import type { SessionState, TurnOutcome, UserContent } from '../../core/session/turnContext.ts';
import { orAborted } from '../../core/steps.ts';
import type { CompressionQuestion } from '../actions/compressionQuestion.ts';
import type { Basics } from '../basics.ts';
import type { Remedies } from '../notices/compressionResult.ts';
import type { Cure } from '../notices/describeModelError.ts';
import { showOutcome } from '../notices/describeProblem.ts';
import { describeContent, type StreamingReply } from '../present/unsent.ts';
import type { AgentWork } from '../work/agentWork.ts';
import type { Models } from './models.ts';
import { StreamedReply } from './streamedReply.ts';
import { SYSTEM_CLOCK } from './system.ts';

/** The conversation that an agent leads. */
interface LedConversation {
  readonly conversation: Conversation;
  /** Why this window may not write. */
  readonly readOnly: Words | undefined;
  runWith(resolved: ResolvedProfile): void;
  save(): Promise<Result<void, StorageProblem>>;
  saveAndReport(): Promise<void>;
}

interface AgentParts extends Basics {
  readonly file: ConversationFile;
  readonly models: Models;
  readonly question: CompressionQuestion;
  readonly work: AgentWork;
  readonly readPrompt: () => Promise<string>;
  readonly karl: Pick<Remedies, 'mend'>;
  /** Whether the view shows the conversation. */
  readonly isShown: () => boolean;
  readonly onEvent: (event: KarlEvent) => void;
}

/**
 * The agent of one conversation. Each turn uses the settings, trust and folders in force when it begins.
 */
export class Agent {
  readonly #active: LedConversation;
  readonly #parts: AgentParts;
  /** Whether an automatic compaction may run. */
  readonly question: CompressionQuestion;
  /** What the agent may do to the workspace. */
  readonly work: AgentWork;
  state: SessionState = { kind: 'idle' };
  /** Messages that wait for their turn, and one that is being written: it leaves the queue when it is on the disk. */
  #queue: readonly UserContent[];
  /** Tokens of the last request that the provider read from its cache, if it says so. */
  cached: number | undefined;
  /**
   * What the last turn and the whole conversation have cost, US dollars, as far as tokens and prices are known; and how
   * much of it was spent because compressions invalidated caches.
   */
  cost: { readonly turn: number; readonly all: number; readonly broken: number };
  readonly #session: AgentSession;
  /** Read for the first turn. */
  #prompt: string | undefined;
  /** Turns that are about to begin. */
  readonly #starting = new Set<AbortController>();
  readonly #streamed: StreamedReply;
  readonly #reported = new WeakSet<TurnOutcome>();

  constructor(active: LedConversation, parts: AgentParts) {
    const { file } = parts;
    this.#active = active;
    this.#parts = parts;
    this.question = parts.question;
    this.work = parts.work;
    const { cost, brokenCost } = file.stored.details.state ?? {};
    this.cost = { turn: 0, all: readCost(cost), broken: readCost(brokenCost) };
    this.#queue = active.readOnly === undefined ? readQueued(file.stored.details.state?.queued) : [];
    this.#streamed = new StreamedReply(file, active.conversation);
    this.#session = this.#createSession();
  }

  get isBusy(): boolean {
    return this.#starting.size > 0 || this.state.kind !== 'idle';
  }

  /** The queue as it is shown: first the messages that are sent only when the user asks for it. */
  get queue(): readonly UserContent[] {
    const { held } = this.#session;
    const rest = [...this.#queue];
    // Each held message stands for one of the queue: another one may have the same text.
    for (const content of held) {
      const at = rest.indexOf(content);
      if (at >= 0) rest.splice(at, 1);
    }
    return [...held, ...rest];
  }

  /** How many messages at the head of the queue are sent only when the user asks for it. */
  get held(): number {
    return this.#session.held.length;
  }

  get streaming(): StreamingReply | undefined {
    return this.#streamed.current;
  }

  /**
   * Starts a turn, or queues the message. Resolves when its turn has ended and its outcome was shown; false if the user
   * stopped it before the session had the message. `onTaken` is called as soon as it has.
   */
  async send(content: UserContent, onTaken?: () => void): Promise<boolean> {
    if (!(await this.#start())) return false;
    const turn = this.#session.send(content);
    onTaken?.();
    this.#parts.view.refresh();
    this.#finish(await turn);
    return true;
  }

  /** Continues a turn that failed or was cancelled, or joins the running one. Undefined if stopped before it began. */
  async resume(): Promise<TurnOutcome | undefined> {
    if (!(await this.#start())) return undefined;
    const outcome = await this.#session.resume();
    this.#finish(outcome);
    return outcome;
  }

  /** Sends all queued messages, including held ones and those of an earlier window. Resolves when their turns have ended. */
  async sendQueued(): Promise<void> {
    const turns = (await this.#start()) ? this.#session.sendQueued() : [];
    this.#parts.view.refresh();
    await Promise.all(turns.map(async (turn) => this.#finish(await turn)));
  }

  /** Ends the running turn, or keeps one from starting. Resolves when it has ended. */
  async cancel(): Promise<void> {
    for (const starting of this.#starting) starting.abort();
    const ended = this.#session.cancel();
    // The queue is held from now on, not only when the turn has ended.
    this.#parts.view.refresh();
    await ended;
  }

  /**
   * Takes the queued message that was shown as `text` at `index` out of the queue, or makes the running turn read it at its
   * next step. Does nothing if its own turn has begun.
   */
  changeQueued(act: 'unqueue' | 'sendBetween', index: number, text: string): void {
    const texts = this.#session.queued.slice(0, index + 1).map(describeContent);
    const place = texts.lastIndexOf(text);
    if (place >= 0) this.#session[act](place);
    this.#parts.view.refresh();
  }

  /** Whether the running turn waits, or will wait, before its next step. */
  get isPaused(): boolean {
    return this.#session.isPaused;
  }

  /** Pauses the running turn before its next step, or lets it go on. */
  pause(isPaused: boolean): void {
    if (isPaused) this.#session.pause();
    else this.#session.goOn();
    this.#parts.view.refresh();
  }

  /**
   * Makes the session ready for a turn. Applies the settings unless a turn is running: queued messages get them when
   * their turn comes. False if the user stopped it meanwhile.
   */
  async #start(): Promise<boolean> {
    const { view } = this.#parts;
    const starting = new AbortController();
    this.#starting.add(starting);
    if (this.state.kind === 'idle') this.#begin();
    view.refresh();
    try {
      const prepared = this.state.kind === 'idle' ? this.#applySettings(starting.signal) : Promise.resolve();
      const isPrepared = prepared.then(() => true);
      return await orAborted(isPrepared, false, starting.signal);
    } finally {
      this.#starting.delete(starting);
      view.refresh();
    }
  }

  /** Applies the settings to a turn that is about to begin, unless it is stopped meanwhile. */
  async #applySettings(signal: AbortSignal): Promise<void> {
    const { models, settings, readPrompt } = this.#parts;
    this.#prompt ??= await readPrompt();
    await models.load();
    const resolved = models.resolve(settings.current.model);
    // Stop does not wait for this method, which must not change the settings of a later turn.
    if (signal.aborted) return;
    const { profile } = resolved;
    const { conversation } = this.#active;
    const change = models.changeFor(profile, conversation);
    const findWindow = () => this.#parts.windows.find(profile);
    await takeProfile(conversation, { profile, change, findWindow }, signal);
    if (signal.aborted) return;
    this.#active.runWith(resolved);
    const { current } = settings;
    const limits = {
      rounds: current['tools.maxRounds'],
      minutes: current['tools.maxMinutes'],
      dollars: current['tools.maxDollars'],
    };
    this.#session.configure({ tools: this.work.listTools(), limits });
  }

  #createSession(): AgentSession {
    const { file, models, view } = this.#parts;
    const prompt = () => this.#prompt ?? '';
    return new AgentSession({
      conversation: this.#active.conversation,
      client: {
        complete: async (request, onDelta, signal) => {
          const reply = await models.client.complete(request, onDelta, signal);
          if (reply.ok) this.cached = reply.value.usage?.prompt_tokens_details?.cached_tokens;
          return reply;
        },
      },
      tools: this.work.listTools(),
      store: {
        queue: (messages) => file.queue(messages),
        flush: () => file.flush(),
        saveState: () => this.#active.save(),
      },
      get prompt() {
        return prompt();
      },
      clock: SYSTEM_CLOCK,
      preparesSummaries: () => this.#parts.settings.current['compaction.mode'] !== 'manual',
      withoutTools: models.withoutTools,
      queued: this.#queue,
      beforeQueued: (signal) => {
        this.#begin();
        return this.#applySettings(signal);
      },
      mayCompact: (trigger, signal) => this.question.mayCompress(trigger, signal),
      listener: {
        onState: (state) => {
          if (this.state.kind === 'running-tools') this.#parts.log.run(this.work.noteChanges());
          this.state = state;
          this.#streamed.end();
          view.refresh();
        },
        onDelta: (delta) => {
          this.#streamed.add(delta);
          view.refresh();
        },
        onCost: ({ dollars, broken }) => {
          const { turn, all, ...before } = this.cost;
          this.cost = { turn: turn + dollars, all: all + dollars, broken: before.broken + broken };
        },
        onQueue: (queue) => this.#takeQueue(queue),
        onEvent: (event) => this.#parts.onEvent(event),
      },
    });
  }

  /** A turn is about to begin. */
  #begin(): void {
    this.work.beginTurn();
    this.cost = { ...this.cost, turn: 0 };
    if (this.#parts.isShown()) this.#parts.notices.removePassing();
  }

  #finish(outcome: TurnOutcome): void {
    // Every caller that joined the turn gets the same outcome.
    if (this.#reported.has(outcome)) return;
    this.#reported.add(outcome);
    if (this.#parts.isShown()) this.#show(outcome);
    this.#parts.view.refresh();
  }

  #show(outcome: TurnOutcome): void {
    const { notices, karl, log } = this.#parts;
    notices.remove('busy');
    // The message box already says that another window has taken over.
    const isTaken = outcome.kind === 'failed' && outcome.problem.kind === 'not-saved';
    if (isTaken && this.#active.readOnly !== undefined) return void notices.removePassing();
    const mend = async (cure: Cure): Promise<void> => {
      if (await karl.mend(cure)) await this.resume();
    };
    const resume = () => log.run(this.resume());
    showOutcome(outcome, notices, resume, (cure) => log.run(mend(cure)));
  }

  #takeQueue(queue: readonly UserContent[]): void {
    const isSame = queue.length === 0 && this.#queue.length === 0;
    this.#queue = queue;
    if (!isSame) this.#parts.log.run(this.#active.saveAndReport());
  }
}

function readCost(stored: unknown): number {
  return typeof stored === 'number' && stored >= 0 ? stored : 0;
}
