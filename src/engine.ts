import { randomBytes } from 'node:crypto';
import { createExactCounter } from './adapters/tiktoken/exact.ts';
import { findRanks } from './adapters/tiktoken/findRanks.ts';
import type { LearnedWindow, WindowSource } from './core/budget/budget.ts';
import type { Thresholds } from './core/budget/thresholds.ts';
import type { StrategyId, Trigger } from './core/compaction/compaction.ts';
import type { CompactionResult } from './core/compaction/outcome.ts';
import { recalledTexts } from './core/compaction/recall/recalled.ts';
import type { Receipt } from './core/compaction/receipt.ts';
import { type SettingsChange, withDefaults } from './core/compaction/strategySettings.ts';
import type { Summarizer } from './core/compaction/summarizers/summarizer.ts';
import { Conversation as Core } from './core/conversation/conversation.ts';
import type { ConversationState } from './core/conversation/conversationState.ts';
import type { KarlEvent } from './core/events/event.ts';
import type { ChatMessage, ChatTool, Usage } from './core/messages/chat.ts';
import { copyData } from './core/messages/copy.ts';
import { contentText } from './core/messages/parse.ts';
import { parseOverrides } from './core/profile/overrides.ts';
import type { Encoding, ModelProfile } from './core/profile/profile.ts';
import { resolveProfile as resolve } from './core/profile/resolve.ts';
import { MessageCounter } from './core/tokens/messageTokens.ts';

export type { ConversationState } from './core/conversation/conversationState.ts';
export type { KarlEvent } from './core/events/event.ts';
export type { ChatMessage, ChatTool, Usage } from './core/messages/chat.ts';
export { InvalidMessageError } from './core/messages/parse.ts';
export { classifyModelError } from './core/overflow/classify.ts';
export type { ModelError } from './core/overflow/modelError.ts';
export type { ModelProfile } from './core/profile/profile.ts';
export type { Receipt, StrategyId, Thresholds };

/** Asks a model for a note. Rejects when no text can be had. With the usage that the server reported, receipts have the cost. */
export type Summarize = (request: {
  messages: ChatMessage[];
  maxTokens: number;
  signal: AbortSignal;
}) => Promise<string | { text: string; usage?: Usage }>;

/** What a conversation is opened with. */
export interface OpenOptions {
  readonly profile: ModelProfile | string;
  readonly strategy?: StrategyId;
  /** Runs when the strategy fails; default: none, a failure changes nothing. */
  readonly fallbackStrategy?: StrategyId;
  readonly tools?: readonly ChatTool[];
  readonly thresholds?: Partial<Thresholds>;
  readonly summarize?: Summarize;
  /** The model that `summarize` asks: for the receipt, and the window that its requests must fit; default: the profile's. */
  readonly summaryProfile?: ModelProfile | string;
  /** What is left out keeps its default. */
  readonly settings?: SettingsChange;
  readonly restore?: ConversationState;
}

/** The budget in tokens, with where the figures come from. */
export interface BudgetReport {
  readonly windowTokens: number;
  readonly windowSource: WindowSource;
  readonly inputLimitTokens: number;
  readonly reserveTokens: number;
  /** What prompt, tools and messages may use: min(input limit, window - reserve). */
  readonly limitTokens: number;
  readonly usedTokens: number;
  readonly source: 'reported' | 'counted' | 'estimated';
}

/** What one call of `compact` did. `tokens…` are of the messages of the view; those of the receipt are of whole requests. */
export interface CompactionReport {
  readonly kind: 'compacted' | 'skipped' | 'failed' | 'cancelled';
  readonly strategy: StrategyId;
  /** Why it was skipped or failed: a name such as `cuts-meet` or `no-summarizer`. */
  readonly reason?: string;
  /** The reason as a sentence. */
  readonly message?: string;
  readonly tokensBefore: number;
  readonly tokensAfter: number;
  readonly reachedTarget: boolean;
  /** Prompt, tools and current request alone are over the budget by this. */
  readonly overflowTokens: number;
  readonly receipt?: Receipt;
}

/** One compaction that stands. */
export interface CompactionInfo {
  readonly id: string;
  readonly at: number;
  readonly strategy: StrategyId;
  readonly trigger: Trigger;
  readonly ranges: readonly { readonly from: number; readonly to: number; readonly kind: string }[];
  /** The text of its notes. */
  readonly notes: readonly string[];
  readonly receipt: Receipt;
}

/** A conversation under a budget: the face that benchmarks, the gateway and other programs use. */
export interface Conversation {
  /** @throws InvalidMessageError (index, field) */
  append(messages: readonly ChatMessage[]): void;
  messages(): ChatMessage[];
  view(): ChatMessage[];
  budget(): BudgetReport;
  /** The trigger that an automatic run would have now; undefined when none holds. */
  due(): Trigger | undefined;
  compact(options?: {
    strategy?: StrategyId;
    targetTokens?: number;
    trigger?: Trigger;
    /** What this run is to keep, e.g. `keep the SQL`. */
    instructions?: string;
    signal?: AbortSignal;
  }): Promise<CompactionReport>;
  compactions(): CompactionInfo[];
  /**
   * Opens handles (`t41`, `t12, t40-58`) or finds words: excerpts of about 8,000 characters in all, best first. What was
   * not found is said in a sentence, before the first text or alone, with an empty handle.
   */
  recall(query: string): Promise<{ handle: string; text: string }[]>;
  undo(id?: string): boolean;
  /** @throws RangeError when `messages()` has no such index */
  pin(index: number): void;
  unpin(index: number): void;
  configure(change: {
    profile?: ModelProfile | string;
    tools?: readonly ChatTool[];
    thresholds?: Partial<Thresholds>;
    strategy?: StrategyId;
    learnedWindow?: LearnedWindow;
  }): void;
  reportUsage(usage: Usage): void;
  on(listener: (event: KarlEvent) => void): () => void;
  snapshot(): ConversationState;
}

/**
 * Opens a conversation, or restores one from its snapshot.
 * @throws InvalidMessageError when a restored message is none; TypeError when the profile has a bad field.
 */
export function openConversation(options: OpenOptions): Conversation {
  const profile = toProfile(options.profile);
  const summarizer =
    options.summarize === undefined
      ? undefined
      : toSummarizer(options.summarize, toProfile(options.summaryProfile ?? profile));
  const core = new Core({
    profile,
    counter: counterFor(profile.encoding ?? 'o200k_base'),
    ports: {
      newId: () => randomBytes(6).toString('hex'),
      now: () => Date.now(),
      elapsed: () => performance.now(),
      pause: () => new Promise((resolve) => setImmediate(resolve)),
    },
    ...(options.strategy !== undefined && { strategy: options.strategy }),
    ...(options.fallbackStrategy !== undefined && { fallback: options.fallbackStrategy }),
    ...(options.tools !== undefined && { tools: options.tools }),
    ...(options.thresholds !== undefined && { thresholds: options.thresholds }),
    settings: withDefaults(options.settings),
    ...(summarizer !== undefined && { summarizer }),
    ...(options.restore !== undefined && { restore: options.restore }),
  });
  return wrap(core);
}

function wrap(core: Core): Conversation {
  return {
    append: (messages) => void core.append(copyData(messages)),
    messages: () => core.transcript.messages.map((message) => copyData(message.wire)),
    view: () => copyData([...core.request()]),
    budget: () => {
      const { window, windowSource, inputLimit, reserve, limit, used } = core.budget();
      return {
        windowTokens: window,
        windowSource,
        inputLimitTokens: inputLimit,
        reserveTokens: reserve,
        limitTokens: limit,
        usedTokens: used.tokens,
        source: used.source,
      };
    },
    due: () => core.due(),
    compact: async (request = {}) => {
      const { trigger = 'command', ...rest } = request;
      const before = core.viewTokens();
      const result = await core.compact({ trigger, ...rest });
      return report(result, core, before);
    },
    compactions: () =>
      core.compactions().map(({ id, at, strategy, trigger, replacements, receipt }) => ({
        id,
        at,
        strategy,
        trigger,
        receipt,
        ranges: replacements.map(({ range, by }) => ({ ...range, kind: by.kind })),
        notes: replacements.filter(({ by }) => by.kind === 'note').flatMap(({ by }) => by.messages.map(contentText)),
      })),
    recall: async (query) => recalledTexts(await core.recall({ query })),
    undo: (id) => core.undo(id),
    pin: (index) => core.pin(index),
    unpin: (index) => core.unpin(index),
    configure: ({ profile, ...change }) =>
      core.configure({ ...change, ...(profile !== undefined && { profile: toProfile(profile) }) }),
    reportUsage: (usage) => core.reportUsage(usage),
    on: (listener) => core.on(listener),
    snapshot: () => copyData(core.snapshot()),
  };
}

function report(result: CompactionResult, core: Core, tokensBefore: number): CompactionReport {
  const tokensAfter = core.viewTokens();
  const overflowTokens = core.overflowTokens();
  switch (result.kind) {
    case 'compacted':
      return {
        kind: 'compacted',
        strategy: result.compaction.strategy,
        tokensBefore,
        tokensAfter,
        reachedTarget: result.reachedTarget,
        overflowTokens,
        receipt: result.receipt,
      };
    case 'skipped':
      return {
        kind: 'skipped',
        strategy: result.strategy,
        reason: result.reason,
        message: result.message,
        tokensBefore,
        tokensAfter,
        reachedTarget: result.reason === 'already-under-target',
        overflowTokens,
      };
    case 'failed':
      return {
        kind: 'failed',
        strategy: result.strategy,
        reason: result.error.kind,
        message: result.error.message,
        tokensBefore,
        tokensAfter,
        reachedTarget: false,
        overflowTokens,
      };
    case 'cancelled':
      return {
        kind: 'cancelled',
        strategy: result.strategy,
        tokensBefore,
        tokensAfter,
        reachedTarget: false,
        overflowTokens,
      };
  }
}

function toSummarizer(summarize: Summarize, profile: ModelProfile): Summarizer {
  const window = profile.contextWindow ?? 8192;
  return {
    model: profile.id,
    inputLimit: Math.min(profile.inputLimit ?? window, window),
    ...(profile.outputLimit !== undefined && { outputLimit: profile.outputLimit }),
    price: profile.price,
    write: async ({ messages, maxTokens, signal }) => {
      const written = await summarize({ messages: structuredClone([...messages]), maxTokens, signal });
      return { ...(typeof written === 'string' ? { text: written } : written), complete: true };
    },
  };
}

function toProfile(profile: ModelProfile | string): ModelProfile {
  if (typeof profile === 'string') return resolveProfile(profile);
  // The engine sends nothing itself: a profile without a server is fine here.
  const entry = Object.fromEntries(Object.entries(profile).filter(([, value]) => value !== undefined && value !== ''));
  return resolveProfile(profile.id, [entry]);
}

function counterFor(encoding: Encoding) {
  return createExactCounter(encoding, findRanks());
}

/** Exact count of a text, or of messages as a request of a chat-completions server. */
export function countTokens(input: string | readonly ChatMessage[], encoding: Encoding = 'o200k_base'): number {
  const counter = counterFor(encoding);
  return typeof input === 'string'
    ? counter.count(input).tokens
    : new MessageCounter(counter).countMessages(input).tokens;
}

/**
 * What is known of a model. `overrides` is the content of a profile file (an array of entries, or model id → entry), or
 * one entry for this model. Bad entries are left out, as in a file.
 * @throws TypeError naming the path and the reason when nothing good is left.
 */
export function resolveProfile(model: string, overrides?: unknown): ModelProfile {
  return overrides === undefined ? resolve(model).profile : resolve(model, [parseOverrides(model, overrides)]).profile;
}
