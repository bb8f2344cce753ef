import { inEnglish } from '../language.ts';
import type { Usage } from '../messages/chat.ts';
import type { Budget, LearnedWindow } from '../model/budget.ts';
import type { ModelError } from '../model/classify.ts';
import type { ModelProfile } from '../model/profile.ts';
import { profileKey } from '../model/providers.ts';
import { textEnvelope } from './envelope/envelope.ts';
import { findMaxTokens, lowered, type Recovery, refusedInput, withLargerInput } from './recovery.ts';
import type { CallContext } from './turnContext.ts';

/** The model that refused a request, and why. */
export interface Refusal {
  readonly model: ModelProfile;
  readonly error: ModelError;
}

/** Whether both are the same model of the same server. */
export function isSameModel(one: ModelProfile, other: ModelProfile): boolean {
  return profileKey(one) === profileKey(other);
}

/**
 * What the model calls of a turn learn from answers and refusals, and how it changes the next request. What a refusal
 * merely suggests is learned once the same model has answered the request without what it refused.
 */
export class Lessons {
  readonly #context: CallContext;
  #refusedTools: Refusal | undefined;
  #supposed: (Refusal & { readonly window: LearnedWindow | undefined }) | undefined;

  constructor(context: CallContext) {
    this.#context = context;
  }

  /** The largest request, in tokens, that the conversation's model has accepted; undefined: none yet. */
  get accepted(): number | undefined {
    return this.#context.conversation.acceptedSizes.get(this.#key());
  }

  /** The profile for the next request. For a model without tool support, the prompt describes the tools (`envelope/`). */
  get profile(): ModelProfile {
    const profile = this.#context.conversation.profile();
    const isRefused = this.#refusedTools !== undefined && isSameModel(this.#refusedTools.model, profile);
    return isRefused || this.#context.withoutTools.has(this.#key()) ? { ...profile, tools: false } : profile;
  }

  /** Whether the next request carries tool definitions. */
  get sendsTools(): boolean {
    return this.#context.tools.length > 0 && textEnvelope(this.profile) === undefined;
  }

  /** The output limit of the next request, tokens; undefined: the server's default. */
  maxTokens(budget: Budget): number | undefined {
    const { outputLimits, request } = this.#context;
    return findMaxTokens(outputLimits.get(this.#key()), request?.fields, budget);
  }

  /**
   * Learns from an answer to a request with this budget. True when the report shows that the server cut the request;
   * then nothing else is learned.
   */
  noteAnswer(model: ModelProfile, { used }: Budget, usage: Usage | undefined): boolean {
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
    if (supposed !== undefined && isSameModel(supposed.model, model)) this.learnWindow(supposed.window, supposed);
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
  noteOverflow({ used }: Budget): void {
    const { acceptedSizes } = this.#context.conversation;
    if (this.accepted !== undefined && this.accepted >= used.tokens) acceptedSizes.delete(this.#key());
  }

  /** Sends the next request to this model without tools. */
  doWithoutTools(refusal: Refusal): void {
    this.#refusedTools = refusal;
  }

  /** Makes the next request ask for less output. */
  lowerOutput(recovery: Extract<Recovery, { kind: 'lower-output' }>, budget: Budget): void {
    const { outputLimits } = this.#context;
    outputLimits.set(this.#key(), lowered(outputLimits.get(this.#key()), recovery, budget));
  }

  /** Learns a window, unless the conversation has changed to another model. */
  learnWindow(window: LearnedWindow | undefined, { model, error }: Refusal): void {
    const { conversation, clock } = this.#context;
    if (window === undefined || !isSameModel(model, conversation.profile())) return;
    const { evidence, words = inEnglish(evidence) } = error;
    conversation.configure({ learnedWindow: { ...window, at: clock.now(), words } });
  }

  /** Remembers a window, which is learned if the model answers the shorter request. */
  supposeWindow(window: LearnedWindow | undefined, refusal: Refusal): void {
    this.#supposed = { ...refusal, window };
  }

  /** Learns the server's counting from a refusal if it reports no usage; otherwise it would refuse each full window. */
  calibrate(error: ModelError, { used }: Budget): void {
    const { conversation } = this.#context;
    const input = error.lowerBound === true ? undefined : refusedInput(error);
    if (input === undefined || input <= used.tokens || conversation.usage().calibration.reports > 0) return;
    conversation.reportUsage({ prompt_tokens: input });
  }

  #key(): string {
    return profileKey(this.#context.conversation.profile());
  }
}
