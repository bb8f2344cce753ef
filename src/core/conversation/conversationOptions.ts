import type { LearnedWindow } from '../budget/budget.ts';
import { DEFAULT_THRESHOLDS, type Thresholds } from '../budget/thresholds.ts';
import type { StrategyId, Trigger } from '../compaction/compaction.ts';
import type { CompactorPorts } from '../compaction/compactionRun.ts';
import { DEFAULT_STRATEGY_SETTINGS, type StrategySettings } from '../compaction/strategySettings.ts';
import type { Summarizer } from '../compaction/summarizers/summarizer.ts';
import type { ChatTool } from '../messages/chat.ts';
import type { MessageId } from '../messages/message.ts';
import type { ModelProfile } from '../profile/profile.ts';
import type { TextCounter } from '../tokens/counter.ts';
import type { ConversationState } from './conversationState.ts';
import type { PreparedPreview } from './preview.ts';

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
export type Standing = Omit<ConversationChange, 'thresholds'> &
  Required<Pick<ConversationChange, 'profile' | 'tools' | 'strategy' | 'settings'>> & {
    readonly thresholds: Thresholds;
  };

/** Options with the defaults of what they leave out. */
export function standing(options: ConversationChange & Pick<Standing, 'profile'>): Standing {
  return {
    ...options,
    tools: options.tools ?? [],
    strategy: options.strategy ?? 'adaptive',
    settings: options.settings ?? DEFAULT_STRATEGY_SETTINGS,
    thresholds: { ...DEFAULT_THRESHOLDS, ...options.thresholds },
  };
}

/**
 * What stands after a change. Of the thresholds only what is named changes; a fraction cannot be taken back. Tools that say
 * the same stay the same array: they are counted once.
 */
export function withChange(before: Standing, { thresholds = {}, ...change }: ConversationChange): Standing {
  const { fraction = before.thresholds.fraction, target = before.thresholds.target } = thresholds;
  const tools = change.tools === undefined || isEqual(before.tools, change.tools) ? before.tools : change.tools;
  return { ...before, ...change, tools, thresholds: { ...before.thresholds, ...thresholds, fraction, target } };
}

function isEqual(one: unknown, other: unknown): boolean {
  return one === other || JSON.stringify(one) === JSON.stringify(other);
}

/** What decides when and how a run works, as the user sets it; and what else a run depends on. */
const CHOSEN = ['strategy', 'thresholds', 'settings'] as const;
const GIVEN = [...CHOSEN, 'profile', 'fallback', 'summarizer', 'learnedWindow', 'tools'] as const;

/** How far what stands now differs from before: in what the user chose, or only in what else a run depends on. */
export function compareStanding(before: Standing, now: Standing): 'same' | 'chosen' | 'given' {
  const differs = (name: (typeof GIVEN)[number]): boolean => !isEqual(before[name], now[name]);
  if (CHOSEN.some(differs)) return 'chosen';
  return GIVEN.some(differs) ? 'given' : 'same';
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
  /** Messages that this run keeps whole, besides those that are pinned. */
  readonly keep?: readonly MessageId[];
  /** This message and all after it stay as they are. */
  readonly upTo?: MessageId;
  /** What was previewed and is now to be recorded, as it was shown. */
  readonly preview?: PreparedPreview;
  readonly signal?: AbortSignal;
}
