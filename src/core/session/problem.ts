import type { Budget } from '../budget/budget.ts';
import type { CompactionResult } from '../compaction/outcome.ts';
import type { ModelError } from '../overflow/modelError.ts';
import type { ToolWeight } from './toolWeight.ts';

/** Why a turn could not be finished. The turn can be resumed after each of them. */
export type TurnProblem =
  /** The model could not be asked, or its reply broke off. `attempts` counts the first one. */
  | { readonly kind: 'model'; readonly error: ModelError; readonly attempts: number; readonly interrupted: boolean }
  /** The request does not fit, also after compaction. `compaction` tells what the run did; absent = none could help. */
  | {
      readonly kind: 'overflow';
      readonly error?: ModelError;
      readonly budget: Budget;
      readonly compaction?: CompactionResult;
    }
  | { readonly kind: 'output-limit'; readonly error: ModelError; readonly budget: Budget }
  | { readonly kind: 'tools-too-large'; readonly tools: readonly ToolWeight[]; readonly limitTokens: number }
  /** The transcript could not be written, so the model was not asked. */
  | { readonly kind: 'not-saved'; readonly message: string }
  /** What changed since the last turn could not be put in force, so the model was not asked. */
  | { readonly kind: 'not-prepared'; readonly message: string }
  /** What the model sent is no message that can be kept; nothing of it was. */
  | { readonly kind: 'unusable-reply'; readonly message: string }
  /** The agent called tools in this many rounds without coming to an end. */
  | { readonly kind: 'round-limit'; readonly rounds: number };

/** Whether what mends the one mends the other. Of two faults of the model: the same answer, or none both times. */
export function isSameFault(one: TurnProblem, other: TurnProblem): boolean {
  if (one.kind !== 'model' || other.kind !== 'model') return one.kind === other.kind;
  const [a, b] = [one.error, other.error];
  return a.kind === b.kind && a.status === b.status && a.refusal === b.refusal && a.answered === b.answered;
}
