import type { FactClass } from '../ledger/fact.ts';
import type { StrategyId } from './compaction.ts';
import type { ModelTokens } from './modelUse.ts';
import type { CompactionError } from './outcome.ts';

/** What one compaction kept, shortened, removed, repaired, saved and cost. Shown to the user and logged. */
export interface Receipt {
  readonly strategy: StrategyId | 'manual';
  /**
   * The goal of the run: the target of the settings or the caller, or half of what was used where the target would
   * demand too little.
   */
  readonly aim: 'target' | 'half';
  /** What the user asked this run to keep. */
  readonly instructions?: string;
  /** The rungs of the ladder that changed something, in order; for other strategies those that freed the rest. */
  readonly rungs: readonly string[];
  /** The tokens that the strategy itself freed, where the request had to fit and `adaptive` freed the rest. */
  readonly freedAlone?: number;
  /** Tokens of the whole request before and after: what the gauge showed and shows. */
  readonly tokensBefore: number;
  readonly tokensAfter: number;
  /** What requests might use then: the base of every percentage. Absent in records of Karl 0.1. */
  readonly limitTokens?: number;
  /** Raw messages by their state after the run. */
  readonly messages: { readonly whole: number; readonly shortened: number; readonly replaced: number };
  /** Raw messages newly replaced or shortened by this run. */
  readonly summarized: number;
  /** Characters of the notes and lines that this run wrote. */
  readonly summaryCharacters: number;
  /** Facts whose message is no longer whole, by class: still stated in the view, or behind a handle. */
  readonly facts: readonly { readonly class: FactClass; readonly kept: number; readonly behindHandle: number }[];
  /** Statements of the model's note that were removed because they do not hold. */
  readonly rejected: readonly string[];
  /** Why a note ordered from the model is missing, as a sentence. */
  readonly withoutNote?: string;
  /** The kind of that failure; unlike the sentence, it may be logged. */
  readonly withoutNoteKind?: CompactionError['kind'];
  /** Statements of the note that are marked as unverified. */
  readonly unverified: number;
  /** Why the model did not check the note that it wrote, as a sentence; absent when it did, or was not to. */
  readonly unchecked?: string;
  /** What the strategy promises: facts literally in the view, or handles only (`heuristic`, `action-trace`). */
  readonly promise: 'facts-in-view' | 'handles-only';
  /**
   * The share of the request before the first change, 0 to 1, tool definitions included: what a prompt cache can still
   * use.
   */
  readonly prefixKept: number;
  /** The model whose words this run put into the view; absent when there are none. */
  readonly model?: string;
  /** Requests to a model for this run, whether or not they succeeded. */
  readonly modelCalls: number;
  /** The tokens of these requests as the server reported them; absent when it did not report on all of them. */
  readonly modelTokens?: ModelTokens;
  /** The same in US dollars, where the model's price is known. */
  readonly modelCost?: number;
  /** Wall time of the run, milliseconds. */
  readonly ms: number;
  /** The strategy that failed, when the fallback was used instead, and why, as a sentence. */
  readonly fellBackFrom?: StrategyId;
  readonly fellBackBecause?: string;
}
