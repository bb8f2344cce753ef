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

/** A group without its undefined fields, so that they keep their defaults. */
export function given<Group extends object>(change: Group | undefined): Partial<Group> {
  return Object.fromEntries(Object.entries(change ?? {}).filter(([, value]) => value !== undefined)) as Partial<Group>;
}
