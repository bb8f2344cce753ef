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

/**
 * What the provider charges more for a request because the one before it cannot be read from the cache any more, US
 * dollars: of what both have, the part that was not read from it. 0 where cached input has no price of its own.
 */
export function costOfBrokenCache(
  before: ModelTokens,
  after: ModelTokens,
  price: NonNullable<ModelProfile['price']>,
): number {
  if (price.cacheRead === undefined || before.cached === undefined || before.cached === 0) return 0;
  const missed = Math.max(0, Math.min(before.input, after.input) - (after.cached ?? 0));
  return (missed * (price.input - price.cacheRead)) / 1_000_000;
}

/** US dollars. Prices are dollars per million tokens; input from the cache has its own price where one is known. */
export function costOf({ input, output, cached = 0 }: ModelTokens, price: NonNullable<ModelProfile['price']>): number {
  const fromCache = Math.min(cached, input);
  const read = (input - fromCache) * price.input + fromCache * (price.cacheRead ?? price.input);
  return (read + output * price.output) / 1_000_000;
}
