import type { ChatMessage, Usage } from '../chat/wire.ts';
import type { CompactionResult, Trigger } from '../compaction/compaction.ts';
import type { Budget, LearnedWindow } from '../model/budget.ts';
import type { ModelError } from '../model/classify.ts';
import type { ModelReply } from '../model/modelClient.ts';
import type { ModelProfile } from '../model/profile.ts';
import { profileKey } from '../model/providers.ts';
import {
  findMaxTokens,
  fitsNow,
  markEcho,
  narrowed,
  planRecovery,
  type Recovery,
  type Refusal,
  refusedInput,
} from '../model/recovery.ts';
import { mostAttempts, planRetry } from '../model/retry.ts';
import { textEnvelope } from './envelope/envelope.ts';
import type { CallContext, TurnProblem } from './turnContext.ts';

/** How a model call ended, after all retries and remedies. */
export type CallOutcome =
  | { readonly kind: 'reply'; readonly reply: ModelReply }
  | { readonly kind: 'cancelled'; readonly partial: ChatMessage | undefined }
  | { readonly kind: 'failed'; readonly problem: TurnProblem; readonly partial?: ChatMessage | undefined };

/** The names of the three longest tool definitions. */
function findLargest(tools: CallContext['tools']): readonly string[] {
  const bySize = tools.map(({ definition }) => ({ definition, size: JSON.stringify(definition).length }));
  bySize.sort((left, right) => right.size - left.size);
  return bySize.slice(0, 3).map(({ definition }) => definition.function?.name ?? definition.type);
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

/** What a refusal suggests about a model. `key`: the model, as `profileKey` has it. */
interface Suspicion {
  readonly key: string;
  readonly error: ModelError;
  readonly about: NonNullable<Recovery['supposed']>;
}

/**
 * The model calls of one turn or one relayed request. Each call tries each remedy for its size once. Answers and
 * refusals teach how the next request must be; what a refusal merely suggests is learned once the same model has
 * answered the request without what it refused.
 */
export class ModelCalls {
  readonly #context: CallContext;
  /** Learned, or forgotten, with the next answer. */
  readonly #suspicions: Suspicion[] = [];

  constructor(context: CallContext) {
    this.#context = context;
  }

  /** Asks the model. `round` counts the calls of the turn from 1. */
  async ask(round: number): Promise<CallOutcome> {
    const { conversation, clock, listener, signal, takesBack, mayRetry } = this.#context;
    const before = conversation.budget();
    if (isHopeless(before)) return { kind: 'failed', problem: this.#overflow({ budget: before }) };
    // Counts the attempts that temporary faults cost: a remedy replaces the refused request.
    let attempt = 1;
    const tried = new Set<Recovery['kind']>();
    for (;;) {
      // Another model may be chosen while this one is asked.
      const [model, budget] = [conversation.profile(), conversation.budget()];
      listener.onState?.({ kind: 'asking', round, model: model.id });
      const { answered, passedOn } = await this.#send(budget);
      if (answered.ok) {
        const { used, limit } = budget;
        listener.onEvent?.({ type: 'request-answered', model: model.id, tokens: used.tokens, limit });
        const outcome = { kind: 'reply', reply: answered.value } as const;
        // After an abort the conversation may have continued, so its figures may no longer refer to this request.
        if (signal.aborted || !this.#noteAnswer(model, used.tokens, answered.value.usage)) return outcome;
        // The server cut the request, so the answer refers to only part of it. It stays if it cannot be taken back.
        if (tried.has('compact') || (passedOn && !takesBack)) return outcome;
        tried.add('compact');
        const result = await runCompaction(this.#context, { trigger: 'overflow' });
        if (result?.kind !== 'compacted' || signal.aborted) return outcome;
        continue;
      }
      const { partial, error: fault } = answered.error;
      // A retry would repeat the part of the reply that was passed on.
      const isAllowed = !passedOn && mayRetry?.() !== false;
      const delayMs = isAllowed ? planRetry(fault, attempt, clock.random()) : undefined;
      if (delayMs !== undefined && !signal.aborted) {
        listener.onEvent?.({ type: 'retry', model: model.id, attempt, delayMs, error: fault });
        attempt += 1;
        const until = clock.now() + delayMs;
        listener.onState?.({ kind: 'waiting', attempt, attempts: mostAttempts(fault), until, error: fault });
        await clock.sleep(delayMs, signal);
        if (!signal.aborted) continue;
      }
      const error = markEcho(fault, conversation.viewMessages());
      if (signal.aborted || error.kind === 'cancelled') return { kind: 'cancelled', partial };
      listener.onEvent?.({ type: 'model-error', model: model.id, error });
      const key = profileKey(model);
      if (partial === undefined && key !== this.#key) {
        // Another model was chosen meanwhile: ask it.
        tried.clear();
        continue;
      }
      const recovery = this.#plan(error, budget, tried);
      this.#learnWindow(recovery.learned, key, error);
      // Asking again would repeat the content that was already passed on.
      const cured = partial === undefined ? await this.#cure(recovery, budget) : undefined;
      if (cured === 'cancelled') return { kind: 'cancelled', partial };
      if (cured !== 'again')
        return { kind: 'failed', problem: cured ?? this.#problemOf(recovery, attempt, partial !== undefined), partial };
      if (recovery.supposed !== undefined) this.#suspicions.push({ key, error, about: recovery.supposed });
      tried.add(recovery.kind);
    }
  }

  async #send(budget: Budget) {
    const { conversation, client, tools, listener, signal, request, prepare = (view) => view } = this.#context;
    const view = { messages: conversation.request(), tools: tools.map(({ definition }) => definition) };
    let passedOn = false;
    const answered = await client.complete(
      { profile: this.#profile, ...prepare(view), maxTokens: this.#maxTokens(budget), ...request },
      (delta) => {
        passedOn = true;
        if (!signal.aborted) listener.onDelta?.(delta);
      },
      signal,
    );
    return { answered, passedOn };
  }

  /** The model of the next request, as `profileKey` has it. */
  get #key(): string {
    return profileKey(this.#context.conversation.profile());
  }

  /** The profile for the next request. Without tool support, the prompt describes the tools (`envelope/`). */
  get #profile(): ModelProfile {
    const key = this.#key;
    const isRefused = this.#suspicions.some((one) => one.key === key && one.about === 'no-tools');
    const profile = this.#context.conversation.profile();
    return isRefused || this.#context.withoutTools.has(key) ? { ...profile, tools: false } : profile;
  }

  /** The output limit of the next request, tokens; undefined: the server's default. */
  #maxTokens(budget: Budget): number | undefined {
    return findMaxTokens(this.#context.outputLimits.get(this.#key), this.#context.request?.fields, budget);
  }

  /** Learns from the answer to a request of `used` tokens; true, and nothing else, if the server cut the request. */
  #noteAnswer(model: ModelProfile, used: number, usage: Usage | undefined): boolean {
    const { withoutTools, listener, conversation } = this.#context;
    const { acceptedSizes } = conversation;
    const key = profileKey(model);
    if (usage !== undefined && key === this.#key && conversation.reportUsage(usage)) {
      acceptedSizes.delete(key);
      return true;
    }
    acceptedSizes.set(key, Math.max(used, acceptedSizes.get(key) ?? 0));
    for (const { about, error } of this.#suspicions.splice(0).filter((one) => one.key === key)) {
      if (about !== 'no-tools') this.#learnWindow(about, key, error);
      else {
        withoutTools.add(key);
        listener.onEvent?.({ type: 'tools-refused', model: model.id, error });
      }
    }
    return false;
  }

  /** Learns a window, unless the conversation has changed to another model. */
  #learnWindow(window: LearnedWindow | undefined, key: string, error: ModelError): void {
    const { conversation, clock } = this.#context;
    if (window === undefined || key !== this.#key) return;
    const words = error.words ?? (typeof error.evidence === 'string' ? error.evidence : undefined);
    conversation.configure({ learnedWindow: { ...window, at: clock.now(), ...(words !== undefined && { words }) } });
  }

  /** Learns the server's counting from a refusal if it reports no usage; otherwise it would refuse each full window. */
  #calibrate(error: ModelError, { used }: Budget): void {
    const { conversation } = this.#context;
    const input = error.lowerBound === true ? undefined : refusedInput(error);
    if (input === undefined || input <= used.tokens || conversation.usage().calibration.reports > 0) return;
    conversation.reportUsage({ prompt_tokens: input });
  }

  #plan(error: ModelError, budget: Budget, tried: Refusal['tried']): Recovery {
    const { conversation } = this.#context;
    const accepted = conversation.acceptedSizes.get(this.#key);
    // A larger size that was accepted before is forgotten: the server was replaced or restarted.
    if (error.kind === 'overflow' && accepted !== undefined && accepted >= budget.used.tokens)
      conversation.acceptedSizes.delete(this.#key);
    const maxTokens = this.#maxTokens(budget);
    const toolTokens = conversation.toolTokens().tokens;
    const sendsTools = this.#context.tools.length > 0 && textEnvelope(this.#profile) === undefined;
    return planRecovery({ error, budget, maxTokens, toolTokens, sendsTools, accepted, tried });
  }

  /** Carries out a remedy. `again`: ask once more; a problem: the remedy did not help; undefined: there is none. */
  async #cure(recovery: Recovery, budget: Budget): Promise<'again' | 'cancelled' | TurnProblem | undefined> {
    if (recovery.kind === 'compact') return this.#compact(recovery.targetTokens, recovery.error, budget);
    if (recovery.kind === 'tools-too-large' || recovery.kind === 'give-up') return undefined;
    const { outputLimits } = this.#context;
    if (recovery.kind === 'lower-output')
      outputLimits.set(this.#key, narrowed(outputLimits.get(this.#key), recovery.limit));
    return 'again';
  }

  async #compact(targetTokens: number, error: ModelError, before: Budget) {
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

  /** Why there is no remedy. */
  #problemOf({ kind, error }: Recovery, attempts: number, interrupted: boolean): TurnProblem {
    const { conversation } = this.#context;
    const budget = conversation.budget();
    if (kind === 'tools-too-large')
      return {
        kind,
        tokens: conversation.toolTokens().tokens,
        largest: findLargest(this.#context.tools),
        limitTokens: error.limitTokens ?? budget.limit,
      };
    if (error.kind === 'overflow') return this.#overflow({ error, budget });
    if (error.kind === 'output-limit') return { kind: 'output-limit', error, budget };
    const hasImages = conversation
      .viewMessages()
      .some(({ content }) => Array.isArray(content) && content.some(({ type }) => type === 'image_url'));
    return { kind: 'model', error, attempts, interrupted, hasImages };
  }

  #overflow(about: Omit<Extract<TurnProblem, { kind: 'overflow' }>, 'kind' | 'hasPins'>): TurnProblem {
    return { kind: 'overflow', ...about, hasPins: this.#context.conversation.pins().size > 0 };
  }
}

/** Compacts if that is due; otherwise prepares a summary near the threshold. Undefined: nothing was due or allowed. */
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
