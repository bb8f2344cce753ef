import type { Encoding, ImageRule } from '../tokens/counter.ts';

/** How tool calls are sent: as the API's `tool_calls`, or as text that Karl parses. */
export type Envelope = 'standard' | 'json' | 'xml';

/**
 * What is known about a model and how Karl must talk to it. Limits and the reserve are in tokens, `timeoutMs` in
 * milliseconds, prices in US dollars per million tokens. An unknown window is `undefined`, never 0.
 */
export interface ModelProfile {
  /** The model's id as the server knows it. */
  readonly id: string;
  /** The provider's name, for example `openai`, `openrouter`, `lmstudio`, `ollama`, `vllm`, `llamacpp`. */
  readonly provider: string;
  readonly baseUrl?: string;
  /** The limit for input and output together. Tokens. */
  readonly contextWindow?: number;
  /** The limit for input, where the provider states less than the window. Tokens. */
  readonly inputLimit?: number;
  /** The limit for the output of one reply, where known. Tokens. */
  readonly outputLimit?: number;
  /** Tokens kept free for the completion. */
  readonly completionReserve: number;
  readonly timeoutMs: number;
  /** Whether the server accepts tool definitions; with `false` Karl describes tools in the prompt. */
  readonly tools: boolean;
  readonly envelope: Envelope;
  /** `alternating`: user and assistant must take turns, so adjacent user texts are joined in requests. */
  readonly roles?: 'free' | 'alternating';
  /** The role in which the system prompt is sent. */
  readonly systemRole?: 'system' | 'developer' | 'user';
  readonly encoding?: Encoding;
  /** The documented rule for images; without one, their tokens are estimated. */
  readonly images?: ImageRule;
  readonly price?: { readonly input: number; readonly output: number; readonly cacheRead?: number };
  /** Fields added to every request, summary requests included, for example `{ temperature: 0.2 }`. */
  readonly extra: Readonly<Record<string, unknown>>;
}

/** The time limit of a request when none is configured: as long as the OpenAI client itself waits. */
const DEFAULT_TIMEOUT_MS = 600_000;

/** Assumed for reserves and summarizers where no window is known, never to start a compaction. Tokens. */
export const CAUTIOUS_WINDOW = 8192;

/** By default an eighth of the window is reserved for the completion, but at most this many tokens. */
const LARGEST_DEFAULT_RESERVE = 32_768;
const RESERVE_SHARE = 1 / 8;

/** The completion reserve of a profile that states none. Tokens. */
function defaultReserve(window: number = CAUTIOUS_WINDOW, outputLimit: number = LARGEST_DEFAULT_RESERVE): number {
  return Math.min(Math.floor(window * RESERVE_SHARE), outputLimit, LARGEST_DEFAULT_RESERVE);
}

/** The reserve of a profile for another window; derived anew if it was derived from the window. Tokens. */
export function reserveFor(profile: ModelProfile, window: number): number {
  return isDefaultReserve(profile) ? defaultReserve(window, profile.outputLimit) : profile.completionReserve;
}

/** The window of a model that states only an input limit: that limit, all for prompts, plus the reserve. Tokens. */
export function windowAround(profile: ModelProfile, input: number): number {
  // A reserve takes at most three quarters of a window (`budget.ts`).
  if (!isDefaultReserve(profile)) return input + Math.min(profile.completionReserve, input * 3);
  const { outputLimit = LARGEST_DEFAULT_RESERVE } = profile;
  // An eighth of the window is a seventh of the rest.
  return input + Math.min(Math.floor(input / (1 / RESERVE_SHARE - 1)), outputLimit, LARGEST_DEFAULT_RESERVE);
}

/** A profile with what every profile has, where it is not stated. */
export function completeProfile(stated: Partial<ModelProfile> & Pick<ModelProfile, 'id' | 'provider'>): ModelProfile {
  return {
    ...stated,
    completionReserve: stated.completionReserve ?? defaultReserve(stated.contextWindow, stated.outputLimit),
    timeoutMs: stated.timeoutMs ?? DEFAULT_TIMEOUT_MS,
    tools: stated.tools ?? true,
    envelope: stated.envelope ?? 'standard',
    extra: stated.extra ?? {},
  };
}

function isDefaultReserve({ completionReserve, contextWindow, outputLimit }: ModelProfile): boolean {
  return completionReserve === defaultReserve(contextWindow, outputLimit);
}
