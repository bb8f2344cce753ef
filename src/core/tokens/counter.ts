import type { Encoding } from '../profile/profile.ts';
import type { Steps } from '../steps.ts';

/** A number of tokens and its source: the server reported it, a tokenizer counted it, or it is an estimate. */
export interface TokenCount {
  readonly tokens: number;
  readonly source: 'reported' | 'counted' | 'estimated';
}

/**
 * Counts text. A port: the engine injects a synchronous exact counter, the extension host one that estimates large
 * texts at once and corrects the estimates when its worker has counted.
 */
export interface TextCounter {
  readonly encoding: Encoding;
  /** Returns at once. Special tokens in the text are counted as text. */
  count(text: string): TokenCount;
  /** The same in steps, for counters that take long with a long text. */
  countInSteps?(text: string): Steps<TokenCount>;
  /** Calls back when an exact count can replace an earlier estimate: then `count` should be called again. */
  onCorrected?(listener: () => void): () => void;
  /**
   * The counter for work that is done in slices: exact, however busy the machine is. `undefined` while not available.
   */
  exact?(): TextCounter | undefined;
  /** Resolves when no estimate given so far will be replaced any more. */
  settled?(): Promise<void>;
  /** Counts a text as it arrives; the cost of a part does not depend on the parts before it. */
  stream?(): StreamCount;
}

/** Counts the tokens of one text that arrives in parts. */
export interface StreamCount {
  /** Takes the next part, cut anywhere. */
  append(part: string): void;
  /** Tokens of the text so far. */
  count(): TokenCount;
}
