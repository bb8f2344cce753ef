import type { Compaction, CompactionResult, StrategyId, Trigger } from '../compaction/compaction.ts';
import type { LearnedWindow } from '../model/budget.ts';
import type { ModelError } from '../model/classify.ts';
import type { Words } from '../phrase.ts';

/** Everything that happens to a conversation. Text of messages occurs only inside compaction records. */
export type KarlEvent =
  | { readonly type: 'messages-appended'; readonly from: number; readonly to: number }
  | { readonly type: 'budget-changed' }
  /**
   * The model answered a request. `model`: the one that was asked, even if another was chosen since (as in all events
   * about requests); `tokens`: the request's size in the gauge; `limit`: what it may use.
   */
  | { readonly type: 'request-answered'; readonly model: string; readonly tokens: number; readonly limit: number }
  | {
      readonly type: 'compaction-started';
      readonly strategy: StrategyId;
      readonly trigger: Trigger;
      /** Characters of the view, including the arguments of calls. */
      readonly characters: number;
      /** The run waits for a summary that is already being written. */
      readonly waitsFor?: 'summary' | undefined;
      /** What the user asked this run to keep. Never logged. */
      readonly instructions?: string | undefined;
    }
  | {
      readonly type: 'compaction-ended';
      readonly trigger: Trigger;
      readonly result: CompactionResult;
      /** Tokens of the request before and after, as the gauge shows them; equal unless something was compacted. */
      readonly tokensBefore: number;
      readonly tokensAfter: number;
      /** By how much the prompt, tools and current request alone exceed the budget. */
      readonly overflowTokens: number;
      readonly ms: number;
    }
  /** The user dropped, shortened or restored messages. */
  | {
      readonly type: 'compaction-by-hand';
      readonly compaction: Compaction;
      readonly tokensBefore: number;
      readonly tokensAfter: number;
      readonly ms: number;
    }
  | {
      readonly type: 'compaction-undone' | 'compaction-redone';
      readonly compaction: Compaction;
      readonly tokensBefore: number;
      readonly tokensAfter: number;
    }
  | { readonly type: 'window-learned'; readonly model: string; readonly window: LearnedWindow }
  | { readonly type: 'model-error'; readonly model: string; readonly error: ModelError }
  | {
      readonly type: 'retry';
      readonly model: string;
      readonly attempt: number;
      readonly delayMs: number;
      readonly error: ModelError;
    }
  /** A server refuses tool definitions for the model; from now on the prompt describes the tools. */
  | { readonly type: 'tools-refused'; readonly model: string; readonly error: ModelError }
  | { readonly type: 'warning'; readonly message: Words };
