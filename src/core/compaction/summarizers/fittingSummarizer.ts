import { classifyModelError } from '../../overflow/classify.ts';
import type { ModelError } from '../../overflow/modelError.ts';
import type { Summarizer, SummaryText } from './summarizer.ts';

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
