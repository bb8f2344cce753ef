import type { MessageId } from '../chat/message.ts';
import type { ReadTranscript } from '../chat/transcript.ts';
import type { ChatMessage, ChatTool } from '../chat/wire.ts';
import type { Compaction, StrategyId, Trigger } from '../compaction/compaction.ts';
import type { CompactorPorts, MadeRun } from '../compaction/compactionRun.ts';
import type { CompactionPreview } from '../compaction/preview/preview.ts';
import { DEFAULT_STRATEGY_SETTINGS, type StrategySettings } from '../compaction/strategy.ts';
import type { Summarizer } from '../compaction/summarizers/summarizer.ts';
import { DEFAULT_THRESHOLDS, type LearnedWindow, type Thresholds } from '../model/budget.ts';
import type { CalibrationState } from '../model/calibration.ts';
import type { ModelProfile } from '../model/profile.ts';
import type { Words } from '../phrase.ts';
import { isEqual } from '../result.ts';
import type { TextCounter } from '../tokens/counter.ts';
import type { UndoneCompaction, ViewBasis } from './compactedView.ts';

/** What can be changed during the life of a conversation. */
export interface ConversationChange {
  readonly profile?: ModelProfile;
  readonly tools?: readonly ChatTool[];
  readonly thresholds?: Partial<Thresholds>;
  readonly strategy?: StrategyId;
  readonly fallback?: StrategyId | undefined;
  readonly settings?: StrategySettings;
  /** `undefined` forgets the learned window. */
  readonly learnedWindow?: LearnedWindow | undefined;
  /** `undefined`: no model writes notes. */
  readonly summarizer?: Summarizer | undefined;
}

/** The settings in force: what was set last, and defaults for the rest. */
export type EffectiveSettings = Omit<ConversationChange, 'thresholds'> &
  Required<Pick<ConversationChange, 'profile' | 'tools' | 'strategy' | 'settings'>> & {
    readonly thresholds: Thresholds;
  };

/** Options with defaults for what they leave out. */
export function effectiveSettings(options: ConversationChange & Pick<EffectiveSettings, 'profile'>): EffectiveSettings {
  return {
    ...options,
    tools: options.tools ?? [],
    strategy: options.strategy ?? 'adaptive',
    settings: options.settings ?? DEFAULT_STRATEGY_SETTINGS,
    thresholds: { ...DEFAULT_THRESHOLDS, ...options.thresholds },
  };
}

/**
 * The settings after a change. Changes only the named thresholds; fraction and target cannot be unset. Equal tools stay
 * the same array, so that they are counted once.
 */
export function withChange(
  before: EffectiveSettings,
  { thresholds = {}, ...change }: ConversationChange,
): EffectiveSettings {
  const { fraction = before.thresholds.fraction, target = before.thresholds.target } = thresholds;
  const tools = change.tools === undefined || isEqual(before.tools, change.tools) ? before.tools : change.tools;
  return { ...before, ...change, tools, thresholds: { ...before.thresholds, ...thresholds, fraction, target } };
}

/** What the user sets to decide when and how a run works; and everything that a run depends on. */
const USER_SETTINGS = ['strategy', 'thresholds', 'settings'] as const;
const RUN_INPUTS = [...USER_SETTINGS, 'profile', 'fallback', 'summarizer', 'learnedWindow', 'tools'] as const;

/** How settings differ from before: not at all, in what the user chose, or only in something else that runs depend on. */
export function compareSettings(before: EffectiveSettings, now: EffectiveSettings): 'same' | 'chosen' | 'given' {
  const differs = (name: (typeof RUN_INPUTS)[number]): boolean => !isEqual(before[name], now[name]);
  if (USER_SETTINGS.some(differs)) return 'chosen';
  return RUN_INPUTS.some(differs) ? 'given' : 'same';
}

/** The largest requests that servers accepted, in tokens, by model and server (`profileKey`). */
export interface AcceptedSizes {
  get(key: string): number | undefined;
  set(key: string, tokens: number): unknown;
  delete(key: string): unknown;
}

/** What a conversation is made of. */
export interface ConversationOptions extends ConversationChange {
  readonly profile: ModelProfile;
  readonly counter: TextCounter;
  readonly ports: CompactorPorts;
  readonly restore?: ConversationState | StoredState | undefined;
  /** What servers accepted before; by default nothing is known, and nothing is kept. */
  readonly acceptedSizes?: AcceptedSizes;
  /** Called before every run. A returned reason for the user stops the run before it changes anything. */
  readonly beforeCompact?: (about: CompactionAbout, signal?: AbortSignal) => Promise<Words | undefined>;
}

/** The run about to start. Tokens are those of the whole request. */
export interface CompactionAbout {
  readonly trigger: Trigger;
  readonly strategy: StrategyId;
  /** The conversation's model, not the summarizer's. */
  readonly model: string;
  readonly instructions?: string | undefined;
  readonly tokens: { readonly before: number; readonly limit: number };
}

/** A request to compact. */
export interface CompactRequest {
  readonly trigger: Trigger;
  readonly strategy?: StrategyId | undefined;
  /** Tokens of the view's messages, without what the model has not read; default: the target of the thresholds. */
  readonly targetTokens?: number | undefined;
  /** What this run should keep, in the user's words, for example `keep the SQL`. */
  readonly instructions?: string | undefined;
  /** Messages that this run keeps whole, besides those that are pinned. */
  readonly keep?: readonly MessageId[] | undefined;
  /** This message and all later ones stay as they are. */
  readonly upTo?: MessageId | undefined;
  /** A preview to record as it was shown. */
  readonly preview?: PreparedPreview | undefined;
  readonly signal?: AbortSignal | undefined;
}

/** The whole state of a conversation, JSON-safe: `restore` recreates the conversation from it. */
export interface ConversationState {
  readonly version: 1;
  readonly messages: readonly ChatMessage[];
  readonly compactions: readonly Compaction[];
  readonly pins: readonly MessageId[];
  /** Records that were undone; absent when there are none. */
  readonly undone?: readonly UndoneCompaction[] | undefined;
  readonly learnedWindow?: LearnedWindow | undefined;
  readonly calibration?: CalibrationState | undefined;
}

/** A stored state, whose messages were parsed when they were read. */
export interface StoredState extends Omit<ConversationState, 'messages'> {
  readonly transcript: ReadTranscript;
}

/** A run that is not yet recorded; `conversation.compact({ ...request, preview })` records it. */
export interface PreparedPreview {
  readonly shown: CompactionPreview;
  readonly request: CompactRequest;
  readonly made: MadeRun;
  /** The records and pins that the run was made for. */
  readonly basis: ViewBasis;
}
