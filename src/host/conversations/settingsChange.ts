import { contentText } from '../../core/chat/parse.ts';
import { type Summarizer, SummaryRefused } from '../../core/compaction/summarizers/summarizer.ts';
import type { ConversationChange } from '../../core/conversation/conversationOptions.ts';
import { deriveBudget, type LearnedWindow } from '../../core/model/budget.ts';
import type { ModelClient } from '../../core/model/modelClient.ts';
import { CAUTIOUS_WINDOW, type ModelProfile } from '../../core/model/profile.ts';
import { sentence } from '../../language/language.ts';
import { describeReason } from '../notices/describeModelError.ts';
import type { KarlSettings } from '../settings/settingRules.ts';

/** The settings of a section, by their names without its prefix. */
type Section<Name extends string> = {
  readonly [Key in keyof KarlSettings as Key extends `${Name}.${infer Rest}` ? Rest : never]: KarlSettings[Key];
};

function section<Name extends string>(settings: KarlSettings, name: Name): Section<Name> {
  const entries = Object.entries(settings).filter(([key]) => key.startsWith(`${name}.`));
  return Object.fromEntries(entries.map(([key, value]) => [key.slice(name.length + 1), value])) as Section<Name>;
}

/** What the settings determine in a conversation, except for its profile and tools. */
export function changeForSettings(settings: KarlSettings): ConversationChange {
  const { strategy, fallbackStrategy, keepLastMessages } = settings;
  const { tokens, messages, ...thresholds } = section(settings, 'thresholds');
  return {
    strategy,
    fallback: fallbackStrategy === 'none' ? undefined : fallbackStrategy,
    settings: {
      keepLastMessages,
      sandwich: section(settings, 'sandwich'),
      actionTrace: section(settings, 'actionTrace'),
      summary: section(settings, 'summary'),
    },
    thresholds: { ...thresholds, tokens: tokens ?? undefined, messages: messages ?? undefined },
  };
}

/** A summarizer that asks a model. Its input limit follows from the model's window as known when a note is written. */
export function createModelSummarizer(
  client: ModelClient,
  profile: ModelProfile,
  findWindow: () => LearnedWindow | undefined,
): Summarizer {
  return {
    model: profile.id,
    outputLimit: profile.outputLimit,
    price: profile.price,
    get inputLimit() {
      const unused = { tokens: 0, source: 'counted' } as const;
      const { windowSource, limit } = deriveBudget(profile, unused, { learned: findWindow() });
      // A summary must not fail because the window is unknown.
      return windowSource === 'unknown' ? CAUTIOUS_WINDOW : limit;
    },
    write: async ({ messages, maxTokens, signal }) => {
      const reply = await client.complete({ profile, messages, tools: [], maxTokens }, () => undefined, signal);
      if (!reply.ok) {
        const { error } = reply.error;
        const why = sentence('{0} could not write a summary: {1}', profile.id, describeReason(error));
        throw new SummaryRefused(why, error);
      }
      const { message, usage, finishReason } = reply.value;
      return { text: contentText(message), complete: finishReason !== 'length', usage };
    },
  };
}
