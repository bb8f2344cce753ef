/** What a conversation was when the user was asked to compress it. Tokens. */
export interface AskedAbout {
  readonly used: number;
  readonly limit: number;
  /** How many compressions there were. */
  readonly compactions: number;
}

/** Part of the budget that must be used besides, before the user is asked again. */
const ASK_AGAIN_SHARE = 0.1;

/**
 * Whether a question that the user answered with "not now" may be asked again: after a tenth of the budget more, when
 * the budget is used up, and when it is about another model or after a compression.
 */
export function mayAskAgain(declined: AskedAbout, now: AskedAbout): boolean {
  if (declined.limit !== now.limit || declined.compactions !== now.compactions) return true;
  return now.used >= Math.min(now.limit, declined.used + now.limit * ASK_AGAIN_SHARE);
}
