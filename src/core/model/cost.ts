import type { Usage } from '../messages/chat.ts';
import type { ModelProfile } from './profile.ts';

/** Tokens of requests to a model, as its server reported them. */
export interface ModelTokens {
  readonly input: number;
  readonly output: number;
  /** How much of the input came from the provider's cache, where the server says so. */
  readonly cached?: number;
}

/** The tokens of a request and its answer; undefined where the server does not report them. */
export function readTokens(usage: Usage | undefined): ModelTokens | undefined {
  const { prompt_tokens: input, completion_tokens: output, prompt_tokens_details: details } = usage ?? {};
  if (input === undefined || output === undefined) return undefined;
  return { input, output, ...(details?.cached_tokens !== undefined && { cached: details.cached_tokens }) };
}

/** US dollars. Prices are dollars per million tokens; input from the cache has its own price where one is known. */
export function costOf({ input, output, cached = 0 }: ModelTokens, price: NonNullable<ModelProfile['price']>): number {
  const fromCache = Math.min(cached, input);
  const read = (input - fromCache) * price.input + fromCache * (price.cacheRead ?? price.input);
  return (read + output * price.output) / 1_000_000;
}
