import type { ModelError } from '../../model/classify.ts';
import { classifyModelError } from '../../model/classify.ts';
import { costOf, type ModelTokens, readTokens } from '../../model/cost.ts';
import { withoutUndefined } from '../../result.ts';
import { type Summarizer, SummaryRefused, type SummaryText } from './summarizer.ts';

/** What asking a model for notes took. */
export interface ModelUse {
  readonly model: string;
  /** Requests, including those that were refused. */
  readonly calls: number;
  /** Absent when the server did not report on every answer: a partial sum would look like the whole. */
  readonly tokens?: ModelTokens;
  /** US dollars, where the tokens and the model's price are known. */
  readonly cost?: number;
}

/** The share of a stated limit that is used: the server may count differently than Karl. */
const SAFE_SHARE = 0.9;
/** The share of the limit that is used next when the server does not say how much fits. */
const BLIND_SHARE = 0.5;
/** A smaller input limit has no room for a note, and a smaller answer is none. Tokens. */
const LEAST = { input: 1_024, output: 256 };
/** The most times that a limit is lowered in one run. */
const MOST_REFUSALS = 2;

/**
 * The summarizer of one run: it records what asking costs, and lowers its limits when the server refuses a request, or
 * the requested answer, as too long (law 10): to a little less than the refusal states, else to half.
 */
export class AskedModel implements Summarizer {
  readonly #summarizer: Summarizer;
  readonly #answers: (ModelTokens | undefined)[] = [];
  #calls = 0;
  #limits = { input: Number.POSITIVE_INFINITY, output: Number.POSITIVE_INFINITY };
  #refusals = 0;
  #mayRetry = false;

  constructor(summarizer: Summarizer) {
    this.#summarizer = summarizer;
  }

  get model(): string {
    return this.#summarizer.model;
  }

  get inputLimit(): number {
    return Math.min(this.#summarizer.inputLimit, this.#limits.input);
  }

  get outputLimit(): number {
    return Math.min(this.#summarizer.outputLimit ?? Number.POSITIVE_INFINITY, this.#limits.output);
  }

  /** The cost of all requests so far. */
  get use(): ModelUse {
    const { model, price } = this.#summarizer;
    const known = this.#answers.filter((tokens) => tokens !== undefined);
    const isKnown = known.length > 0 && known.length === this.#answers.length;
    const tokens = isKnown ? known.reduce(addTokens) : undefined;
    const cost = tokens === undefined || price === undefined ? undefined : costOf(tokens, price);
    return withoutUndefined<ModelUse>({ model, calls: this.#calls, tokens, cost });
  }

  /** Whether the last request was refused for its length and a shorter one may be tried; resets the answer. */
  takeRefusal(): boolean {
    const was = this.#mayRetry;
    this.#mayRetry = false;
    return was;
  }

  async write(request: Parameters<Summarizer['write']>[0]): Promise<SummaryText> {
    this.#calls += 1;
    try {
      const written = await this.#summarizer.write(request);
      this.#answers.push(readTokens(written.usage));
      return written;
    } catch (error) {
      if (!request.signal.aborted) this.#shrink(error, request.maxTokens);
      throw error;
    }
  }

  #shrink(thrown: unknown, asked: number): void {
    const error = (thrown instanceof SummaryRefused ? thrown.modelError : undefined) ?? classifyModelError(thrown);
    const lower = { ...this.#limits };
    if (error.kind === 'overflow')
      lower.input = Math.floor(Math.min(statedRoom(error, this.inputLimit), this.inputLimit * SAFE_SHARE));
    else if (error.kind === 'output-limit')
      lower.output = Math.floor(Math.min(error.outputLimitTokens ?? asked * BLIND_SHARE, asked - 1));
    else return;
    if (this.#refusals >= MOST_REFUSALS || lower.input < LEAST.input || lower.output < LEAST.output) return;
    this.#limits = lower;
    this.#refusals += 1;
    this.#mayRetry = true;
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

/** The sum of two uses, under the model name of the first that asked. */
export function addUse(one: ModelUse, other: ModelUse): ModelUse {
  if (one.calls === 0) return other;
  if (other.calls === 0) return one;
  const isKnown = one.tokens !== undefined && other.tokens !== undefined;
  return withoutUndefined<ModelUse>({
    model: one.model,
    calls: one.calls + other.calls,
    tokens: isKnown ? addTokens(one.tokens, other.tokens) : undefined,
    cost: isKnown && one.cost !== undefined && other.cost !== undefined ? one.cost + other.cost : undefined,
  });
}

function addTokens(one: ModelTokens, other: ModelTokens): ModelTokens {
  const isCached = one.cached !== undefined || other.cached !== undefined;
  return withoutUndefined<ModelTokens>({
    input: one.input + other.input,
    output: one.output + other.output,
    cached: isCached ? (one.cached ?? 0) + (other.cached ?? 0) : undefined,
  });
}
