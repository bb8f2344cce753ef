import type { ModelProfile } from '../profile/profile.ts';
import { reserveFor } from '../profile/reserve.ts';
import type { TokenCount } from '../tokens/counter.ts';

/**
 * Where the window figure comes from, from the least to the most trusted: an error that stated it counts more than what
 * a server advertises.
 */
export type WindowSource = 'unknown' | 'profile' | 'server' | 'error' | 'setting';

/** Stands for the limits of a window that nobody stated: no request reaches it, so nothing is compacted on a guess. Tokens. */
export const UNBOUNDED = 1_000_000_000_000;

/** A window figure learned outside the profile, with its source. Tokens. */
export interface LearnedWindow {
  readonly tokens: number;
  readonly source: Exclude<WindowSource, 'unknown' | 'profile'>;
  /** When an error taught it; milliseconds since 1970. */
  readonly at?: number;
  /** The server's words from which it was learned, at most 300 characters, without secrets. */
  readonly words?: string;
}

/** What one request may use, and what it uses. All figures in tokens. */
export interface Budget {
  /** The model's limit for input and output together. */
  readonly window: number;
  readonly windowSource: WindowSource;
  /** The model's limit for input; equal to the window unless the provider states less. */
  readonly inputLimit: number;
  /** Kept free for the completion. */
  readonly reserve: number;
  /** What system prompt, tool definitions and messages may use together: `min(inputLimit, window - reserve)`. */
  readonly limit: number;
  /** What they use now. */
  readonly used: TokenCount;
  /** The largest request that the server is known to have accepted; 0: none yet. */
  readonly accepted: number;
  /** The part of it that no run may change: prompt, tool definitions, pinned messages and the current request. */
  readonly fixed: number;
  /** The part beside it that the model has not read yet, such as the newest tool results: whole as long as it fits. */
  readonly unread: number;
}

/** By how many tokens the part of a request that no run may change exceeds the budget; 0 when it fits. */
export function overflowTokens({ fixed, limit }: Pick<Budget, 'fixed' | 'limit'>): number {
  return Math.max(0, fixed - limit);
}

/** A request of more than this many times the stated window that was accepted disproves it: counts differ by less. */
const DISPROVED = 1.1;

/** The smallest share of a window that is left to prompts, however large a reserve is configured. */
const SMALLEST_INPUT_SHARE = 0.25;

/**
 * Derives the budget. Without a window that anybody stated, it has no limit; so it is when a server accepted more than
 * the profile states. A learned window replaces the profile's, together with a reserve that was derived from it; a
 * configured reserve stays, unless it would leave too little.
 */
export function deriveBudget(
  profile: ModelProfile,
  used: TokenCount,
  { learned, accepted = 0 }: { readonly learned?: LearnedWindow | undefined; readonly accepted?: number } = {},
): Omit<Budget, 'fixed' | 'unread'> {
  const { contextWindow = 0 } = profile;
  const stated = accepted > contextWindow * DISPROVED ? undefined : profile.contextWindow;
  const window = learned?.tokens ?? stated;
  if (window === undefined) {
    const reserve = profile.completionReserve;
    return {
      window: UNBOUNDED,
      windowSource: 'unknown',
      inputLimit: UNBOUNDED,
      reserve,
      limit: UNBOUNDED,
      used,
      accepted,
    };
  }
  const windowSource = learned?.source ?? 'profile';
  const inputLimit = Math.min(profile.inputLimit ?? window, window);
  const reserve = Math.min(reserveFor(profile, window), Math.floor(window * (1 - SMALLEST_INPUT_SHARE)));
  return { window, windowSource, inputLimit, reserve, limit: Math.min(inputLimit, window - reserve), used, accepted };
}
