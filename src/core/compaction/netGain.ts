import type { Receipt } from './receipt.ts';

/** Whether a run pays: what it cost once, against what it saves with every request. Tokens. */
export interface NetGain {
  readonly savedEach: number;
  /** What comes after the first change in the request: no provider's cache has it, so it is read anew, once. */
  readonly readAnew: number;
  /** What the model read and wrote for the notes: 0 when none was asked, undefined when its server does not say. */
  readonly spent: number | undefined;
  /**
   * The number of requests after which more is saved than was spent and read again; undefined when that is not known.
   */
  readonly paidOffAfter: number | undefined;
}

/** Works out the net gain of a run from its receipt. */
export function netGain(receipt: Receipt): NetGain {
  const savedEach = receipt.tokensBefore - receipt.tokensAfter;
  const readAnew = Math.max(0, Math.round(receipt.tokensAfter - receipt.prefixKept * receipt.tokensBefore));
  const { modelTokens, modelCalls } = receipt;
  const asked = modelTokens === undefined ? undefined : modelTokens.input + modelTokens.output;
  const spent = modelCalls === 0 ? 0 : asked;
  const isKnown = spent !== undefined && savedEach > 0;
  return { savedEach, readAnew, spent, paidOffAfter: isKnown ? Math.ceil((spent + readAnew) / savedEach) : undefined };
}
