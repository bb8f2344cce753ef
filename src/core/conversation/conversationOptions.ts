import type { LearnedWindow } from '../budget/budget.ts';
import type { Thresholds } from '../budget/thresholds.ts';
import type { StrategyId, Trigger } from '../compaction/compaction.ts';
import type { CompactorPorts } from '../compaction/compactionRun.ts';
import { DEFAULT_STRATEGY_SETTINGS, type StrategySettings } from '../compaction/strategySettings.ts';
import type { Summarizer } from '../compaction/summarizers/summarizer.ts';
import type { ChatTool } from '../messages/chat.ts';
import type { ModelProfile } from '../profile/profile.ts';
import type { TextCounter } from '../tokens/counter.ts';
import type { ConversationState } from './conversationState.ts';

/** What can be changed while a conversation lives. */
export interface ConversationChange {
  readonly profile?: ModelProfile;
  readonly tools?: readonly ChatTool[];
  readonly thresholds?: Partial<Thresholds>;
  readonly strategy?: StrategyId;
  readonly fallback?: StrategyId | undefined;
  readonly settings?: StrategySettings;
  /** `undefined` forgets what was learned. */
  readonly learnedWindow?: LearnedWindow | undefined;
  /** `undefined` = no model writes notes. */
  readonly summarizer?: Summarizer | undefined;
}

/** What was last set, with the defaults. */
export type Standing = ConversationChange &
  Required<Pick<ConversationChange, 'profile' | 'tools' | 'strategy' | 'settings'>>;

/** Options with the defaults of what they leave out. */
export function standing(options: ConversationChange & Pick<Standing, 'profile'>): Standing {
  return {
    ...options,
    tools: options.tools ?? [],
    strategy: options.strategy ?? 'adaptive',
    settings: options.settings ?? DEFAULT_STRATEGY_SETTINGS,
  };
}

/** What a conversation is made of. */
export interface ConversationOptions extends ConversationChange {
  readonly profile: ModelProfile;
  readonly counter: TextCounter;
  readonly ports: CompactorPorts;
  readonly restore?: ConversationState;
  /** Asked before every run; a reason (a sentence for the user) lets it change nothing. */
  readonly beforeCompact?: (about: CompactionAbout, signal?: AbortSignal) => Promise<string | undefined>;
}

/** What is about to run. Tokens are of the whole request. */
export interface CompactionAbout {
  readonly trigger: Trigger;
  readonly strategy: StrategyId;
  /** Of the conversation. */
  readonly model: string;
  readonly instructions?: string;
  readonly usedTokens: number;
  readonly limitTokens: number;
}

/** One run of compaction. */
export interface CompactRequest {
  readonly trigger: Trigger;
  readonly strategy?: StrategyId;
  /** For the messages of the view, tokens; default: what the thresholds aim at. */
  readonly targetTokens?: number;
  /** What this run is to keep, in the user's words, e.g. `keep the SQL`. */
  readonly instructions?: string;
  readonly signal?: AbortSignal;
}
