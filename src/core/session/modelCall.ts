import type { CompactionResult, Trigger } from '../compaction/compaction.ts';
import { inEnglish } from '../language.ts';
import type { ChatMessage, ChatTool, Usage } from '../messages/chat.ts';
import type { Budget, LearnedWindow } from '../model/budget.ts';
import type { ModelError } from '../model/classify.ts';
import type { ModelProfile } from '../model/profile.ts';
import { profileKey } from '../model/providers.ts';
import { textEnvelope } from './envelope/envelope.ts';
import type { ModelFailure, ModelReply } from './modelClient.ts';
import {
  findMaxTokens,
  fitsNow,
  lowered,
  markEcho,
  planRecovery,
  type Recovery,
  refusedInput,
  type Tried,
  withLargerInput,
} from './recovery.ts';
import { mostAttempts, planRetry, refusesTools } from './retry.ts';
import type { CallContext, ToolWeight, TurnProblem } from './turnContext.ts';

/** How a model call ended, after all retries and remedies. */
export type CallOutcome =
  | { readonly kind: 'reply'; readonly reply: ModelReply }
  | { readonly kind: 'cancelled'; readonly partial: ChatMessage | undefined }
  | { readonly kind: 'failed'; readonly problem: TurnProblem; readonly partial?: ChatMessage | undefined };

/** `budget` and `model` of the request itself: another model may have been chosen since. */
type Attempted = { readonly budget: Budget; readonly model: ModelProfile } & (
  | { readonly kind: 'reply'; readonly reply: ModelReply; readonly passedOn: boolean }
  | { readonly kind: 'failure'; readonly failure: ModelFailure; readonly attempts: number }
);

const NOTHING_TRIED: Tried = { compaction: false, output: false };

/** An estimate for JSON, to say which definition is large; never for a budget. */
const CHARACTERS_PER_TOKEN = 4;

/** Tool definitions by size, largest first. */
function weighTools(tools: readonly ChatTool[]): readonly ToolWeight[] {
  return tools
    .map((tool) => ({
      name: tool.function?.name ?? tool.type,
      tokens: Math.ceil(JSON.stringify(tool).length / CHARACTERS_PER_TOKEN),
    }))
    .sort((left, right) => right.tokens - left.tokens);
}

/** An unconfirmed count may be too high by this factor. */
const SURELY = 1.25;

/**
 * True when no compaction can make a request fit: its fixed part is larger than the window that the server or the user
 * states. The server is not asked, because it might cut the request silently.
 */
function isHopeless({ fixed, window, windowSource }: Budget): boolean {
  return (windowSource === 'server' || windowSource === 'setting') && fixed > window * SURELY;
}

/** Whether another model might accept the refused request. */
function isAboutModel(error: ModelError): boolean {
  return error.kind === 'overflow' || error.kind === 'output-limit' || refusesTools(error);
}

/** The model that refused a request, and why. */
interface Refusal {
  readonly model: ModelProfile;
  readonly error: ModelError;
}

/** Whether both are the same model of the same server. */
function isSameModel(one: ModelProfile, other: ModelProfile): boolean {
  return profileKey(one) === profileKey(other);
}

/**
 * The model calls of one turn or one relayed request. Each call tries each remedy for its size once. Answers and refusals
 * teach how the next request must be; what a refusal merely suggests is learned once the same model has answered the
 * request without what it refused.
 */
export class ModelCalls {
  readonly #context: CallContext;
  /** The next request goes to this model without tools. */
  #refusedTools: Refusal | undefined;
  /** The window is learned if this model answers the shorter request. */
  #supposed: (Refusal & { readonly window: LearnedWindow | undefined }) | undefined;

  constructor(context: CallContext) {
    this.#context = context;
  }

  /** Asks the model. `round` counts the calls of the turn from 1. */
  async ask(round: number): Promise<CallOutcome> {
    // Remedies do not reset this count, which limits the repeats after temporary faults.
    let attempts = 0;
    let tried = NOTHING_TRIED;
    const before = this.#context.conversation.budget();
    if (isHopeless(before)) return { kind: 'failed', problem: this.#overflow({ budget: before }) };
    for (;;) {
      const attempted = await this.#askWithRetries(round, attempts);
      const { budget, model } = attempted;
      if (attempted.kind === 'reply') {
        const { used, limit } = budget;
        this.#context.listener.onEvent?.({ type: 'request-answered', model: model.id, tokens: used.tokens, limit });
        if (!this.#noteAnswer(model, budget, attempted.reply.usage)) return attempted;
        // The server cut the request, so the answer is to a part of it only. An answer that cannot be taken back stays.
        const mayRepeat = !tried.compaction && (this.#context.takesBack || !attempted.passedOn);
        tried = { ...tried, compaction: true };
        const result = mayRepeat ? await runCompaction(this.#context, { trigger: 'overflow' }) : undefined;
        if (result?.kind !== 'compacted' || this.#context.signal.aborted) return attempted;
        continue;
      }
      const { failure } = attempted;
      attempts = attempted.attempts;
      const { partial } = failure;
      const error = markEcho(failure.error, this.#messages());
      if (this.#context.signal.aborted || error.kind === 'cancelled') return { kind: 'cancelled', partial };
      this.#context.listener.onEvent?.({ type: 'model-error', model: model.id, error });
      const isOther = !isSameModel(model, this.#context.conversation.profile());
      if (isOther && partial === undefined && isAboutModel(error)) {
        // The refusal says nothing about the model that was chosen since: ask that one.
        attempts -= 1;
        tried = NOTHING_TRIED;
        continue;
      }
      if (refusesTools(error) && partial === undefined && this.#sendsTools) {
        this.#refusedTools = { model, error };
        attempts -= 1;
        continue;
      }
      const recovery = this.#plan(error, budget, tried);
      this.#learnWindow(recovery.learned, { model, error });
      // Asking again would repeat the content that was already passed on.
      const ended = partial === undefined ? await this.#cure(recovery, budget) : this.#giveUp(recovery);
      if (ended === 'again') {
        // The refused request does not count: another one replaces it.
        attempts -= 1;
        if (recovery.kind === 'compact') this.#supposed = { model, error, window: recovery.supposed };
        tried = {
          compaction: tried.compaction || recovery.kind === 'compact',
          output: tried.output || recovery.kind === 'lower-output',
        };
        continue;
      }
      if (ended === 'cancelled') return { kind: 'cancelled', partial };
      const hasImages = this.#messages().some(
        ({ content }) => Array.isArray(content) && content.some(({ type }) => type === 'image_url'),
      );
      const problem = ended ?? { kind: 'model', error, attempts, interrupted: partial !== undefined, hasImages };
      return { kind: 'failed', problem, partial };
    }
  }

  /** The largest request, in tokens, that the conversation's model has accepted; undefined: none yet. */
  get #accepted(): number | undefined {
    return this.#context.conversation.acceptedSizes.get(this.#key());
  }

  /** The profile for the next request. For a model without tool support, the prompt describes the tools (`envelope/`). */
  get #profile(): ModelProfile {
    const profile = this.#context.conversation.profile();
    const isRefused = this.#refusedTools !== undefined && isSameModel(this.#refusedTools.model, profile);
    return isRefused || this.#context.withoutTools.has(this.#key()) ? { ...profile, tools: false } : profile;
  }

  /** Whether the next request carries tool definitions. */
  get #sendsTools(): boolean {
    return this.#context.tools.length > 0 && textEnvelope(this.#profile) === undefined;
  }

  /** The output limit of the next request, tokens; undefined: the server's default. */
  #maxTokens(budget: Budget): number | undefined {
    const { outputLimits, request } = this.#context;
    return findMaxTokens(outputLimits.get(this.#key()), request?.fields, budget);
  }

  /**
   * Learns from an answer to a request with this budget. True when the report shows that the server cut the request;
   * then nothing else is learned.
   */
  #noteAnswer(model: ModelProfile, { used }: Budget, usage: Usage | undefined): boolean {
    const { outputLimits, withoutTools, listener, conversation } = this.#context;
    const { acceptedSizes } = conversation;
    const key = profileKey(model);
    if (usage !== undefined && isSameModel(model, conversation.profile()) && conversation.reportUsage(usage)) {
      acceptedSizes.delete(key);
      return true;
    }
    acceptedSizes.set(key, Math.max(used.tokens, acceptedSizes.get(key) ?? 0));
    const limit = outputLimits.get(key);
    if (limit !== undefined) outputLimits.set(key, withLargerInput(limit, used.tokens));
    const [supposed, refused] = [this.#supposed, this.#refusedTools];
    this.#supposed = undefined;
    this.#refusedTools = undefined;
    if (supposed !== undefined && isSameModel(supposed.model, model)) this.#learnWindow(supposed.window, supposed);
    if (refused === undefined || !isSameModel(refused.model, model)) return false;
    // A request without tools succeeded, which proves that the tools were at fault.
    withoutTools.add(key);
    listener.onEvent?.({ type: 'tools-refused', model: refused.model.id, error: refused.error });
    return false;
  }

  /**
   * Learns that a request with this budget is too long. A larger size that was accepted before is forgotten: the server
   * was replaced or restarted.
   */
  #noteOverflow({ used }: Budget): void {
    const { acceptedSizes } = this.#context.conversation;
    if (this.#accepted !== undefined && this.#accepted >= used.tokens) acceptedSizes.delete(this.#key());
  }

  /** Makes the next request ask for less output. */
  #lowerOutput(recovery: Extract<Recovery, { kind: 'lower-output' }>, budget: Budget): void {
    const { outputLimits } = this.#context;
    outputLimits.set(this.#key(), lowered(outputLimits.get(this.#key()), recovery, budget));
  }

  /** Learns a window, unless the conversation has changed to another model. */
  #learnWindow(window: LearnedWindow | undefined, { model, error }: Refusal): void {
    const { conversation, clock } = this.#context;
    if (window === undefined || !isSameModel(model, conversation.profile())) return;
    const { evidence, words = inEnglish(evidence) } = error;
    conversation.configure({ learnedWindow: { ...window, at: clock.now(), words } });
  }

  /** Learns the server's counting from a refusal if it reports no usage; otherwise it would refuse each full window. */
  #calibrate(error: ModelError, { used }: Budget): void {
    const { conversation } = this.#context;
    const input = error.lowerBound === true ? undefined : refusedInput(error);
    if (input === undefined || input <= used.tokens || conversation.usage().calibration.reports > 0) return;
    conversation.reportUsage({ prompt_tokens: input });
  }

  #key(): string {
    return profileKey(this.#context.conversation.profile());
  }

  #messages(): readonly ChatMessage[] {
    return this.#context.conversation.viewMessages();
  }

  #plan(error: ModelError, budget: Budget, tried: Tried): Recovery {
    const accepted = this.#accepted;
    if (error.kind === 'overflow') this.#noteOverflow(budget);
    const toolTokens = this.#context.conversation.toolTokens().tokens;
    const maxTokens = this.#maxTokens(budget);
    return planRecovery({ error, budget, maxTokens, toolTokens, accepted, tried });
  }

  /** Carries out a remedy. `again`: ask once more; a problem: the remedy did not help; undefined: there is none. */
  async #cure(recovery: Recovery, budget: Budget): Promise<'again' | 'cancelled' | TurnProblem | undefined> {
    if (recovery.kind === 'compact') return this.#compact(recovery.targetTokens, recovery.error, budget);
    if (recovery.kind !== 'lower-output') return this.#giveUp(recovery);
    this.#lowerOutput(recovery, budget);
    return 'again';
  }

  async #compact(
    targetTokens: number,
    error: ModelError,
    before: Budget,
  ): Promise<'again' | 'cancelled' | TurnProblem> {
    const { conversation, signal } = this.#context;
    const toolTokens = conversation.toolTokens().tokens;
    // A run's target is for the messages alone by Karl's count, while the budget may be scaled by the server's reports.
    const scale = (conversation.viewTokens() + toolTokens) / Math.max(1, before.used.tokens);
    const target = Math.max(1, Math.floor(targetTokens * scale) - toolTokens);
    this.#calibrate(error, before);
    const refused = conversation.budget();
    const result = await runCompaction(this.#context, { trigger: 'overflow', targetTokens: target });
    if (signal.aborted || result?.kind === 'cancelled') return 'cancelled';
    const after = conversation.budget();
    if (result?.kind === 'compacted' && fitsNow(error, refused, after)) return 'again';
    return this.#overflow({ error, budget: after, compaction: result });
  }

  #giveUp({ kind, error }: Recovery): TurnProblem | undefined {
    const budget = this.#context.conversation.budget();
    if (kind === 'tools-too-large') {
      const tools = weighTools(this.#context.tools.map((tool) => tool.definition));
      return { kind: 'tools-too-large', tools, limitTokens: error.limitTokens ?? budget.limit };
    }
    if (error.kind === 'overflow') return this.#overflow({ error, budget });
    return error.kind === 'output-limit' ? { kind: 'output-limit', error, budget } : undefined;
  }

  #overflow(about: Omit<Extract<TurnProblem, { kind: 'overflow' }>, 'kind' | 'hasPins'>): TurnProblem {
    return { kind: 'overflow', ...about, hasPins: this.#context.conversation.pins().size > 0 };
  }

  /** `before`: the attempts already made for this call. */
  async #askWithRetries(round: number, before: number): Promise<Attempted> {
    const { conversation, client, tools, clock, listener, signal, dress = (view) => view } = this.#context;
    for (let attempt = before + 1; ; attempt += 1) {
      const model = conversation.profile();
      const profile = this.#profile;
      listener.onState?.({ kind: 'asking', round, model: profile.id });
      const budget = conversation.budget();
      const maxTokens = this.#maxTokens(budget);
      const request = {
        profile,
        ...dress({ messages: conversation.request(), tools: tools.map((tool) => tool.definition) }),
        maxTokens,
        ...this.#context.request,
      };
      let passedOn = false;
      const answered = await client.complete(
        request,
        (delta) => {
          passedOn = true;
          if (!signal.aborted) listener.onDelta?.(delta);
        },
        signal,
      );
      if (answered.ok) return { kind: 'reply', reply: answered.value, passedOn, budget, model };
      const { error } = answered.error;
      const mayRetry = this.#context.mayRetry?.() ?? true;
      const delayMs = mayRetry ? planRetry({ error, attempt, passedOn, random: clock.random() }) : undefined;
      if (delayMs === undefined || signal.aborted) {
        return { kind: 'failure', failure: answered.error, attempts: attempt, budget, model };
      }
      listener.onEvent?.({ type: 'retry', model: model.id, attempt, delayMs, error });
      const until = clock.now() + delayMs;
      listener.onState?.({ kind: 'waiting', attempt: attempt + 1, attempts: mostAttempts(error), until, error });
      await clock.sleep(delayMs, signal);
      if (signal.aborted) return { kind: 'failure', failure: answered.error, attempts: attempt, budget, model };
    }
  }
}

/**
 * Compacts before a model call if that is due; otherwise prepares the summary in the background when the threshold is
 * near. Undefined: nothing was due or allowed.
 */
export async function compactWhenDue(context: CallContext): Promise<CompactionResult | undefined> {
  // New messages are counted in slices.
  await context.conversation.ready();
  const trigger = context.conversation.due();
  if (trigger === undefined) {
    if (context.preparesSummaries) context.conversation.prepare(context.signal);
    return undefined;
  }
  return runCompaction(context, { trigger });
}

/** One automatic run, shown as activity; its result is saved. Undefined when the user does not allow it. */
async function runCompaction(
  context: CallContext,
  run: { readonly trigger: Trigger; readonly targetTokens?: number },
): Promise<CompactionResult | undefined> {
  const { conversation, listener, signal } = context;
  if (!(await context.mayCompact(run.trigger, signal))) return undefined;
  listener.onState?.({ kind: 'compacting', trigger: run.trigger });
  let result = await conversation.compact({ ...run, signal });
  // Cancelled because the pins changed, not by the user: run again.
  if (result.kind === 'cancelled' && !signal.aborted) result = await conversation.compact({ ...run, signal });
  if (result.kind === 'compacted') await saveState(context);
  return result;
}

/** Saves derived state. Losing it loses no message, so a failure is only reported. */
export async function saveState({ store, listener }: Pick<CallContext, 'store' | 'listener'>): Promise<void> {
  const saved = await store.saveState();
  if (!saved.ok) listener.onEvent?.({ type: 'warning', message: saved.error.message });
}
