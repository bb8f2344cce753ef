import type { TokenCount } from '../tokens/counter.ts';
import type { WindowSource } from './budget.ts';

/** Where a window figure comes from, in words for a model. */
export const WINDOW_SOURCE_WORDS: Readonly<Record<WindowSource, string>> = {
  assumed: 'unknown, assuming 8k',
  profile: 'profile',
  server: 'server',
  error: 'learned from an error',
  setting: 'setting',
};

/** Where the figure of used tokens comes from, in words for a model. */
export const USED_SOURCE_WORDS = {
  reported: 'measured',
  counted: 'counted',
  estimated: 'estimated',
} as const satisfies Record<TokenCount['source'], string>;
