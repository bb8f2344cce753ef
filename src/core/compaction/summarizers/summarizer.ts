import type { ChatMessage, Usage } from '../../messages/chat.ts';
import type { ModelProfile } from '../../profile/profile.ts';

/** What a model wrote. `complete` is false when it stopped at its limit (`finish_reason: length`). */
export interface SummaryText {
  readonly text: string;
  readonly complete: boolean;
  /** What the request took, where the server reported it. */
  readonly usage?: Usage;
}

/**
 * A model that writes notes. A port: the host puts a model client behind it, the engine the caller's function.
 * Contract: never changes its input; rejects when no text can be had; stops when `signal` aborts.
 */
export interface Summarizer {
  /** Named in the receipt. */
  readonly model: string;
  /** Tokens that it takes in with one request. */
  readonly inputLimit: number;
  /** Tokens that it gives out in one reply, where known. */
  readonly outputLimit?: number;
  /** US dollars for a million tokens, where known. */
  readonly price?: ModelProfile['price'] | undefined;
  write(request: {
    readonly messages: readonly ChatMessage[];
    readonly maxTokens: number;
    readonly signal: AbortSignal;
  }): Promise<SummaryText>;
}
