import type { Budget, LearnedWindow } from '../budget/budget.ts';
import type { CompactionResult } from '../compaction/outcome.ts';
import type { ChatMessage } from '../messages/chat.ts';
import { messagesOf } from '../messages/view.ts';
import type { ModelError } from '../overflow/modelError.ts';
import type { ModelProfile } from '../profile/profile.ts';
import { profileKey } from '../profile/provider.ts';
import { unreachable } from '../result.ts';
import { type Belief, markEcho, weighError } from './belief.ts';
import { runCompaction } from './compactWhenDue.ts';
import { textEnvelope } from './envelope/envelope.ts';
import type { ModelFailure, ModelReply } from './modelClient.ts';
import { findMaxTokens, lowered, withLargerInput } from './outputRoom.ts';
import type { TurnProblem } from './problem.ts';
import { fitsNow, planRecovery, type Recovery, type Tried } from './recovery.ts';
import { mostAttempts, planRetry } from './retry.ts';
import { refusesTools } from './toolSupport.ts';
import { weighTools } from './toolWeight.ts';
import type { CallContext } from './turnContext.ts';

/** How a model call ended, after every retry and cure that it was due. */
export type CallOutcome =
  | { readonly kind: 'reply'; readonly reply: ModelReply }
  | { readonly kind: 'cancelled'; readonly partial?: ChatMessage }
  | { readonly kind: 'failed'; readonly problem: TurnProblem; readonly partial?: ChatMessage };

/** `budget`: of the request that was answered or refused. */
type Attempted =
  | { readonly kind: 'reply'; readonly reply: ModelReply; readonly budget: Budget }
  | { readonly kind: 'failure'; readonly failure: ModelFailure; readonly attempts: number; readonly budget: Budget };

/** The model calls of one turn, or of one relayed request: an instance lives as long as it. Each call has each cure for its size once. */
export class ModelCalls {
  readonly #context: CallContext;

  constructor(context: CallContext) {
    this.#context = context;
  }

  /** Asks the model with what the conversation holds now. `round` counts the calls of the turn from 1. */
  async ask(round: number): Promise<CallOutcome> {
    // Cures do not start the count anew: a call is asked again for passing faults so often and no more.
    let attempts = 0;
    let tried: Tried = { compaction: false, output: false };
    let refusedTools: ModelError | undefined;
    let supposed: { readonly window: LearnedWindow | undefined; readonly error: ModelError } | undefined;
    for (;;) {
      const attempted = await this.#askWithRetries(round, attempts, refusedTools === undefined);
      const { budget } = attempted;
      if (attempted.kind === 'reply') {
        this.#noteAccepted(budget);
        const { used, limit } = budget;
        this.#context.listener.onEvent?.({ type: 'request-answered', tokens: used.tokens, limit });
        if (supposed !== undefined) this.#learn(supposed.window, supposed.error);
        if (refusedTools !== undefined) this.#goOnWithoutTools(refusedTools);
        return attempted;
      }
      const { failure } = attempted;
      attempts = attempted.attempts;
      const { partial } = failure;
      const error = markEcho(failure.error, this.#messages());
      const kept = partial === undefined ? {} : { partial };
      if (this.#context.signal.aborted || error.kind === 'cancelled') return { kind: 'cancelled', ...kept };
      this.#context.listener.onEvent?.({ type: 'model-error', error });
      if (refusesTools(error) && partial === undefined && refusedTools === undefined && this.#sendsTools()) {
        refusedTools = error;
        attempts -= 1;
        continue;
      }
      const belief = weighError(error, budget, this.#context.acceptedSizes.get(this.#model()));
      const recovery = this.#plan(error, belief, budget, tried);
      this.#learn(recovery.learned, error);
      // Content was passed on: asking again would say it twice.
      const ended =
        partial === undefined ? await this.#cure(recovery, belief.error, budget) : this.#giveUp(belief.error, recovery);
      if (ended === 'again') {
        // The request that was refused for its size is replaced, not repeated.
        attempts -= 1;
        if (recovery.kind === 'compact') supposed = { window: recovery.supposed, error };
        tried = {
          compaction: tried.compaction || recovery.kind === 'compact',
          output: tried.output || recovery.kind === 'lower-output',
        };
        continue;
      }
      if (ended === 'cancelled') return { kind: 'cancelled', ...kept };
      const problem = ended ?? { kind: 'model', error, attempts, interrupted: partial !== undefined };
      return { kind: 'failed', problem, ...kept };
    }
  }

  #messages(): readonly ChatMessage[] {
    return messagesOf(this.#context.conversation.items());
  }

  #plan(error: ModelError, belief: Belief, budget: Budget, tried: Tried): Recovery {
    const { conversation, acceptedSizes } = this.#context;
    const accepted = acceptedSizes.get(this.#model());
    // What was taken once and is refused now no longer holds: another server answers, or it was started anew.
    if (error.kind === 'overflow' && accepted !== undefined && accepted >= budget.used.tokens)
      acceptedSizes.delete(this.#model());
    const toolTokens = conversation.toolTokens().tokens;
    const maxTokens = this.#findMaxTokens(budget);
    return planRecovery({ error, belief, budget, maxTokens, toolTokens, accepted, tried });
  }

  #model(): string {
    return profileKey(this.#context.conversation.profile());
  }

  #noteAccepted({ used }: Budget): void {
    const { acceptedSizes, outputLimits } = this.#context;
    const model = this.#model();
    acceptedSizes.set(model, Math.max(used.tokens, acceptedSizes.get(model) ?? 0));
    const limit = outputLimits.get(model);
    if (limit !== undefined) outputLimits.set(model, withLargerInput(limit, used.tokens));
  }

  #learn(window: LearnedWindow | undefined, { evidence, words = evidence }: ModelError): void {
    if (window === undefined) return;
    const { conversation, clock } = this.#context;
    conversation.configure({ learnedWindow: { ...window, at: clock.now(), words } });
  }

  /** The profile of the next request; without `tools` they are described in the prompt (`envelope/`). */
  #profile(tools: boolean): ModelProfile {
    const profile = this.#context.conversation.profile();
    return tools && !this.#context.withoutTools.has(this.#model()) ? profile : { ...profile, tools: false };
  }

  #sendsTools(): boolean {
    return this.#context.tools.length > 0 && textEnvelope(this.#profile(true)) === undefined;
  }

  /** Only a request that went through without them shows that the tools were at fault. */
  #goOnWithoutTools(error: ModelError): void {
    const { conversation, withoutTools, listener } = this.#context;
    withoutTools.add(this.#model());
    listener.onEvent?.({ type: 'tools-refused', model: conversation.profile().id, error });
  }

  #findMaxTokens(budget: Budget): number | undefined {
    const { outputLimits, request } = this.#context;
    return findMaxTokens(outputLimits.get(this.#model()), request?.fields, budget);
  }

  /** Carries a cure out. `again`: ask once more; a problem: the cure did not help; undefined: nothing cures this error. */
  async #cure(
    recovery: Recovery,
    error: ModelError,
    budget: Budget,
  ): Promise<'again' | 'cancelled' | TurnProblem | undefined> {
    switch (recovery.kind) {
      case 'lower-output':
        this.#lower(recovery, budget);
        return 'again';
      case 'compact':
        return this.#compact(recovery.targetTokens, error, budget);
      case 'tools-too-large':
      case 'give-up':
        return this.#giveUp(error, recovery);
      default:
        return unreachable(recovery);
    }
  }

  #lower(recovery: Extract<Recovery, { kind: 'lower-output' }>, budget: Budget): void {
    const { outputLimits } = this.#context;
    outputLimits.set(this.#model(), lowered(outputLimits.get(this.#model()), recovery, budget));
  }

  async #compact(
    targetTokens: number,
    error: ModelError,
    before: Budget,
  ): Promise<'again' | 'cancelled' | TurnProblem> {
    const { conversation, signal } = this.#context;
    const toolTokens = conversation.toolTokens().tokens;
    // A run's target is of the messages alone, as Karl counts them; the budget may be scaled by the server's reports.
    const scale = (conversation.viewTokens() + toolTokens) / Math.max(1, before.used.tokens);
    const target = Math.max(1, Math.floor(targetTokens * scale) - toolTokens);
    const result = await runCompaction(this.#context, { trigger: 'overflow', targetTokens: target });
    if (signal.aborted || result?.kind === 'cancelled') return 'cancelled';
    const after = conversation.budget();
    if (result?.kind === 'compacted' && fitsNow(error, before, after)) return 'again';
    return { kind: 'overflow', error, budget: after, ...compactionOf(result) };
  }

  #giveUp(error: ModelError, recovery: Recovery): TurnProblem | undefined {
    const budget = this.#context.conversation.budget();
    if (recovery.kind === 'tools-too-large') {
      const tools = weighTools(this.#context.tools.map((tool) => tool.definition));
      return { kind: 'tools-too-large', tools, limitTokens: error.limitTokens ?? budget.limit };
    }
    if (error.kind === 'overflow') return { kind: 'overflow', error, budget };
    return error.kind === 'output-limit' ? { kind: 'output-limit', error, budget } : undefined;
  }

  /** `before`: attempts that this call has already cost; `withTools`: the server may be sent tool definitions. */
  async #askWithRetries(round: number, before: number, withTools: boolean): Promise<Attempted> {
    const { conversation, client, tools, clock, listener, signal, dress = (messages) => messages } = this.#context;
    for (let attempt = before + 1; ; attempt += 1) {
      listener.onState?.({ kind: 'asking', round });
      const budget = conversation.budget();
      const profile = this.#profile(withTools);
      const maxTokens = this.#findMaxTokens(budget);
      const request = {
        profile,
        messages: dress(conversation.request()),
        tools: tools.map((tool) => tool.definition),
        ...(maxTokens === undefined ? {} : { maxTokens }),
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
      if (answered.ok) return { kind: 'reply', reply: answered.value, budget };
      const { error } = answered.error;
      const isLast = attempt >= (this.#context.mostAttempts ?? Number.POSITIVE_INFINITY);
      const delayMs = isLast ? undefined : planRetry({ error, attempt, passedOn, random: clock.random() });
      if (delayMs === undefined || signal.aborted) {
        return { kind: 'failure', failure: answered.error, attempts: attempt, budget };
      }
      listener.onEvent?.({ type: 'retry', attempt, delayMs, error });
      const until = clock.now() + delayMs;
      listener.onState?.({ kind: 'waiting', attempt: attempt + 1, attempts: mostAttempts(error), until, error });
      await clock.sleep(delayMs, signal);
      if (signal.aborted) return { kind: 'failure', failure: answered.error, attempts: attempt, budget };
    }
  }
}

function compactionOf(result: CompactionResult | undefined): { compaction?: CompactionResult } {
  return result === undefined ? {} : { compaction: result };
}
