import { classifyModelError } from '../../overflow/classify.ts';
import type { ModelError } from '../../overflow/modelError.ts';
import type { Summarizer, SummaryText } from './summarizer.ts';

/** A request for a note that the model's server refused, classified. */
export class SummaryRefused extends Error {
  override readonly name = 'SummaryRefused';
  readonly modelError: ModelError;

  constructor(message: string, modelError: ModelError) {
    super(message);
    this.modelError = modelError;
  }
}

/** Room that is left below a stated limit: the server counts differently than Karl. */
const SAFE_SHARE = 0.9;
/** What remains of the limit when the server does not say how much fits. */
const BLIND_SHARE = 0.5;
/** A smaller limit than this has no room for a note, tokens. */
const LEAST_LIMIT = 1_024;
/** A smaller answer than this is no note, tokens. */
const LEAST_OUTPUT = 256;
/** How often a limit is lowered in one run. */
const MOST_REFUSALS = 2;

/**
 * A summarizer whose limits shrink when its server finds a request too long (law 10), or the answer that was asked
 * for: to what the refusal states, else by half. `retryable` says that the last refusal made room for another try.
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

  /** Whether the last request was refused for a length and a shorter one may be tried; asking forgets it. */
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

/** Tokens of Karl's count that fit the stated limit; half of the old limit where none is stated. */
function statedRoom({ actualTokens, limitTokens, outputTokens = 0 }: ModelError, limit: number): number {
  if (limitTokens === undefined) return limit * BLIND_SHARE;
  const input = actualTokens === undefined ? 0 : actualTokens - outputTokens;
  // The request was at most `limit` long by Karl's count.
  const scale = input > limit ? limit / input : 1;
  return limitTokens * scale * SAFE_SHARE;
}
