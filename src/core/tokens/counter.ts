import type { Encoding } from '../profile/profile.ts';
import type { Steps } from '../steps.ts';

/** A number of tokens with where it comes from: the server said so, a tokenizer counted, or it is an estimate. */
export interface TokenCount {
  readonly tokens: number;
  readonly source: 'reported' | 'counted' | 'estimated';
}

/**
 * Counts text. A port: the engine injects a synchronous exact counter, the extension host one that estimates large
 * texts at once and corrects them when its worker has counted.
 */
export interface TextCounter {
  readonly encoding: Encoding;
  /** Returns at once. Special tokens in the text are counted as text. */
  count(text: string): TokenCount;
  /** The same in steps, where counting a long text would take long. */
  countInSteps?(text: string): Steps<TokenCount>;
  /** Calls back when an estimate given earlier can be replaced by an exact count: ask `count` again then. */
  onCorrected?(listener: () => void): () => void;
  /**
   * The same counter without haste, for work that is done in slices: exact, and the same at any load of the machine.
   * `undefined` while it cannot be had.
   */
  exact?(): TextCounter | undefined;
  /** Resolves when no estimate given so far will be replaced any more. */
  settled?(): Promise<void>;
  /** Counts a text as it arrives; the work for a part does not depend on what came before it. */
  stream?(): StreamCount;
}

/** The tokens of one text that arrives in parts. */
export interface StreamCount {
  /** Takes the next part, cut anywhere. */
  append(part: string): void;
  /** Tokens of the text so far. */
  count(): TokenCount;
}
