import type { Budget } from './budget.ts';

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
  /**
   * How many of the last messages `karl` and `heuristic` keep whole in a run that the number of messages started;
   * `undefined` = as many as in other runs.
   */
  readonly keepMessages?: number | undefined;
}

/** The defaults; ARCHITECTURE lists the figures. */
export const DEFAULT_THRESHOLDS: Thresholds = { fraction: 0.8, target: 0.5, keepMessages: 10 };

/** What the thresholds are applied to. Tokens. */
export type Room = Pick<Budget, 'limit' | 'fixed' | 'unread'>;

/** A run should make room for this many rounds as large as the newest. */
const ROUNDS = 3;
/** No two rounds are equal: a run leaves this share of a round to spare. */
const SPARE = 0.1;
/** The share of the room beside what stays whole that notes about all else take at least. */
const LEAST_NOTES = 0.1;
/** The largest share of what the trigger leaves beside the fixed part that is a target. */
const MOST_TARGET = 0.9;

/** The figures as the thresholds set them, and the least that a run could leave, whatever the newest round needs. */
function plainFigures({ fraction, tokens = Number.POSITIVE_INFINITY, target }: Thresholds, room: Room) {
  const { limit, fixed, unread } = room;
  const free = Math.max(0, limit - fixed);
  const trigger = Math.min(fixed + Math.floor(free * fraction), tokens);
  const below = Math.min(fixed, trigger) + Math.floor(Math.max(0, trigger - fixed) * MOST_TARGET);
  const least = fixed + unread + Math.max(0, Math.min(limit, tokens) - fixed - unread) * LEAST_NOTES;
  return { trigger, target: Math.min(fixed + Math.floor(free * target), below), least };
}

/**
 * The used-token figure at which compaction starts: the lower of the fraction and the absolute number. Where a run at
 * the fraction could not make room for a few more rounds as large as the newest, it is the limit.
 */
export function triggerTokens(thresholds: Thresholds, room: Room): number {
  const { trigger, least } = plainFigures(thresholds, room);
  if (trigger - least >= (ROUNDS + SPARE) * room.unread) return trigger;
  return Math.min(Math.max(trigger, room.limit), thresholds.tokens ?? room.limit);
}

/**
 * The used-token figure that a run aims at: as the thresholds say, and what the model has not read comes on top; less
 * where a few more rounds as large as the newest would not fit then, as far as that gains at least one round.
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
