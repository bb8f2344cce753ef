import { english } from '../language.ts';
import type { TokenCount } from '../tokens/counter.ts';
import type { Budget, WindowSource } from './budget.ts';

/** Where a window figure comes from, in words for a model. */
export const WINDOW_SOURCE_WORDS: Readonly<Record<WindowSource, string>> = {
  unknown: 'unknown',
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

/** Says, with figures, that a request does not fit whatever is compacted; undefined when it does. */
export function describeShortage({ limit, fixed, unread }: Budget): string | undefined {
  if (fixed > limit)
    return english(
      'The window is too small for this conversation: prompt, tools, pinned messages and the current request alone take {0} tokens, and there is room for {1}. No compression can make them fit: use a model with a larger window, or fewer tools.',
      fixed,
      limit,
    );
  if (fixed + unread > limit)
    return english(
      'The window is too small for this conversation: prompt, tools, pinned messages and the current request take {0} tokens, what the model has not read yet takes {1}, and there is room for {2}. Karl shortens the newest results to fit: use a model with a larger window, or fewer tools.',
      fixed,
      unread,
      limit,
    );
  return undefined;
}
