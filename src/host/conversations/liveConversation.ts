import type { StrategySettings } from '../../core/compaction/strategy.ts';
import { type Summarizer, SummaryRefused } from '../../core/compaction/summarizers/summarizer.ts';
import { Conversation } from '../../core/conversation/conversation.ts';
import type { ConversationChange, ConversationOptions } from '../../core/conversation/conversationOptions.ts';
import type { KarlEvent } from '../../core/events/event.ts';
import { english } from '../../core/language.ts';
import { contentText } from '../../core/messages/parse.ts';
import { deriveBudget, type LearnedWindow } from '../../core/model/budget.ts';
import { parseCalibration } from '../../core/model/calibration.ts';
import { CAUTIOUS_WINDOW, type ModelProfile } from '../../core/model/profile.ts';
import { originOf } from '../../core/model/providers.ts';
import type { ResolvedProfile } from '../../core/model/resolve.ts';
import type { OpenConversation, StorageProblem } from '../../core/session/conversationStore.ts';
import type { ModelClient } from '../../core/session/modelClient.ts';
import type { KarlSettings } from '../../core/session/settings.ts';
import type { Encoding, TextCounter } from '../../core/tokens/counter.ts';
import { describeFault } from '../notices/describeModelError.ts';
import { ActiveConversation } from './activeConversation.ts';
import type { LeadingAgent } from './openThread.ts';
import { CONVERSATION_PORTS } from './system.ts';

/** What a live conversation is made with. */
interface LiveParts {
  readonly file: OpenConversation;
  readonly resolved: ResolvedProfile;
  readonly change: ConversationChange;
  /** What is known of the model's window. */
  readonly window: LearnedWindow | undefined;
  readonly counter: TextCounter;
  readonly beforeCompact: NonNullable<ConversationOptions['beforeCompact']>;
  readonly createAgent: (active: ActiveConversation) => LeadingAgent;
  readonly onEvent: (active: ActiveConversation, event: KarlEvent) => void;
  readonly onProblem: (problem: StorageProblem) => void;
}

/** Makes the live conversation of a file, as it was stored; in slices, however long it is. */
export async function openLiveConversation(parts: LiveParts): Promise<ActiveConversation> {
  const { file, resolved, change, counter } = parts;
  const { transcript, details } = file.stored;
  const calibration = parseCalibration(details.state?.calibration);
  const conversation = await Conversation.open({
    ...change,
    profile: resolved.profile,
    counter,
    beforeCompact: parts.beforeCompact,
    ports: CONVERSATION_PORTS,
    restore: {
      version: 1,
      transcript,
      compactions: details.compactions,
      pins: details.pins,
      ...(details.undone !== undefined && { undone: details.undone }),
      ...(parts.window !== undefined && { learnedWindow: parts.window }),
      ...(calibration !== undefined && { calibration }),
    },
  });
  const { onProblem, createAgent } = parts;
  const active = new ActiveConversation({ file, conversation, resolved, createAgent, onProblem });
  conversation.on((event) => parts.onEvent(active, event));
  return active;
}

/** What the settings determine in a conversation, except its profile and its tools. */
export function changeForSettings(settings: KarlSettings): ConversationChange {
  const { fallbackStrategy, 'thresholds.tokens': tokens, 'thresholds.messages': messages } = settings;
  const strategySettings: StrategySettings = {
    keepLastMessages: settings.keepLastMessages,
    sandwich: {
      topFraction: settings['sandwich.topFraction'],
      bottomFraction: settings['sandwich.bottomFraction'],
      maxKeptCharacters: settings['sandwich.maxKeptCharacters'],
    },
    actionTrace: {
      trigger: settings['actionTrace.trigger'],
      keep: settings['actionTrace.keep'],
      largeCharacters: settings['actionTrace.largeCharacters'],
      largeTrigger: settings['actionTrace.largeTrigger'],
      largeKeep: settings['actionTrace.largeKeep'],
      observationCharacters: settings['actionTrace.observationCharacters'],
      modelCharacters: settings['actionTrace.modelCharacters'],
    },
    summary: {
      maxTokens: settings['summary.maxTokens'],
      when: settings['summary.when'],
      check: settings['summary.check'],
    },
  };
  return {
    strategy: settings.strategy,
    fallback: fallbackStrategy === 'none' ? undefined : fallbackStrategy,
    settings: strategySettings,
    thresholds: {
      fraction: settings['thresholds.fraction'],
      target: settings['thresholds.target'],
      tokens: tokens ?? undefined,
      messages: messages ?? undefined,
      keepMessages: settings['thresholds.keepMessages'],
    },
  };
}

/** What a summarizer is made with. */
interface SummarizerMakers {
  readonly client: () => ModelClient;
  readonly resolve: (model: string) => ModelProfile;
  /**
   * The conversation belongs to another server: its text goes to that server alone, whatever model the settings name.
   */
  readonly isForeign?: boolean;
  /** What is known of a model's window by now. */
  readonly findWindow: (profile: ModelProfile) => LearnedWindow | undefined;
}

/**
 * The model that writes notes: that of `karl.summary.model`, or the session's. None without a server. The client is
 * made with the first note: under `heuristic` never.
 */
export function chooseSummarizer(
  settings: KarlSettings,
  profile: ModelProfile,
  makers: SummarizerMakers,
): ConversationChange {
  if (profile.baseUrl === undefined) return { summarizer: undefined };
  const named = settings['summary.model'];
  const other = named === '' ? profile : makers.resolve(named);
  const isElsewhere = originOf(other.baseUrl ?? '') !== originOf(profile.baseUrl);
  const chosen = makers.isForeign === true && isElsewhere ? profile : other;
  return { summarizer: createModelSummarizer(makers.client, chosen, () => makers.findWindow(chosen)) };
}

/** The counters of this window, one for each encoding. */
interface Counters<Counter> {
  find(encoding: Encoding): Counter;
  all(): readonly Counter[];
}

/** Makes a counter for each encoding when it is first needed, and keeps it. */
export function keepCounters<Counter extends TextCounter>(create: (encoding: Encoding) => Counter): Counters<Counter> {
  const counters = new Map<Encoding, Counter>();
  return {
    find: (encoding) => {
      const counter = counters.get(encoding) ?? create(encoding);
      counters.set(encoding, counter);
      return counter;
    },
    all: () => [...counters.values()],
  };
}

const UNUSED = { tokens: 0, source: 'counted' } as const;

/**
 * A summarizer that asks a model. The profile's extras go with its requests as with all others; its input limit follows
 * from the window that is known of the model when a note is written.
 */
export function createModelSummarizer(
  client: () => ModelClient,
  profile: ModelProfile,
  findWindow: () => LearnedWindow | undefined,
): Summarizer {
  return {
    model: profile.id,
    ...(profile.outputLimit !== undefined && { outputLimit: profile.outputLimit }),
    price: profile.price,
    get inputLimit() {
      const { windowSource, limit } = deriveBudget(profile, UNUSED, { learned: findWindow() });
      // A summary must never fail on a window that nobody knows.
      return windowSource === 'unknown' ? CAUTIOUS_WINDOW : limit;
    },
    write: async ({ messages, maxTokens, signal }) => {
      const reply = await client().complete({ profile, messages, tools: [], maxTokens }, () => undefined, signal);
      if (!reply.ok) {
        const { error } = reply.error;
        throw new SummaryRefused(
          english('{0} could not write a summary: {1}', profile.id, describeFault(error)),
          error,
        );
      }
      const text = contentText(reply.value.message);
      if (text.trim() === '') throw new Error(english('{0} wrote an empty summary', profile.id));
      const { usage, finishReason } = reply.value;
      return { text, complete: finishReason !== 'length', ...(usage !== undefined && { usage }) };
    },
  };
}
