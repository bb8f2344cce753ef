import type { Ledger } from '../ledger/ledger.ts';
import type { Block } from '../messages/blocks.ts';
import type { MessageRange } from '../messages/message.ts';
import type { Result } from '../result.ts';
import type { Steps } from '../steps.ts';
import type { Narrative, StrategyId, Trigger } from './compaction.ts';
import type { Draft } from './draft.ts';
import type { Cuts, Skip } from './outcome.ts';
import type { StrategySettings } from './strategySettings.ts';

/** Everything that a planner may look at. All token figures are of the view's messages. */
export interface PlanInput {
  readonly draft: Draft;
  /** What started the run. */
  readonly trigger: Trigger;
  /** The tokens that the run aims at. */
  readonly target: number;
  /** The most tokens that the messages may take. */
  readonly limit: number;
  readonly ledger: Ledger;
  /** Id of the compaction being made: the mark of its fences. */
  readonly mark: string;
  readonly settings: StrategySettings;
  /** Whether a model can be asked for notes. */
  readonly canSummarize: boolean;
  /** What the model wrote for the orders of an earlier plan with the same input; empty in the first. */
  readonly narratives: readonly Narrative[];
}

/** A note that a model has yet to write: about which raw messages, and how long. */
export interface NoteOrder {
  readonly range: MessageRange;
  /** The raw messages that the note covers. */
  readonly blocks: readonly Block[];
  /** Tokens of these messages. */
  readonly sourceTokens: number;
  readonly maxTokens: number;
  /**
   * `brief`: what the reader needs to continue, in at most `maxTokens`. `thorough`: everything, about `maxTokens` long,
   * in as many parts as it takes when one answer may not be that long.
   */
  readonly detail: 'brief' | 'thorough';
}

/** A planner's decision. The draft lacks the notes that it orders: they are added by a second plan. */
export interface Plan {
  readonly draft: Draft;
  readonly orders: readonly NoteOrder[];
  /** Rungs that changed something, for the receipt. */
  readonly rungs: readonly string[];
  /** The tokens that the strategy itself left, where the ladder freed the rest (`rungs`); absent for `adaptive`. */
  readonly ownTokens?: number;
  /** Where a sandwich cuts, for the log of a run that changes nothing. */
  readonly cuts?: Cuts;
}

/** Decides what to replace. Pure: returns, in steps, a plan or the reason why there is nothing to do. */
export type Planner = (input: PlanInput) => Steps<Result<Plan, Skip>>;

/** A named way to compact. */
export interface Strategy {
  readonly id: StrategyId;
  readonly plan: Planner;
  /** `required`: fails without a summarizer; `optional`: works without one; `none`: never asks a model. */
  readonly model: 'required' | 'optional' | 'none';
  /** Law 7: facts are literally in the view, or only behind handles. */
  readonly promise: 'facts-in-view' | 'handles-only';
  /** The number of messages in the view at which an automatic run starts; undefined when their number starts none. */
  readonly messageTrigger?: number;
  /** Also runs when the trace of the running turn has become large. */
  readonly traceTrigger?: boolean;
}
