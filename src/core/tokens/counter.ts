import type { Steps } from '../steps.ts';

/** The public tokenizer whose counts are closest to the model's own. */
export type Encoding = 'o200k_base' | 'cl100k_base';

/**
 * How a provider charges for images, by its documentation. `tiles`: a base, and a price for each 512-pixel tile
 * (OpenAI); `patches`: 32-pixel patches, at most `most`, times `factor` (OpenAI's small models); `area`: `pixels` per
 * token, after the longer side is reduced to `longest` (Anthropic).
 */
export type ImageRule =
  | { readonly kind: 'tiles'; readonly base: number; readonly tile: number }
  | { readonly kind: 'patches'; readonly most: number; readonly factor: number }
  | { readonly kind: 'area'; readonly pixels: number; readonly longest: number };

/** A number of tokens and its source: the server reported it, a tokenizer counted it, or it is an estimate. */
export interface TokenCount {
  readonly tokens: number;
  readonly source: 'reported' | 'counted' | 'estimated';
}

/**
 * Counts text. A port: the engine injects a counter that is always exact, the extension host one that estimates long
 * texts, and all of them until its tables are loaded; work that is done in slices counts those exactly.
 */
export interface TextCounter {
  readonly encoding: Encoding;
  /** Returns at once. Special tokens in the text are counted as text. */
  count(text: string): TokenCount;
  /** The same in steps, for counters that take long with a long text. */
  countInSteps?(text: string): Steps<TokenCount>;
  /** For a counter that estimates: the exact one, for work in slices. Undefined until its tables are loaded. */
  exact?(): TextCounter | undefined;
  /** Resolves when the tables are loaded, or cannot be. */
  readonly loaded?: Promise<void>;
}

/** The sum of counts; it is an estimate if one of them is. */
export function addCounts(counts: Iterable<TokenCount>): TokenCount {
  let tokens = 0;
  let source: TokenCount['source'] = 'counted';
  for (const count of counts) {
    tokens += count.tokens;
    if (count.source === 'estimated') source = 'estimated';
  }
  return { tokens, source };
}
