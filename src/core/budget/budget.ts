import { ASSUMED_WINDOW, type ModelProfile } from '../profile/profile.ts';
import { reserveFor } from '../profile/reserve.ts';
import type { TokenCount } from '../tokens/counter.ts';

/** Where the window figure comes from, best last: an error that stated it beats what a server advertises. */
export type WindowSource = 'assumed' | 'profile' | 'server' | 'error' | 'setting';

/** A window figure learned outside the profile, with its source. Tokens. */
export interface LearnedWindow {
  readonly tokens: number;
  readonly source: Exclude<WindowSource, 'assumed' | 'profile'>;
  /** When an error taught it, milliseconds since 1970. */
  readonly at?: number;
  /** The server's words that taught it, at most 300 characters, without secrets. */
  readonly words?: string;
}

/** What one request may use and does use. All figures in tokens. */
export interface Budget {
  /** Tokens that the model can take in and give out in one request. */
  readonly window: number;
  readonly windowSource: WindowSource;
  /** Tokens that it takes in; equal to the window unless the provider states fewer. */
  readonly inputLimit: number;
  /** Kept free for the completion. */
  readonly reserve: number;
  /** What system prompt, tool definitions and messages may use together: `min(inputLimit, window - reserve)`. */
  readonly limit: number;
  /** What they use now. */
  readonly used: TokenCount;
}

/** The smallest part of a window that prompts may use, however large a reserve is configured. */
const SMALLEST_INPUT_SHARE = 0.25;

/**
 * Derives the budget. A learned window replaces the profile's, and with it a reserve that came from that; a configured
 * reserve stays, unless it would leave nothing.
 */
export function deriveBudget(profile: ModelProfile, used: TokenCount, learned?: LearnedWindow): Budget {
  const window = learned?.tokens ?? profile.contextWindow ?? ASSUMED_WINDOW;
  const windowSource = learned?.source ?? (profile.contextWindow === undefined ? 'assumed' : 'profile');
  const inputLimit = Math.min(profile.inputLimit ?? window, window);
  const reserve = Math.min(reserveFor(profile, window), Math.floor(window * (1 - SMALLEST_INPUT_SHARE)));
  return { window, windowSource, inputLimit, reserve, limit: Math.min(inputLimit, window - reserve), used };
}
