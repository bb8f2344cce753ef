import type { LearnedWindow } from '../budget/budget.ts';
import type { Compaction, StrategyId, Trigger } from '../compaction/compaction.ts';
import type { CompactionResult } from '../compaction/outcome.ts';
import type { ModelError } from '../overflow/modelError.ts';

/** Everything that happens to a conversation. Never carries message text. */
export type KarlEvent =
  | { readonly type: 'messages-appended'; readonly from: number; readonly to: number }
  | { readonly type: 'budget-changed' }
  /** The model answered a request of so many tokens, as the gauge showed it; `limit`: what it might use. */
  | { readonly type: 'request-answered'; readonly tokens: number; readonly limit: number }
  | {
      readonly type: 'compaction-started';
      readonly strategy: StrategyId;
      readonly trigger: Trigger;
      /** Of the view, with the arguments of calls. */
      readonly characters: number;
      /** A summary that is being written already, when the run waits for it. */
      readonly waitsFor?: 'summary';
    }
  | {
      readonly type: 'compaction-ended';
      readonly trigger: Trigger;
      readonly result: CompactionResult;
      /** Tokens of the request before and after, as the gauge shows them; equal unless something was compacted. */
      readonly tokensBefore: number;
      readonly tokensAfter: number;
      /** Prompt, tools and current request alone are over the budget by this. */
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
  | { readonly type: 'model-error'; readonly error: ModelError }
  | { readonly type: 'retry'; readonly attempt: number; readonly delayMs: number; readonly error: ModelError }
  /** A server takes no tool definitions for the model: from now on they are described in the prompt. */
  | { readonly type: 'tools-refused'; readonly model: string; readonly error: ModelError }
  | { readonly type: 'warning'; readonly message: string };
