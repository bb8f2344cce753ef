import { NODE_PORTS } from './adapters/node/slices.ts';
import { readUsage } from './adapters/openai/readUsage.ts';
import { parseJson } from './core/chat/parseJson.ts';
import { type ChatMessage, type ChatTool, copyData, withoutOwn } from './core/chat/wire.ts';
import type { StrategyId, Trigger } from './core/compaction/compaction.ts';
import { recalledTexts } from './core/compaction/recall/excerpts.ts';
import { given, type SettingsChange, withDefaults } from './core/compaction/strategy.ts';
import { Conversation as Core } from './core/conversation/conversation.ts';
import type { ConversationState } from './core/conversation/conversationOptions.ts';
import type { KarlEvent } from './core/events/event.ts';
import { type LearnedWindow, overflowTokens, type Thresholds, type WindowSource } from './core/model/budget.ts';
import { makeRecallTool } from './core/session/recallTool.ts';
import { checkOptions, checkTogether } from './engine/checkOptions.ts';
import { counterFor } from './engine/counters.ts';
import {
  checkMessages,
  type GivenMessage,
  type GivenProfile,
  type GivenTool,
  type GivenUsage,
  toProfile,
  toTools,
} from './engine/given.ts';
import { type CompactionInfo, type CompactionReport, infoOf, reportOf } from './engine/report.ts';
import { type Summarize, toSummarizer } from './engine/summarizer.ts';

export { InvalidMessageError } from './core/chat/parse.ts';
export type { ChatMessage, ChatTool, Usage } from './core/chat/wire.ts';
export type { Receipt, StrategyId, Trigger } from './core/compaction/compaction.ts';
export type { SettingsChange } from './core/compaction/strategy.ts';
export type { ConversationState } from './core/conversation/conversationOptions.ts';
export type { KarlEvent } from './core/events/event.ts';
export type { LearnedWindow, Thresholds, WindowSource } from './core/model/budget.ts';
export type { ModelError } from './core/model/classify.ts';
export { classifyModelError } from './core/model/classify.ts';
export type { ModelProfile } from './core/model/profile.ts';
export type { Encoding } from './core/tokens/counter.ts';
export { countTokens } from './engine/counters.ts';
export { resolveProfile } from './engine/given.ts';
export type { CompactionInfo, CompactionReport } from './engine/report.ts';
export type { Summarize } from './engine/summarizer.ts';
export { inEnglish } from './language/language.ts';

/** The options of a conversation. All but `profile` have defaults. */
export interface OpenOptions {
  /** A model id, to be looked up in the built-in figures; or an id together with what is known about the model. */
  readonly profile: GivenProfile;
  /** Default: `adaptive`, which needs no model. */
  readonly strategy?: StrategyId;
  /** Runs if the strategy fails; default: none, so that a failure changes nothing. */
  readonly fallbackStrategy?: StrategyId;
  /** The tool definitions sent with each request; the budget counts them. */
  readonly tools?: readonly GivenTool[];
  readonly thresholds?: Partial<Thresholds>;
  /** Asks a model for a note. Without it `adaptive` quotes, and `karl` and `sandwich` fail with `no-summarizer`. */
  readonly summarize?: Summarize;
  /**
   * The model that `summarize` asks: for the receipt, the time limit and the window that its requests must fit;
   * default: the profile's.
   */
  readonly summaryProfile?: GivenProfile;
  readonly settings?: SettingsChange;
  /** What `snapshot` returned. */
  readonly restore?: ConversationState;
}

/** The budget in tokens, and where the figures come from. */
export interface BudgetReport {
  readonly windowTokens: number;
  readonly windowSource: WindowSource;
  /** What the model accepts as input: the window, unless its provider states less. */
  readonly inputLimitTokens: number;
  /** Kept free for the completion. */
  readonly reserveTokens: number;
  /** What prompt, tools and messages may use: min(input limit, window - reserve). */
  readonly limitTokens: number;
  readonly usedTokens: number;
  /** The source of `usedTokens`: reported by the server, counted by a tokenizer, or partly estimated (an image). */
  readonly source: 'reported' | 'counted' | 'estimated';
}

/**
 * A conversation under a budget. Its transcript is append-only; the view, which is sent to the model, is derived from it.
 * Only `compact` and `recall` take time. All data is copied on the way in and out.
 */
export interface Conversation {
  /** Appends all messages or none. @throws InvalidMessageError (index, field) */
  append(messages: readonly GivenMessage[]): void;
  /** The raw messages, as they were appended. */
  messages(): ChatMessage[];
  /**
   * The messages of the next request, in the type that your client has for messages:
   * `const messages: ChatCompletionMessageParam[] = conversation.view()`.
   */
  view<Message extends object = ChatMessage>(): Message[];
  budget(): BudgetReport;
  /** The trigger of a run that is due now; undefined if none is, and while a call has no result yet. */
  due(): Trigger | undefined;
  /**
   * Compacts the view. `targetTokens` applies to its messages without those that the model has not answered; default: the
   * target of the thresholds. `trigger` is recorded as the reason; default: `command`. Runs never overlap: a second call
   * joins the first, or runs after it if it is a command with its own strategy, target or instructions. Rejects only for
   * an invalid option (TypeError): the report says what happened.
   */
  compact(options?: {
    strategy?: StrategyId;
    targetTokens?: number;
    trigger?: Trigger;
    /** What this run should keep, e.g. `keep the SQL`. */
    instructions?: string;
    signal?: AbortSignal;
  }): Promise<CompactionReport>;
  /** The compactions in effect, oldest first. */
  compactions(): CompactionInfo[];
  /**
   * Opens handles (`t41`, `t12, t40-58`, lines as in `t13:100-165`) or finds words (best first): about 8,000 characters
   * in all, and the call for the rest. If something was not found, the first entry has an empty handle and says so.
   */
  recall(query: string): Promise<{ handle: string; text: string }[]>;
  /** Undoes the newest compaction, or the one with this id, and restores what it alone replaced. False: there is none. */
  undo(id?: string): boolean;
  /**
   * Keeps a message whole from now on, restoring it if it was replaced. @throws RangeError if `messages()` has no such
   * index
   */
  pin(index: number): void;
  /** Lets a pinned message be compacted again. */
  unpin(index: number): void;
  /** Changes the given options. A learned window takes precedence over the profile's. @throws TypeError for an invalid option */
  configure(change: {
    profile?: GivenProfile;
    tools?: readonly GivenTool[];
    thresholds?: Partial<Thresholds>;
    strategy?: StrategyId;
    learnedWindow?: LearnedWindow;
  }): void;
  /**
   * Takes the usage that the server reported for the last `view()`, which makes the budget exact and scales later counts.
   * Does nothing without usage.
   */
  reportUsage(usage: GivenUsage | null | undefined): void;
  /**
   * Calls the listener for every event; returns a function that removes it. Message text occurs only inside compaction
   * records.
   */
  on(listener: (event: KarlEvent) => void): () => void;
  /** The whole state of the conversation, JSON-safe, for `restore`. */
  snapshot(): ConversationState;
}

const cores = new WeakMap<Conversation, Core>();

/**
 * Opens a conversation, or restores one from its snapshot.
 * @throws TypeError naming the option or profile field and what it must be; InvalidMessageError if a restored message is
 * not valid.
 */
export function openConversation(options: OpenOptions): Conversation {
  checkOptions('openConversation', options);
  if (options.profile === undefined) throw new TypeError('openConversation needs a profile: a model id or an object');
  const { strategy, fallbackStrategy, tools, thresholds, summarize, summaryProfile, settings, restore } = options;
  const profile = toProfile(options.profile, 'profile');
  checkTogether(options, profile);
  // Check before copying: an object that contains itself cannot be copied.
  if (restore !== undefined) checkMessages(restore.messages);
  const core = new Core({
    profile,
    counter: counterFor(profile.encoding ?? 'o200k_base'),
    ports: NODE_PORTS,
    ...given({ strategy, tools: tools && toTools(tools) }),
    fallback: fallbackStrategy,
    thresholds: given(thresholds),
    settings: withDefaults(settings),
    summarizer: summarize && toSummarizer(summarize, toProfile(summaryProfile ?? profile, 'summaryProfile')),
    restore: restore && copyData(restore),
  });
  const conversation = wrap(core);
  cores.set(conversation, core);
  return conversation;
}

/** The tool `karl_recall` of a conversation, which its views tell the model to call. */
export interface RecallTool {
  /** Send it with the other tools in each request, and pass it to `configure`, so that the budget counts it. */
  readonly definition: ChatTool;
  /**
   * The content of the tool message that answers a call, cut to a quarter of the free budget (at least 2,000 characters).
   * `args`: the arguments of the model's call, as text or parsed. Never rejects: the answer explains a wrong call to the
   * model.
   */
  answer(args: unknown): Promise<string>;
}

/**
 * The tool `karl_recall` of a conversation: its definition for the model, and the answer to a call.
 * @throws TypeError when given anything but what `openConversation` returned.
 */
export function recallTool(conversation: Conversation): RecallTool {
  const core = cores.get(conversation);
  if (core === undefined) throw new TypeError('recallTool must be given what openConversation returned');
  const { definition, run } = makeRecallTool(core);
  return {
    definition: copyData(definition),
    answer: async (args) => {
      const parsed = typeof args === 'string' ? parseJson(args) : args;
      if (parsed === undefined) return 'Error: the arguments are not JSON; give an object such as {"query": "t41"}.';
      return (await run(parsed, new AbortController().signal)).text;
    },
  };
}

function wrap(core: Core): Conversation {
  return {
    append: (messages) => {
      checkOptions('append', messages);
      // Check before copying, as above.
      checkMessages(messages);
      core.append(copyData(messages));
    },
    messages: () => core.transcript.messages.map((message) => copyData(message.wire)),
    view: <Message extends object>() => copyData(core.request().map((message) => withoutOwn(message))) as Message[],
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
      checkOptions('compact', request);
      const { trigger = 'command', ...rest } = request;
      await core.ready();
      const tokensBefore = core.viewTokens();
      const result = await core.compact({ trigger, ...rest });
      const figures = { tokensBefore, tokensAfter: core.viewTokens(), overflowTokens: overflowTokens(core.budget()) };
      return copyData(reportOf(result, figures));
    },
    compactions: () => core.compactions().map(infoOf),
    recall: async (query) => {
      checkOptions('recall', query);
      return recalledTexts(await core.recall({ query }));
    },
    undo: (id) => core.undo(id),
    pin: (index) => {
      checkOptions('pin', index);
      core.pin(index);
    },
    unpin: (index) => {
      checkOptions('unpin', index);
      core.unpin(index);
    },
    configure: (options) => {
      checkOptions('configure', options);
      const { profile: model, tools, ...change } = given(options);
      const profile = model === undefined ? undefined : toProfile(model, 'profile');
      checkTogether(change, profile);
      core.configure(given({ ...copyData(change), profile, tools: tools && toTools(tools) }));
    },
    reportUsage: (usage) => {
      checkOptions('reportUsage', usage);
      const checked = readUsage(usage);
      if (checked !== undefined) core.reportUsage(checked);
    },
    on: (listener) => {
      checkOptions('on', listener);
      return core.on((event) => listener(copyData(event)));
    },
    snapshot: () => copyData(core.snapshot()),
  };
}
