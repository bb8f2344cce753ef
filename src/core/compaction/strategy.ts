import type { Block } from '../chat/blocks.ts';
import type { MessageRange } from '../chat/message.ts';
import type { Ledger } from '../ledger/ledger.ts';
import type { Result } from '../result.ts';
import type { Steps } from '../steps.ts';
import type { Narrative, Skip, StrategyId, Trigger } from './compaction.ts';
import type { Draft } from './draft.ts';

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
  readonly ownTokens?: number | undefined;
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

/** Figures that strategies read: the settings of the same names under `karl.`. */
export interface StrategySettings {
  /** Messages at the end that `karl` and `heuristic` keep whole, rounded to whole blocks. */
  readonly keepLastMessages: number;
  readonly sandwich: {
    /** Share of the view's tokens kept at the top and at the bottom, 0 to 1. */
    readonly topFraction: number;
    readonly bottomFraction: number;
    /**
     * Longer messages in the kept top and bottom are shortened, with a mark and a handle; the request never is.
     * Characters.
     */
    readonly maxKeptCharacters: number;
  };
  readonly actionTrace: {
    /**
     * With more steps than this in the running turn (a step is an agent's message with tool calls and their results),
     * all but the newest `keep` are shortened.
     */
    readonly trigger: number;
    readonly keep: number;
    /** A trace of more characters than this is large: `largeTrigger` and `largeKeep` apply to it. */
    readonly largeCharacters: number;
    readonly largeTrigger: number;
    readonly largeKeep: number;
    /** How many characters an older observation may have, its line included. */
    readonly observationCharacters: number;
    /** A model is not asked to summarize fewer characters than this. */
    readonly modelCharacters: number;
  };
  readonly summary: {
    /** The most tokens of one answer of a model: a note, or a part of what `sandwich` asks for. */
    readonly maxTokens: number;
    /** When `adaptive` asks the model: at every run, when shortening alone does not reach the target, or never. */
    readonly when: 'always' | 'whenNeeded' | 'never';
    /** What checks the statements of a note: Karl's comparison of words, and after it the model that wrote it. */
    readonly check: 'model' | 'words';
  };
}

/** The defaults; ARCHITECTURE lists the figures. */
export const DEFAULT_STRATEGY_SETTINGS: StrategySettings = {
  keepLastMessages: 10,
  sandwich: { topFraction: 0.2, bottomFraction: 0.3, maxKeptCharacters: 5000 },
  actionTrace: {
    trigger: 10,
    keep: 5,
    largeCharacters: 30 * 1024,
    largeTrigger: 5,
    largeKeep: 3,
    observationCharacters: 1000,
    modelCharacters: 8 * 1024,
  },
  summary: { maxTokens: 8000, when: 'always', check: 'model' },
};

/** Some of the figures. */
export type SettingsChange = { readonly [Name in keyof StrategySettings]?: Partial<StrategySettings[Name]> };

/** Settings with defaults for what is left out. */
export function withDefaults(change: SettingsChange = {}): StrategySettings {
  const { keepLastMessages, sandwich, actionTrace, summary } = DEFAULT_STRATEGY_SETTINGS;
  return {
    keepLastMessages: change.keepLastMessages ?? keepLastMessages,
    sandwich: { ...sandwich, ...given(change.sandwich) },
    actionTrace: { ...actionTrace, ...given(change.actionTrace) },
    summary: { ...summary, ...given(change.summary) },
  };
}

type Given<Group> = { [Name in keyof Group]?: Exclude<Group[Name], undefined> };

/** A group without its undefined fields, so that they keep their defaults. */
export function given<Group extends object>(change: Group | undefined): Given<Group> {
  return Object.fromEntries(Object.entries(change ?? {}).filter(([, value]) => value !== undefined)) as Given<Group>;
}
