/** When compaction starts and how far it goes. Fractions are of the budget's limit. */
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

/** The used-token figure at which compaction starts: the lower of the fraction and the absolute number. */
export function triggerTokens(thresholds: Thresholds, limit: number): number {
  const byFraction = Math.floor(limit * thresholds.fraction);
  return thresholds.tokens === undefined ? byFraction : Math.min(byFraction, thresholds.tokens);
}

/** The used-token figure that a run aims at; always below the trigger. */
export function targetTokens(thresholds: Thresholds, limit: number): number {
  const trigger = triggerTokens(thresholds, limit);
  return Math.min(Math.floor(limit * thresholds.target), Math.floor(trigger * 0.9));
}

/** From this share of the trigger on, a summary is prepared (10 % below it). */
const NEAR = 0.9;

/** True when compaction is so near that a summary is worth preparing. */
export function isNearTrigger(thresholds: Thresholds, limit: number, used: number): boolean {
  return used >= triggerTokens(thresholds, limit) * NEAR;
}
