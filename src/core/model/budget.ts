import { type Phrase, phrase } from '../phrase.ts';
import type { TokenCount } from '../tokens/counter.ts';
import { type ModelProfile, reserveFor } from './profile.ts';

/** Where the window comes from, from the least to the most trusted: an error counts more than what a server advertises. */
export type WindowSource = 'unknown' | 'profile' | 'server' | 'error' | 'setting';

/** Stands for an unknown window: no request reaches it, so nothing is compacted on a guess. Tokens. */
export const UNBOUNDED = 1_000_000_000_000;

/** A window learned outside the profile, with its source. Tokens. */
export interface LearnedWindow {
  readonly tokens: number;
  readonly source: Exclude<WindowSource, 'unknown' | 'profile'>;
  /** When an error taught it; milliseconds since 1970. */
  readonly at?: number;
  /** The server's words from which it was learned, at most 300 characters, without secrets; absent if it was measured. */
  readonly words?: string;
}

/** The limits of a request and its size. All figures in tokens. */
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
  readonly used: TokenCount;
  /** The largest request that the server is known to have accepted; 0: none yet. */
  readonly accepted: number;
  /** The part of `used` that no run may change: prompt, tool definitions, pinned messages and the current request. */
  readonly fixed: number;
  /** The part that the model has not read yet, such as the newest tool results; kept whole as long as it fits. */
  readonly unread: number;
}

/** The tokens by which the fixed part of a request exceeds the budget; 0 when it fits. */
export function overflowTokens({ fixed, limit }: Pick<Budget, 'fixed' | 'limit'>): number {
  return Math.max(0, fixed - limit);
}

/** An accepted request larger than the stated window by this factor disproves it: counts differ by less. */
const DISPROVED = 1.1;

/** The least share of a window left to prompts, however large the configured reserve. */
const SMALLEST_INPUT_SHARE = 0.25;

/**
 * Derives the budget. It has no limit while no window is known, or if a server accepted more than the profile states. A
 * learned window replaces the profile's and the reserve derived from that; a configured reserve stays unless it leaves
 * too little.
 */
export function deriveBudget(
  profile: ModelProfile,
  used: TokenCount,
  {
    learned,
    accepted = 0,
  }: { readonly learned?: LearnedWindow | undefined; readonly accepted?: number | undefined } = {},
): Omit<Budget, 'fixed' | 'unread'> {
  const { contextWindow = 0 } = profile;
  const stated = accepted > contextWindow * DISPROVED ? undefined : profile.contextWindow;
  const window = learned?.tokens ?? stated;
  if (window === undefined) {
    const unbounded = { window: UNBOUNDED, inputLimit: UNBOUNDED, limit: UNBOUNDED };
    return { ...unbounded, windowSource: 'unknown', reserve: profile.completionReserve, used, accepted };
  }
  const windowSource = learned?.source ?? 'profile';
  const inputLimit = Math.min(profile.inputLimit ?? window, window);
  const reserve = Math.min(reserveFor(profile, window), Math.floor(window * (1 - SMALLEST_INPUT_SHARE)));
  return { window, windowSource, inputLimit, reserve, limit: Math.min(inputLimit, window - reserve), used, accepted };
}

/** When compaction starts and how far it goes. Fractions are of what is left beside the fixed part of a request. */
export interface Thresholds {
  /** Start when this fraction is used. */
  readonly fraction: number;
  /** Start when this many tokens are used, if that comes earlier; `undefined` = no absolute threshold. */
  readonly tokens?: number | undefined;
  /** The target of a run, as a fraction. */
  readonly target: number;
  /** Start when the view holds this many messages; `undefined` = the strategy's own default. */
  readonly messages?: number | undefined;
  /** How many messages `karl` and `heuristic` keep in a run that their number started; undefined: as in other runs. */
  readonly keepMessages?: number | undefined;
}

/** The defaults; ARCHITECTURE lists the figures. */
export const DEFAULT_THRESHOLDS: Thresholds = { fraction: 0.8, target: 0.5, keepMessages: 10 };

/** The part of a budget that thresholds apply to. Tokens. */
export type Room = Pick<Budget, 'limit' | 'fixed' | 'unread'>;

/** A run should make room for this many rounds of the newest one's size. */
const ROUNDS = 3;
/** Rounds differ in size, so a run leaves this share of a round to spare. */
const SPARE = 0.1;
/** The least share that notes take of the room beside what stays whole. */
const LEAST_NOTES = 0.1;
/** The largest target, as a share of the room between the fixed part and the trigger. */
const MOST_TARGET = 0.9;

/** Trigger and target by the thresholds alone, and the least that a run could leave. */
function plainFigures({ fraction, tokens = Number.POSITIVE_INFINITY, target }: Thresholds, room: Room) {
  const { limit, fixed, unread } = room;
  const free = Math.max(0, limit - fixed);
  const trigger = Math.min(fixed + Math.floor(free * fraction), tokens);
  const below = Math.min(fixed, trigger) + Math.floor(Math.max(0, trigger - fixed) * MOST_TARGET);
  const least = fixed + unread + Math.max(0, Math.min(limit, tokens) - fixed - unread) * LEAST_NOTES;
  return { trigger, target: Math.min(fixed + Math.floor(free * target), below), least };
}

/**
 * The used tokens at which compaction starts: the lower of the fraction and the absolute number; or the limit, if a run
 * at the fraction could not make room for a few more rounds of the newest one's size.
 */
export function triggerTokens(thresholds: Thresholds, room: Room): number {
  const { trigger, least } = plainFigures(thresholds, room);
  if (trigger - least >= (ROUNDS + SPARE) * room.unread) return trigger;
  return Math.min(Math.max(trigger, room.limit), thresholds.tokens ?? room.limit);
}

/**
 * The used tokens that a run aims at: the target of the thresholds plus what the model has not read; less if a few more
 * rounds of the newest one's size would not fit, as far as that gains at least one round.
 */
export function targetTokens(thresholds: Thresholds, room: Room): number {
  const { target, least } = plainFigures(thresholds, room);
  if (room.unread === 0) return target;
  const trigger = triggerTokens(thresholds, room);
  const rounds = Math.min(ROUNDS, Math.max(0, Math.floor((trigger - least) / room.unread)));
  const deep = Math.min(target + room.unread, trigger - (rounds + SPARE) * room.unread);
  return Math.floor(Math.min(room.limit, Math.max(least, deep)));
}

/** From this share of the trigger on, a summary is prepared (10 % below it). */
const NEAR = 0.9;

/** True when compaction is so near that a summary is worth preparing. */
export function isNearTrigger(thresholds: Thresholds, room: Room, used: number): boolean {
  return used >= triggerTokens(thresholds, room) * NEAR;
}

/** Explains, with figures, that a request cannot be sent whole, whatever is compacted; undefined if it can. */
export function describeShortage({ limit, fixed, unread }: Budget): Phrase | undefined {
  if (fixed + unread <= limit) return undefined;
  return phrase('window.shortage', fixed, unread, limit);
}
