import type { Usage } from '../chat/wire.ts';
import type { ModelProfile } from './profile.ts';

type Price = NonNullable<ModelProfile['price']>;

/** The tokens of a request as the server reported them. */
export interface ModelTokens {
  readonly input: number;
  readonly output: number;
  /** The part of the input that came from the provider's cache, if the server reports it. */
  readonly cached?: number;
}

/** The tokens of a request and its answer; undefined if the server does not report them. */
export function readTokens(usage: Usage | undefined): ModelTokens | undefined {
  const { prompt_tokens: input, completion_tokens: output, prompt_tokens_details: details } = usage ?? {};
  if (input === undefined || output === undefined) return undefined;
  return { input, output, ...(details?.cached_tokens !== undefined && { cached: details.cached_tokens }) };
}

/**
 * The extra cost of a request whose predecessor is no longer in the provider's cache: that of the shared input that was
 * not read from the cache. 0 if cached input has no price of its own. US dollars.
 */
export function costOfBrokenCache(before: ModelTokens, after: ModelTokens, price: Price): number {
  if (price.cacheRead === undefined || before.cached === undefined || before.cached === 0) return 0;
  const missed = Math.max(0, Math.min(before.input, after.input) - (after.cached ?? 0));
  return (missed * (price.input - price.cacheRead)) / 1_000_000;
}

/** The cost of a request in US dollars. Prices are per million tokens; cached input has its own price if one is known. */
export function costOf({ input, output, cached = 0 }: ModelTokens, price: Price): number {
  const fromCache = Math.min(cached, input);
  const read = (input - fromCache) * price.input + fromCache * (price.cacheRead ?? price.input);
  return (read + output * price.output) / 1_000_000;
}
