import { CAUTIOUS_WINDOW, type ModelProfile } from './profile.ts';

/** When nothing is configured, an eighth of the window is reserved for the completion, but at most this many tokens. */
export const LARGEST_DEFAULT_RESERVE = 32_768;
const RESERVE_SHARE = 1 / 8;

/** The completion reserve of a profile that states none. Tokens. */
export function defaultReserve(
  window: number = CAUTIOUS_WINDOW,
  outputLimit: number = LARGEST_DEFAULT_RESERVE,
): number {
  return Math.min(Math.floor(window * RESERVE_SHARE), outputLimit, LARGEST_DEFAULT_RESERVE);
}

/**
 * The reserve of a profile when its window turned out different: a reserve derived from the window is derived anew.
 * Tokens.
 */
export function reserveFor(profile: ModelProfile, window: number): number {
  return isDefaultReserve(profile) ? defaultReserve(window, profile.outputLimit) : profile.completionReserve;
}

/**
 * The window of a model for which only the input limit is known: that limit plus the reserve, so that a prompt may use
 * all of the input limit. Tokens.
 */
export function windowAround(profile: ModelProfile, input: number): number {
  // A reserve takes at most three quarters of a window (`budget.ts`).
  if (!isDefaultReserve(profile)) return input + Math.min(profile.completionReserve, input * 3);
  const { outputLimit = LARGEST_DEFAULT_RESERVE } = profile;
  // An eighth of the window is a seventh of the rest.
  return input + Math.min(Math.floor(input / (1 / RESERVE_SHARE - 1)), outputLimit, LARGEST_DEFAULT_RESERVE);
}

function isDefaultReserve({ completionReserve, contextWindow, outputLimit }: ModelProfile): boolean {
  return completionReserve === defaultReserve(contextWindow, outputLimit);
}
