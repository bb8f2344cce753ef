import type { CompactionResult } from '../compaction/compaction.ts';
import type { Budget } from '../model/budget.ts';
import type { ModelError } from '../model/classify.ts';
import type { ToolWeight } from './toolWeight.ts';

/** Why a turn could not be finished. It can be resumed after each of these. */
export type TurnProblem =
  /**
   * The model could not be asked, or its reply broke off. `attempts` includes the first one. `hasImages`: so had the
   * request; without any, an error that tells of images is not about it.
   */
  | {
      readonly kind: 'model';
      readonly error: ModelError;
      readonly attempts: number;
      readonly interrupted: boolean;
      readonly hasImages?: true;
    }
  /**
   * The request does not fit, not even after compaction. `error`: absent when the server was not asked, since what no
   * compaction may change is larger than its window. `compaction`: the result of the run; absent when none could
   * help. `hasPins`: messages are pinned, which no run shortens.
   */
  | {
      readonly kind: 'overflow';
      readonly error?: ModelError;
      readonly budget: Budget;
      readonly compaction?: CompactionResult;
      readonly hasPins?: true;
    }
  | { readonly kind: 'output-limit'; readonly error: ModelError; readonly budget: Budget }
  | { readonly kind: 'tools-too-large'; readonly tools: readonly ToolWeight[]; readonly limitTokens: number }
  /** The transcript could not be written, so the model was not asked. */
  | { readonly kind: 'not-saved'; readonly message: string }
  /** Changed settings could not be applied, so the model was not asked. */
  | { readonly kind: 'not-prepared'; readonly message: string }
  /** The model's reply is not a valid message; nothing of it was kept. */
  | { readonly kind: 'unusable-reply'; readonly message: string }
  /** The agent called tools in this many rounds without finishing. */
  | { readonly kind: 'round-limit'; readonly rounds: number };

/**
 * Whether the same remedy applies to both. Two faults of the model: the same kind, status, refusal, and whether there
 * was an answer, or the beginning of one.
 */
export function isSameFault(one: TurnProblem, other: TurnProblem): boolean {
  if (one.kind !== 'model' || other.kind !== 'model') return one.kind === other.kind;
  const [a, b] = [one.error, other.error];
  const isSameAnswer = a.answered === b.answered && a.brokeOff === b.brokeOff;
  return a.kind === b.kind && a.status === b.status && a.refusal === b.refusal && isSameAnswer;
}
