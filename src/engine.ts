import type { LearnedWindow, WindowSource } from './core/budget/budget.ts';
import type { Thresholds } from './core/budget/thresholds.ts';
import type { HandAct, StrategyId, Trigger } from './core/compaction/compaction.ts';
import { recalledTexts } from './core/compaction/recall/recalled.ts';
import type { Receipt } from './core/compaction/receipt.ts';
import { given, type SettingsChange, withDefaults } from './core/compaction/strategySettings.ts';
import { Conversation as Core } from './core/conversation/conversation.ts';
import type { ConversationState } from './core/conversation/conversationState.ts';
import type { KarlEvent } from './core/events/event.ts';
import type { ChatMessage, ChatTool, Usage } from './core/messages/chat.ts';
import { copyData } from './core/messages/copy.ts';
import { contentText, parseMessage } from './core/messages/parse.ts';
import { parseOverrides } from './core/profile/overrides.ts';
import type { ModelProfile } from './core/profile/profile.ts';
import { resolveProfile as resolve } from './core/profile/resolve.ts';
import { parseProfiles } from './core/profile/schema.ts';
import { COMPACT_RULES, CONFIGURE_RULES, checkArgument, checkOptions, OPEN_RULES } from './engine/checkOptions.ts';
import { CONVERSATION_PORTS } from './engine/conversationPorts.ts';
import { counterFor } from './engine/counters.ts';
import { type RecallTool, recallToolOf } from './engine/recall.ts';
import { type CompactionReport, reportOf } from './engine/report.ts';
import { type Summarize, toSummarizer } from './engine/summarizer.ts';

export type { LearnedWindow, WindowSource } from './core/budget/budget.ts';
export type { Thresholds } from './core/budget/thresholds.ts';
export type { StrategyId, Trigger } from './core/compaction/compaction.ts';
export type { Receipt } from './core/compaction/receipt.ts';
export type { SettingsChange } from './core/compaction/strategySettings.ts';
export type { ConversationState } from './core/conversation/conversationState.ts';
export type { KarlEvent } from './core/events/event.ts';
export type { ChatMessage, ChatTool, Usage } from './core/messages/chat.ts';
export { InvalidMessageError } from './core/messages/parse.ts';
export { classifyModelError } from './core/overflow/classify.ts';
export type { ModelError } from './core/overflow/modelError.ts';
export type { Encoding, ModelProfile } from './core/profile/profile.ts';
export { countTokens } from './engine/counters.ts';
export type { RecallTool } from './engine/recall.ts';
export type { CompactionReport } from './engine/report.ts';
export type { Summarize } from './engine/summarizer.ts';

/** What a conversation is opened with. What is left out keeps its default. */
export interface OpenOptions {
  /** A model id, which is looked up in the built-in figures; or an id with what is known of the model. */
  readonly profile: ModelProfile | string;
  /** Default: `adaptive`, which needs no model. */
  readonly strategy?: StrategyId;
  /** Runs when the strategy fails; default: none, a failure changes nothing. */
  readonly fallbackStrategy?: StrategyId;
  /** The tool definitions that go with each request; they count. */
  readonly tools?: readonly ChatTool[];
  readonly thresholds?: Partial<Thresholds>;
  /** Asks a model for a note. Without it `adaptive` quotes, and `karl` and `sandwich` fail with `no-summarizer`. */
  readonly summarize?: Summarize;
  /** The model that `summarize` asks: for the receipt, its time limit and the window that its requests must fit; default: the profile's. */
  readonly summaryProfile?: ModelProfile | string;
  readonly settings?: SettingsChange;
  /** What `snapshot` gave. */
  readonly restore?: ConversationState;
}

/** The budget in tokens, with where the figures come from. */
export interface BudgetReport {
  readonly windowTokens: number;
  readonly windowSource: WindowSource;
  /** What the model takes in; the window unless its provider states less. */
  readonly inputLimitTokens: number;
  /** Kept free for the completion. */
  readonly reserveTokens: number;
  /** What prompt, tools and messages may use: min(input limit, window - reserve). */
  readonly limitTokens: number;
  readonly usedTokens: number;
  /** Of `usedTokens`: the server said so, a tokenizer counted, or part of it (an image) is estimated. */
  readonly source: 'reported' | 'counted' | 'estimated';
}

/** One compaction that stands. */
export interface CompactionInfo {
  readonly id: string;
  /** Milliseconds since 1970. */
  readonly at: number;
  /** `manual`: the user chose what is replaced, and `trigger` is what they did. */
  readonly strategy: StrategyId | 'manual';
  readonly trigger: Trigger | HandAct;
  /** The raw messages that it stands for, by their index in `messages()`, both ends included. */
  readonly ranges: readonly { readonly from: number; readonly to: number; readonly kind: string }[];
  /** The text of its notes. */
  readonly notes: readonly string[];
  readonly receipt: Receipt;
}

/**
 * A conversation under a budget. Its transcript is append-only; what the model is sent, the view, is derived from it. All
 * methods but `compact` and `recall` answer at once. What they give is a copy.
 */
export interface Conversation {
  /** Takes all messages or none. @throws InvalidMessageError (index, field) */
  append(messages: readonly ChatMessage[]): void;
  /** The raw messages, as they were appended. */
  messages(): ChatMessage[];
  /** The messages of the next request. */
  view(): ChatMessage[];
  budget(): BudgetReport;
  /** The trigger that an automatic run would have now; undefined when none holds. */
  due(): Trigger | undefined;
  /**
   * Compacts the view. `targetTokens` is for its messages; default: what the thresholds aim at. `trigger` says why, for
   * the record; default: `command`. Runs never overlap: a second call joins the first. Rejects only for a bad option
   * (TypeError): the report says what happened.
   */
  compact(options?: {
    strategy?: StrategyId;
    targetTokens?: number;
    trigger?: Trigger;
    /** What this run is to keep, e.g. `keep the SQL`. */
    instructions?: string;
    signal?: AbortSignal;
  }): Promise<CompactionReport>;
  /** The compactions that stand, oldest first. */
  compactions(): CompactionInfo[];
  /**
   * Opens handles (`t41`, `t12, t40-58`) or finds words: excerpts of about 8,000 characters in all, best first. What was
   * not found is said in a sentence, before the first text or alone, with an empty handle.
   */
  recall(query: string): Promise<{ handle: string; text: string }[]>;
  /** Takes back the newest compaction, or the one named: what only it replaced returns. False when there is none. */
  undo(id?: string): boolean;
  /** Keeps a message whole from now on; one that was replaced returns. @throws RangeError when `messages()` has no such index */
  pin(index: number): void;
  /** Lets a pinned message be compacted again. */
  unpin(index: number): void;
  /** Changes what is named. A learned window beats the profile's. @throws TypeError for a bad option */
  configure(change: {
    profile?: ModelProfile | string;
    tools?: readonly ChatTool[];
    thresholds?: Partial<Thresholds>;
    strategy?: StrategyId;
    learnedWindow?: LearnedWindow;
  }): void;
  /**
   * Takes the usage that the server reported for the last `view()`: the budget is exact then, and later counts are scaled.
   * A server that reports none leaves all as it is.
   */
  reportUsage(usage: Usage | null | undefined): void;
  /** Listens to what happens; returns how to stop. Events carry no message text. */
  on(listener: (event: KarlEvent) => void): () => void;
  /** All that the conversation is, JSON-safe: `restore` makes the same conversation of it. */
  snapshot(): ConversationState;
}

const cores = new WeakMap<Conversation, Core>();

/**
 * Opens a conversation, or restores one from its snapshot.
 * @throws TypeError naming the option, or the field of the profile, and what it must be; InvalidMessageError when a
 * restored message is none.
 */
export function openConversation(options: OpenOptions): Conversation {
  checkOptions('openConversation', options, OPEN_RULES);
  if (options.profile === undefined) throw new TypeError('openConversation needs a profile: a model id or an object');
  const { strategy, fallbackStrategy, tools, thresholds, summarize, summaryProfile, settings, restore } = options;
  const profile = toProfile(options.profile);
  const core = new Core({
    profile,
    counter: counterFor(profile.encoding ?? 'o200k_base'),
    ports: CONVERSATION_PORTS,
    ...(strategy !== undefined && { strategy }),
    ...(fallbackStrategy !== undefined && { fallback: fallbackStrategy }),
    ...(tools !== undefined && { tools }),
    thresholds: given(thresholds),
    settings: withDefaults(settings),
    ...(summarize !== undefined && { summarizer: toSummarizer(summarize, toProfile(summaryProfile ?? profile)) }),
    ...(restore !== undefined && { restore }),
  });
  const conversation = wrap(core);
  cores.set(conversation, core);
  return conversation;
}

/**
 * The tool `karl_recall` of a conversation: its definition for the model, and the answer to a call.
 * @throws TypeError when it is given something else than what `openConversation` returned.
 */
export function recallTool(conversation: Conversation): RecallTool {
  const core = cores.get(conversation);
  if (core === undefined) throw new TypeError('recallTool must be given what openConversation returned');
  return recallToolOf(core);
}

function wrap(core: Core): Conversation {
  return {
    append: (messages) => {
      checkArgument('append', messages);
      // Checked before it is copied: what contains itself has no copy.
      messages.forEach((message, index) => void parseMessage(message, core.transcript.nextId + index, index));
      core.append(copyData(messages));
    },
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
      checkOptions('compact', request, COMPACT_RULES);
      const { trigger = 'command', ...rest } = request;
      await core.ready();
      const tokensBefore = core.viewTokens();
      const result = await core.compact({ trigger, ...rest });
      return reportOf(result, {
        tokensBefore,
        tokensAfter: core.viewTokens(),
        overflowTokens: core.overflowTokens(),
      });
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
    recall: async (query) => {
      checkArgument('recall', query);
      return recalledTexts(await core.recall({ query }));
    },
    undo: (id) => core.undo(id),
    pin: (index) => core.pin(index),
    unpin: (index) => core.unpin(index),
    configure: (options) => {
      checkOptions('configure', options, CONFIGURE_RULES);
      const { profile, ...change } = given(options);
      core.configure({ ...change, ...(profile !== undefined && { profile: toProfile(profile) }) });
    },
    reportUsage: (usage) => {
      checkArgument('reportUsage', usage);
      if (usage) core.reportUsage(usage);
    },
    on: (listener) => {
      checkArgument('on', listener);
      return core.on(listener);
    },
    snapshot: () => copyData(core.snapshot()),
  };
}

/** @throws TypeError naming the field. */
function toProfile(profile: ModelProfile | string): ModelProfile {
  if (typeof profile === 'string') return resolve(profile).profile;
  // The engine sends nothing itself: a profile without a server is fine here.
  const entry = Object.fromEntries(Object.entries(profile).filter(([, value]) => value !== undefined && value !== ''));
  const { layer, problems } = parseProfiles([entry], 'profile');
  const [problem] = problems;
  if (problem !== undefined) throw new TypeError(`profile${problem.path.slice('[0]'.length)}: ${problem.reason}`);
  return resolve(profile.id, [layer]).profile;
}

/**
 * What is known of a model. `overrides` is the content of a profile file (an array of entries, or model id → entry), or
 * one entry for this model. Bad entries are left out, as in a file.
 * @throws TypeError naming the path and the reason when nothing good is left, or when the model is no text.
 */
export function resolveProfile(model: string, overrides?: unknown): ModelProfile {
  if (typeof model !== 'string' || model === '') throw new TypeError('resolveProfile needs the id of a model');
  return overrides === undefined ? resolve(model).profile : resolve(model, [parseOverrides(model, overrides)]).profile;
}
