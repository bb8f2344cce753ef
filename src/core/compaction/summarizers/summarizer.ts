import type { Usage } from '../../messages/chat.ts';
import { classifyModelError, type ModelError } from '../../model/classify.ts';
import type { ModelProfile } from '../../model/profile.ts';

/** What a model wrote. `complete` is false when it was cut off at its limit (`finish_reason: length`). */
export interface SummaryText {
  readonly text: string;
  readonly complete: boolean;
  /** What the request took, where the server reported it. */
  readonly usage?: Usage;
}

/** An answer may take at most this share of the summarizer's window. */
export const ANSWER_SHARE = 0.25;

/** A message of a request for a note: always plain text. */
export type PromptMessage = { readonly role: 'system' | 'user' | 'assistant'; readonly content: string };

/**
 * A model that writes notes. A port: the host implements it with a model client, the engine with the caller's function.
 * Contract: never changes its input; rejects when it gets no text; stops when `signal` aborts.
 */
export interface Summarizer {
  /** Its name in the receipt. */
  readonly model: string;
  /** The most tokens of one request. */
  readonly inputLimit: number;
  /** The most tokens of one reply, where known. */
  readonly outputLimit?: number;
  /** US dollars per million tokens, where known. */
  readonly price?: ModelProfile['price'] | undefined;
  write(request: {
    readonly messages: readonly PromptMessage[];
    readonly maxTokens: number;
    readonly signal: AbortSignal;
  }): Promise<SummaryText>;
}

const TAG = 'think(?:ing)?|thought|reasoning';
/** What a model thought, between marks of its own: a block, one that was never closed, or one that never was opened. */
const BLOCK = new RegExp(String.raw`^[ \t]*<(${TAG})>[\s\S]*?</\1>`, 'gim');
const UNCLOSED = new RegExp(String.raw`^\s*<(?:${TAG})>[\s\S]*$`, 'i');
const UNOPENED = new RegExp(String.raw`^(?:(?!<(?:${TAG})>)[\s\S])*?</(?:${TAG})>[ \t]*(?=\n|$)`, 'i');

/** A model's answer without what it thought before it wrote: some servers leave that in the text. */
export function withoutThinking(answer: string): string {
  if (!answer.includes('<')) return answer;
  return answer.replace(BLOCK, '').replace(UNCLOSED, '').replace(UNOPENED, '').trim();
}

/** Thrown when the model's server refused a request for a note; has the error classified. */
export class SummaryRefused extends Error {
  override readonly name = 'SummaryRefused';
  readonly modelError: ModelError;

  constructor(message: string, modelError: ModelError) {
    super(message);
    this.modelError = modelError;
  }
}

/** The share of a stated limit that is used: the server may count differently than Karl. */
const SAFE_SHARE = 0.9;
/** The share of the limit that is used next when the server does not say how much fits. */
const BLIND_SHARE = 0.5;
/** A smaller limit has no room for a note. Tokens. */
const LEAST_LIMIT = 1_024;
/** A smaller answer is not a note. Tokens. */
const LEAST_OUTPUT = 256;
/** The most times that a limit is lowered in one run. */
const MOST_REFUSALS = 2;

/**
 * A summarizer whose limits shrink when its server refuses a request as too long (law 10), or the requested answer: to
 * a little less than the refusal states, else to half.
 */
export class FittingSummarizer implements Summarizer {
  readonly #summarizer: Summarizer;
  #inputLimit: number;
  #outputLimit: number;
  #refusals = 0;
  #retryable = false;

  constructor(summarizer: Summarizer) {
    this.#summarizer = summarizer;
    this.#inputLimit = summarizer.inputLimit;
    this.#outputLimit = summarizer.outputLimit ?? Number.POSITIVE_INFINITY;
  }

  get model(): string {
    return this.#summarizer.model;
  }

  get inputLimit(): number {
    return this.#inputLimit;
  }

  get outputLimit(): number {
    return this.#outputLimit;
  }

  /** Whether the last request was refused for its length and a shorter one may be tried; resets the answer. */
  takeRefusal(): boolean {
    const was = this.#retryable;
    this.#retryable = false;
    return was;
  }

  async write(request: Parameters<Summarizer['write']>[0]): Promise<SummaryText> {
    try {
      return await this.#summarizer.write(request);
    } catch (error) {
      if (!request.signal.aborted) this.#shrink(error, request.maxTokens);
      throw error;
    }
  }

  #shrink(thrown: unknown, asked: number): void {
    const error = thrown instanceof SummaryRefused ? thrown.modelError : classifyModelError(thrown);
    if (this.#refusals >= MOST_REFUSALS) return;
    if (error.kind === 'overflow') this.#retryable = this.#lowerInput(error);
    if (error.kind === 'output-limit') this.#retryable = this.#lowerOutput(error, asked);
    if (this.#retryable) this.#refusals += 1;
  }

  #lowerInput(error: ModelError): boolean {
    const lower = Math.min(statedRoom(error, this.#inputLimit), this.#inputLimit * SAFE_SHARE);
    if (lower < LEAST_LIMIT) return false;
    this.#inputLimit = Math.floor(lower);
    return true;
  }

  #lowerOutput({ outputLimitTokens }: ModelError, asked: number): boolean {
    const lower = Math.min(outputLimitTokens ?? asked * BLIND_SHARE, asked - 1);
    if (lower < LEAST_OUTPUT) return false;
    this.#outputLimit = Math.floor(lower);
    return true;
  }
}

/** The stated limit in tokens as Karl counts them; half of the old limit when none is stated. */
function statedRoom({ actualTokens, limitTokens, outputTokens = 0 }: ModelError, limit: number): number {
  if (limitTokens === undefined) return limit * BLIND_SHARE;
  const input = actualTokens === undefined ? 0 : actualTokens - outputTokens;
  // By Karl's count the request had at most `limit` tokens, so the server counts this much more.
  const scale = input > limit ? limit / input : 1;
  return limitTokens * scale * SAFE_SHARE;
}
