import type { Summarizer, SummaryText } from '../core/compaction/summarizers/summarizer.ts';
import type { ChatMessage, Usage } from '../core/messages/chat.ts';
import { copyData } from '../core/messages/copy.ts';
import { ASSUMED_WINDOW, type ModelProfile } from '../core/profile/profile.ts';

/**
 * Asks a model for a note: sends `messages`, allows it `maxTokens` tokens of answer, and gives its text, with the usage
 * that the server reported when receipts shall have the cost, and `complete: false` when the answer stopped at its limit
 * (`finish_reason: length`): the note is then completed by a second request, or fails. Rejects when no text can be had.
 * `signal` aborts when the run is cancelled, and when the profile's `timeoutMs` is over.
 */
export type Summarize = (request: {
  messages: ChatMessage[];
  maxTokens: number;
  signal: AbortSignal;
}) => Promise<string | { text: string; complete?: boolean; usage?: Usage }>;

/** The longest that a timer waits, milliseconds. */
const LONGEST_TIMER = 2 ** 31 - 1;

/** The caller's function as the core asks it. One that has not answered after the profile's `timeoutMs` has failed. */
export function toSummarizer(summarize: Summarize, profile: ModelProfile): Summarizer {
  const window = profile.contextWindow ?? ASSUMED_WINDOW;
  return {
    model: profile.id,
    inputLimit: Math.min(profile.inputLimit ?? window, window),
    ...(profile.outputLimit !== undefined && { outputLimit: profile.outputLimit }),
    price: profile.price,
    write: ({ messages, maxTokens, signal }) =>
      withinTime(profile, async (late) => {
        const written: unknown = await summarize({
          messages: messages.map(copyData),
          maxTokens,
          signal: AbortSignal.any([signal, late]),
        });
        const { text, complete, usage } =
          typeof written === 'string' ? { text: written } : (Object(written) as Partial<SummaryText>);
        if (typeof text !== 'string')
          throw new TypeError(`summarize must give a text, or an object with one, not ${typeof written}`);
        return { text, complete: complete !== false, ...(usage !== undefined && { usage }) };
      }),
  };
}

/** The timer keeps the process alive: whoever waits for a compaction is told how it ended. */
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
    timer = setTimeout(expire, Math.min(timeoutMs, LONGEST_TIMER));
  });
  try {
    return await Promise.race([work(late.signal), expired]);
  } finally {
    clearTimeout(timer);
  }
}
