/** The state of a conversation when the user was asked to compress it. Tokens. */
export interface AskedAbout {
  readonly used: number;
  readonly limit: number;
  /** The number of compressions until then. */
  readonly compactions: number;
}

/** The further share of the budget that must be used before the user is asked again. */
const ASK_AGAIN_SHARE = 0.1;

/**
 * Whether a question that the user answered with "not now" may be asked again: once another tenth of the budget is
 * used, once the budget is used up, or after a compression or a change of the budget (another model).
 */
export function mayAskAgain(declined: AskedAbout, now: AskedAbout): boolean {
  if (declined.limit !== now.limit || declined.compactions !== now.compactions) return true;
  return now.used >= Math.min(now.limit, declined.used + now.limit * ASK_AGAIN_SHARE);
}
