import { deriveBudget, type LearnedWindow } from '../../core/budget/budget.ts';
import { type Summarizer, SummaryRefused } from '../../core/compaction/summarizers/summarizer.ts';
import { english } from '../../core/language.ts';
import { contentText } from '../../core/messages/parse.ts';
import { CAUTIOUS_WINDOW, type ModelProfile } from '../../core/profile/profile.ts';
import type { ModelClient } from '../../core/session/modelClient.ts';
import { describeFault } from '../notices/describeModelError.ts';

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
