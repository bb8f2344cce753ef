import { LONGEST_TIMER_MS } from '../adapters/node/slices.ts';
import { readUsage } from '../adapters/openai/readUsage.ts';
import type { PromptMessage, Summarizer } from '../core/compaction/summarizers/summarizer.ts';
import { CAUTIOUS_WINDOW, type ModelProfile } from '../core/model/profile.ts';
import type { GivenUsage } from './given.ts';

/**
 * Asks a model for a note. Send it `messages`, limit its answer to `maxTokens` tokens and return its text; with the
 * `usage` that the server reported, if receipts are to show the cost, and with `complete: false` when the answer
 * stopped at its limit (`finish_reason: length`): the note is then completed by a second request, or fails. Reject when
 * there is no text. `signal` aborts when the run is cancelled, and when the profile's `timeoutMs` is over. Do not wait for
 * `compact` of the same conversation in it: that waits for this run.
 */
export type Summarize = (request: {
  messages: PromptMessage[];
  maxTokens: number;
  signal: AbortSignal;
}) => Promise<string | { text: string; complete?: boolean | undefined; usage?: GivenUsage | null | undefined }>;

/** Adapts the caller's function for the core. A call fails after the profile's `timeoutMs` without an answer. */
export function toSummarizer(summarize: Summarize, profile: ModelProfile): Summarizer {
  const window = profile.contextWindow ?? CAUTIOUS_WINDOW;
  return {
    model: profile.id,
    inputLimit: Math.min(profile.inputLimit ?? window, window),
    outputLimit: profile.outputLimit,
    price: profile.price,
    write: ({ messages, maxTokens, signal }) =>
      withinTime(profile, async (late) => {
        const written: unknown = await summarize({
          messages: messages.map((message) => ({ ...message })),
          maxTokens,
          signal: AbortSignal.any([signal, late]),
        });
        const { text, complete, usage }: { text?: unknown; complete?: unknown; usage?: unknown } =
          typeof written === 'string' ? { text: written } : Object(written);
        if (typeof text !== 'string')
          throw new TypeError(`summarize must return a text, or an object with one, not ${typeof written}`);
        return { text, complete: complete !== false, usage: readUsage(usage) };
      }),
  };
}

/** The timer keeps the process alive, so that a caller that awaits a compaction gets its result. */
async function withinTime<Value>(
  { id, timeoutMs }: ModelProfile,
  work: (late: AbortSignal) => Promise<Value>,
): Promise<Value> {
  const late = new AbortController();
  let timer: ReturnType<typeof setTimeout> | undefined;
  const expired = new Promise<never>((_, reject) => {
    const expire = (): void => {
      const error = new Error(`The summarizer did not answer within ${timeoutMs} ms (timeoutMs of the profile ${id}).`);
      reject(error);
      late.abort(error);
    };
    timer = setTimeout(expire, Math.min(timeoutMs, LONGEST_TIMER_MS));
  });
  try {
    return await Promise.race([work(late.signal), expired]);
  } finally {
    clearTimeout(timer);
  }
}
