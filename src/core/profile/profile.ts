/** How tool calls are sent: as the API's own `tool_calls`, or as text that Karl parses. */
export type Envelope = 'standard' | 'json' | 'xml';

/** The public tokenizer whose counts are closest to the model's own. */
export type Encoding = 'o200k_base' | 'cl100k_base';

/**
 * How a provider charges for images, by its documentation. `tiles`: a base, and a price for each 512-pixel tile
 * (OpenAI); `patches`: 32-pixel patches, at most `most`, times `factor` (OpenAI's small models); `area`: `pixels` per
 * token, after the longer side is reduced to `longest` (Anthropic).
 */
export type ImageRule =
  | { readonly kind: 'tiles'; readonly base: number; readonly tile: number }
  | { readonly kind: 'patches'; readonly most: number; readonly factor: number }
  | { readonly kind: 'area'; readonly pixels: number; readonly longest: number };

/**
 * What is known about a model, from its server to how Karl must talk to it. Limits and the reserve are in tokens,
 * `timeoutMs` in milliseconds, prices in US dollars per million tokens. An unknown window is `undefined`, never 0.
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

/**
 * Where a window is needed and none is known: for the reserve, and for a model that writes summaries. Nothing is compacted
 * because of it. Tokens.
 */
export const CAUTIOUS_WINDOW = 8192;
