import { ASSUMED_WINDOW, type ModelProfile } from './profile.ts';

/** Where nothing is configured, an eighth of the window is kept for the completion, and at most this many tokens. */
export const LARGEST_DEFAULT_RESERVE = 32_768;
const RESERVE_SHARE = 1 / 8;

/** The completion reserve of a profile that states none. Tokens. */
export function defaultReserve(window: number = ASSUMED_WINDOW, outputLimit: number = LARGEST_DEFAULT_RESERVE): number {
  return Math.min(Math.floor(window * RESERVE_SHARE), outputLimit, LARGEST_DEFAULT_RESERVE);
}

/** The reserve of a profile whose window turned out to be another: one that came from the window follows it. Tokens. */
export function reserveFor(profile: ModelProfile, window: number): number {
  return isDefaultReserve(profile) ? defaultReserve(window, profile.outputLimit) : profile.completionReserve;
}

/**
 * The window of a model of which only the tokens that it takes in are known: those, and the reserve beside them. The most
 * that a prompt may have is then what the model takes in. Tokens.
 */
export function windowAround(profile: ModelProfile, input: number): number {
  // A reserve takes three quarters of a window at most (`budget.ts`).
  if (!isDefaultReserve(profile)) return input + Math.min(profile.completionReserve, input * 3);
  const { outputLimit = LARGEST_DEFAULT_RESERVE } = profile;
  // An eighth of the window is a seventh of the rest of it.
  return input + Math.min(Math.floor(input / (1 / RESERVE_SHARE - 1)), outputLimit, LARGEST_DEFAULT_RESERVE);
}

function isDefaultReserve({ completionReserve, contextWindow, outputLimit }: ModelProfile): boolean {
  return completionReserve === defaultReserve(contextWindow, outputLimit);
}
