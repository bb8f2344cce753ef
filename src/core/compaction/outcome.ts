import { english } from '../language.ts';
import { handleOf } from '../messages/handle.ts';
import type { MessageId } from '../messages/message.ts';
import type { ModelError } from '../overflow/modelError.ts';
import type { RunRecord, StrategyId } from './compaction.ts';
import type { Receipt } from './receipt.ts';

/** Why a run changed nothing. Each has its own sentence in `describeSkip`. */
export type SkipReason =
  | 'empty'
  | 'nothing-to-compact'
  | 'already-under-target'
  | 'too-few-messages'
  | 'cuts-meet'
  | 'single-turn'
  | 'trace-too-small'
  | 'gain-too-small'
  /** The hook that runs before a compaction refused; the message gives its reason. */
  | 'vetoed';

/** Where a sandwich cuts: the last raw message of the top, and the first of the bottom. */
export interface Cuts {
  readonly top: MessageId;
  readonly bottom: MessageId;
}

/** Why a planner changes nothing and, for a sandwich, where it would have cut. */
export interface Skip {
  readonly reason: SkipReason;
  readonly cuts?: Cuts;
}

/** Why a run failed. A failed run changed nothing. */
export type CompactionError =
  | { readonly kind: 'no-summarizer'; readonly message: string }
  /** `refusal`: why the model's server wrote nothing, if it was that. */
  | { readonly kind: 'summarizer-failed'; readonly message: string; readonly refusal?: ModelError }
  | { readonly kind: 'summary-rejected'; readonly message: string }
  | { readonly kind: 'law-broken'; readonly message: string }
  /** The conversation has changed, so that the previewed run no longer fits it. */
  | { readonly kind: 'stale-preview'; readonly message: string };

/** The result of one run. */
export type CompactionResult =
  | {
      readonly kind: 'compacted';
      readonly compaction: RunRecord;
      readonly receipt: Receipt;
      readonly reachedTarget: boolean;
      readonly fellBackFrom?: StrategyId;
      /** Why a summary that was ordered from the model is missing: left out, or the reason for the fallback. */
      readonly unwritten?: CompactionError;
    }
  | ({ readonly kind: 'skipped'; readonly strategy: StrategyId; readonly message: string } & Skip)
  | { readonly kind: 'failed'; readonly strategy: StrategyId; readonly error: CompactionError }
  | { readonly kind: 'cancelled'; readonly strategy: StrategyId };

const SKIPS: Readonly<Record<SkipReason, string>> = {
  empty: english('The conversation has no messages yet.'),
  'nothing-to-compact': english(
    'Nothing can be replaced: what is left is the prompt, pinned messages, the current request and summaries.',
  ),
  'already-under-target': english('The conversation is already under the target.'),
  'too-few-messages': english('There are no messages before the last ones that the strategy keeps.'),
  'cuts-meet': english('The kept top and bottom leave fewer than 4 messages between them.'),
  'single-turn': english('There is only one turn, and this strategy keeps the newest turn whole.'),
  'trace-too-small': english('The current turn has too few tool calls to be worth shortening.'),
  vetoed: english('The hook that runs before a compression refused it.'),
  'gain-too-small': english('The compression would have saved less than a tenth of what it may change.'),
};

/** Says why a run changed nothing and, if known, where it would have cut. */
export function describeSkip({ reason, cuts }: Skip): string {
  if (cuts === undefined) return SKIPS[reason];
  const { top, bottom } = cuts;
  return english('{0} The top ends at {1}, the bottom begins at {2}.', SKIPS[reason], handle(top), handle(bottom));
}

function handle(id: MessageId): string {
  return handleOf({ from: id, to: id });
}
