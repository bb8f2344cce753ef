import type { FactClass } from '../ledger/fact.ts';
import type { StrategyId } from './compaction.ts';
import type { ModelTokens } from './modelUse.ts';
import type { CompactionError } from './outcome.ts';

/** What one compaction kept, shortened, removed, repaired, saved and cost. Shown to the user and written to the log. */
export interface Receipt {
  readonly strategy: StrategyId | 'manual';
  /** What the run aimed at: the target of the settings or the caller, or half of what was used, where that asks for too little. */
  readonly aim: 'target' | 'half';
  /** What the user asked this run to keep. */
  readonly instructions?: string;
  /** The rungs of the ladder that changed something, in order; empty for the other strategies. */
  readonly rungs: readonly string[];
  /** Tokens of the whole request before and after: what the gauge showed and shows. */
  readonly tokensBefore: number;
  readonly tokensAfter: number;
  /** What requests might use: the base of every percentage. Absent in records of Karl 0.1. */
  readonly limitTokens?: number;
  /** Raw messages by their state after the run. */
  readonly messages: { readonly whole: number; readonly shortened: number; readonly replaced: number };
  /** Raw messages newly replaced or shortened by this run. */
  readonly summarized: number;
  /** Characters of the notes that this run wrote. */
  readonly summaryCharacters: number;
  /** Facts that stand literally in the view, by class, of those found in what was replaced. */
  readonly facts: readonly { readonly class: FactClass; readonly kept: number; readonly behindHandle: number }[];
  /** Statements of the model's note that do not hold and were taken out. */
  readonly rejected: readonly string[];
  /** Why a note of the model that was ordered does not stand, in a sentence. */
  readonly withoutNote?: string;
  /** The kind of that failure, which the log may name. */
  readonly withoutNoteKind?: CompactionError['kind'];
  /** Statements of the note that stand marked as unverified. */
  readonly unverified: number;
  /** What the strategy promises: facts literally in the view, or handles only (`heuristic`, `action-trace`). */
  readonly promise: 'facts-in-view' | 'handles-only';
  /** The part of the request before the first change, 0 to 1, tool definitions included: what a prompt cache can still use. */
  readonly prefixKept: number;
  /** The model whose words this run put into the view; absent when none of its words stand there. */
  readonly model?: string;
  /** Requests to a model for this run, whatever came of them. */
  readonly modelCalls: number;
  /** What these requests took by the server's reports; absent when it did not report on all of them. */
  readonly modelTokens?: ModelTokens;
  /** The same in US dollars, where the model's price is known. */
  readonly modelCost?: number;
  /** Wall time of the run, milliseconds. */
  readonly ms: number;
  /** The strategy that could not do it, where the named fallback did; and why, in a sentence. */
  readonly fellBackFrom?: StrategyId;
  readonly fellBackBecause?: string;
}
