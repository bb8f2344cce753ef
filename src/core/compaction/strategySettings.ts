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
  readonly summary: {
    /** Tokens that one answer of a model may have: a note, or a part of what `sandwich` asks for. */
    readonly maxTokens: number;
    /** When `adaptive` asks the model: at every run, when shortening alone does not reach the target, or never. */
    readonly when: 'always' | 'whenNeeded' | 'never';
    /** Name of the model that writes notes, for the receipt; absent = the session's own. */
    readonly model?: string;
  };
}

/** Defaults of DESIGN section 5. */
export const DEFAULT_STRATEGY_SETTINGS: StrategySettings = {
  keepLastMessages: 10,
  sandwich: { topFraction: 0.2, bottomFraction: 0.3, maxKeptCharacters: 5000 },
  summary: { maxTokens: 8000, when: 'always' },
};

/** Some of the figures. */
export type SettingsChange = { readonly [Name in keyof StrategySettings]?: Partial<StrategySettings[Name]> };

/** Settings in which what is left out has its default. */
export function withDefaults(change: SettingsChange = {}): StrategySettings {
  const { keepLastMessages, sandwich, summary } = DEFAULT_STRATEGY_SETTINGS;
  return {
    keepLastMessages: change.keepLastMessages ?? keepLastMessages,
    sandwich: { ...sandwich, ...change.sandwich },
    summary: { ...summary, ...change.summary },
  };
}
