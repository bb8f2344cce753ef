import type { Usage } from '../messages/chat.ts';
import type { Summarizer, SummaryText } from './summarizers/summarizer.ts';

/** Tokens of requests to a model, as its server reported them. */
export interface ModelTokens {
  readonly input: number;
  readonly output: number;
  /** How much of the input came from the provider's cache, where the server says so. */
  readonly cached?: number;
}

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

/** A summarizer that records what asking it costs. */
export class MeteredSummarizer implements Summarizer {
  readonly #summarizer: Summarizer;
  readonly #answers: (ModelTokens | undefined)[] = [];
  #calls = 0;

  constructor(summarizer: Summarizer) {
    this.#summarizer = summarizer;
  }

  get model(): string {
    return this.#summarizer.model;
  }

  get inputLimit(): number {
    return this.#summarizer.inputLimit;
  }

  get outputLimit(): number {
    return this.#summarizer.outputLimit ?? Number.POSITIVE_INFINITY;
  }

  /** The cost of all requests so far. */
  get use(): ModelUse {
    const { model, price } = this.#summarizer;
    const known = this.#answers.filter((tokens) => tokens !== undefined);
    if (known.length === 0 || known.length < this.#answers.length) return { model, calls: this.#calls };
    const tokens = known.reduce(addTokens);
    return { model, calls: this.#calls, tokens, ...(price !== undefined && { cost: costOf(tokens, price) }) };
  }

  async write(request: Parameters<Summarizer['write']>[0]): Promise<SummaryText> {
    this.#calls += 1;
    const written = await this.#summarizer.write(request);
    this.#answers.push(readTokens(written.usage));
    return written;
  }
}

/** The sum of two uses, under the model name of the first. */
export function addUse(one: ModelUse, other: ModelUse): ModelUse {
  const { model } = one;
  const calls = one.calls + other.calls;
  if (one.calls === 0 || other.calls === 0) return { ...(one.calls === 0 ? other : one), calls };
  if (one.tokens === undefined || other.tokens === undefined) return { model, calls };
  const cost = one.cost === undefined || other.cost === undefined ? {} : { cost: one.cost + other.cost };
  return { model, calls, tokens: addTokens(one.tokens, other.tokens), ...cost };
}

function readTokens(usage: Usage | undefined): ModelTokens | undefined {
  const { prompt_tokens: input, completion_tokens: output } = usage ?? {};
  if (input === undefined || output === undefined) return undefined;
  const cached = usage?.prompt_tokens_details?.cached_tokens;
  return { input, output, ...(cached !== undefined && { cached }) };
}

function addTokens(one: ModelTokens, other: ModelTokens): ModelTokens {
  const cached = one.cached === undefined && other.cached === undefined ? {} : { cached: sumCached(one, other) };
  return { input: one.input + other.input, output: one.output + other.output, ...cached };
}

function sumCached(one: ModelTokens, other: ModelTokens): number {
  return (one.cached ?? 0) + (other.cached ?? 0);
}

/** Prices are dollars per million tokens; input from the cache has its own price where one is known. */
function costOf({ input, output, cached = 0 }: ModelTokens, price: NonNullable<Summarizer['price']>): number {
  const fromCache = Math.min(cached, input);
  const read = (input - fromCache) * price.input + fromCache * (price.cacheRead ?? price.input);
  return (read + output * price.output) / 1_000_000;
}
