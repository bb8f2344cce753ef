/** Figures that a strategy reads; the settings of the same names under `karl.`. */
export interface StrategySettings {
  /** Messages at the end that `karl` and `heuristic` keep whole, rounded to whole blocks. */
  readonly keepLastMessages: number;
  readonly sandwich: {
    /** Share of the view's tokens kept at the top and at the bottom, 0 to 1. */
    readonly topFraction: number;
    readonly bottomFraction: number;
    /** Longer messages in the kept top and bottom are shortened, with a mark and a handle; the request never is. Characters. */
    readonly maxKeptCharacters: number;
  };
  readonly actionTrace: {
    /** Over so many tool calls (with their results) in the running turn all but the newest `keep` are shortened. */
    readonly trigger: number;
    readonly keep: number;
    /** A trace of more characters than this is large: the sharper pair holds for it. */
    readonly largeCharacters: number;
    readonly largeTrigger: number;
    readonly largeKeep: number;
    /** Characters that an older observation may have with its line. */
    readonly observationCharacters: number;
    /** Of fewer characters than this no model is asked to tell. */
    readonly modelCharacters: number;
  };
  readonly summary: {
    /** Tokens that one answer of a model may have: a note, or a part of what `sandwich` asks for. */
    readonly maxTokens: number;
    /** When `adaptive` asks the model: at every run, when shortening alone does not reach the target, or never. */
    readonly when: 'always' | 'whenNeeded' | 'never';
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
  summary: { maxTokens: 8000, when: 'always' },
};

/** Some of the figures. */
export type SettingsChange = { readonly [Name in keyof StrategySettings]?: Partial<StrategySettings[Name]> };

/** Settings in which what is left out has its default. */
export function withDefaults(change: SettingsChange = {}): StrategySettings {
  const { keepLastMessages, sandwich, actionTrace, summary } = DEFAULT_STRATEGY_SETTINGS;
  return {
    keepLastMessages: change.keepLastMessages ?? keepLastMessages,
    sandwich: { ...sandwich, ...given(change.sandwich) },
    actionTrace: { ...actionTrace, ...given(change.actionTrace) },
    summary: { ...summary, ...given(change.summary) },
  };
}

/** Without the fields that are undefined: they keep their defaults. */
export function given<Group extends object>(change: Group | undefined): Partial<Group> {
  return Object.fromEntries(Object.entries(change ?? {}).filter(([, value]) => value !== undefined)) as Partial<Group>;
}
