import * as z from 'zod/mini';

/** A ratio outside these bounds is an outlier: a truncated prompt, another request's usage, a broken report. */
const LEAST_RATIO = 0.5;
const MOST_RATIO = 2.5;
/** The most that one ratio can deviate from another. */
const MOST_DEVIATION = (MOST_RATIO - LEAST_RATIO) / LEAST_RATIO;
/** A server whose counting is known and that suddenly reports less than this share has dropped part of the prompt. */
const KNOWN_SHARE = 0.7;
/** The number of reports after which a server's counting is known. */
const KNOWN_AFTER = 2;
/** Weight of the newest report in the moving average. */
const WEIGHT = 0.3;
/** In smaller prompts overheads dominate, so their reports teach nothing. Tokens. */
const LEAST_PROMPT = 200;

/** The form in which a state is stored; not exported, since the engine's types would need zod. */
const storedCalibration = z.object({
  factor: z.number().check(z.gte(LEAST_RATIO), z.lte(MOST_RATIO)),
  deviation: z.number().check(z.gte(0), z.lte(MOST_DEVIATION)),
  reports: z.int().check(z.gte(1)),
  latest: z.optional(z.number().check(z.gte(LEAST_RATIO), z.lte(MOST_RATIO))),
});

/** What the reports of a model's server taught about the counter. JSON-safe. A plain type, since the engine exports it. */
export interface CalibrationState {
  /** Reported over counted, moving average. */
  readonly factor: number;
  /** Mean deviation of a report from the average before it, as a share. */
  readonly deviation: number;
  readonly reports: number;
  /** Reported over counted of the newest report, so that the figure continues where that report ended. */
  readonly latest?: number | undefined;
}

/** Nothing learned yet: counts are taken as they are. */
export const UNCALIBRATED: CalibrationState = { factor: 1, deviation: 0, reports: 0 };

/** A stored state; undefined for anything that reports cannot have taught. */
export function parseCalibration(stored: unknown): CalibrationState | undefined {
  return storedCalibration.safeParse(stored).data;
}

/**
 * Learns from one report: `reported` prompt tokens for a request that Karl counted as `counted`. An outlier changes
 * nothing; one far below the count means that the server silently dropped part of the prompt.
 */
export function learn(
  state: CalibrationState,
  reported: number,
  counted: number,
): { readonly state: CalibrationState; readonly verdict: 'learned' | 'too-small' | 'outlier' | 'truncated' } {
  // Written so that NaN is an outlier too.
  const believable = reported > 0 && reported <= MOST_RATIO * Math.max(counted, LEAST_PROMPT);
  if (!believable) return { state, verdict: 'outlier' };
  if (counted < LEAST_PROMPT) return { state, verdict: 'too-small' };
  const ratio = reported / counted;
  const least = state.reports < KNOWN_AFTER ? LEAST_RATIO : Math.max(LEAST_RATIO, state.factor * KNOWN_SHARE);
  if (ratio < least) return { state, verdict: 'truncated' };
  if (state.reports === 0)
    return { state: { factor: ratio, deviation: Math.abs(ratio - 1), reports: 1, latest: ratio }, verdict: 'learned' };
  const deviation = Math.abs(ratio - state.factor) / state.factor;
  return {
    state: {
      factor: state.factor + WEIGHT * (ratio - state.factor),
      deviation: state.deviation + WEIGHT * (deviation - state.deviation),
      reports: state.reports + 1,
      latest: ratio,
    },
    verdict: 'learned',
  };
}
