/** How tool calls travel: as the API's own `tool_calls`, or as text that Karl parses. */
export type Envelope = 'standard' | 'json' | 'xml';

/** Public tokenizer whose counts come nearest to the model's own. */
export type Encoding = 'o200k_base' | 'cl100k_base';

/**
 * How a provider charges images, as it documents it. `tiles`: a base and a price for each 512 pixel tile (OpenAI);
 * `patches`: 32 pixel patches, at most `most`, times `factor` (OpenAI's small models); `area`: pixels for one token,
 * the longer side brought down to `longest` first (Anthropic).
 */
export type ImageRule =
  | { readonly kind: 'tiles'; readonly base: number; readonly tile: number }
  | { readonly kind: 'patches'; readonly most: number; readonly factor: number }
  | { readonly kind: 'area'; readonly pixels: number; readonly longest: number };

/**
 * What is known of a model: seed of the rule "model configuration is harness behaviour". Token figures are tokens,
 * `timeoutMs` milliseconds, prices US dollars for a million tokens. An unknown window is `undefined`, never 0.
 */
export interface ModelProfile {
  /** Model id as the server knows it; `*` at the end makes it a wildcard. */
  readonly id: string;
  /** Provider name, e.g. `openai`, `openrouter`, `lmstudio`, `ollama`, `vllm`, `llamacpp`. */
  readonly provider: string;
  readonly baseUrl?: string;
  /** Tokens that the model can take in and give out in one request. */
  readonly contextWindow?: number;
  /** Tokens that it takes in, where the provider states fewer than the window. */
  readonly inputLimit?: number;
  /** The most that it can give out in one reply, where known. */
  readonly outputLimit?: number;
  /** Tokens kept free for the completion. */
  readonly completionReserve: number;
  readonly timeoutMs: number;
  /** Whether the server accepts tool definitions; `false` makes Karl describe tools in the prompt. */
  readonly tools: boolean;
  readonly envelope: Envelope;
  /** `alternating`: user and assistant must take turns; adjacent user texts are joined when a request is made. */
  readonly roles?: 'free' | 'alternating';
  /** The role under which the system prompt is sent. */
  readonly systemRole?: 'system' | 'developer' | 'user';
  readonly encoding?: Encoding;
  /** The documented rule for images; without one their tokens are an estimate. */
  readonly images?: ImageRule;
  readonly price?: { readonly input: number; readonly output: number; readonly cacheRead?: number };
  /** Fields that go with every request, the summary request too, e.g. `{ temperature: 0.2 }`. */
  readonly extra: Readonly<Record<string, unknown>>;
}

/** The window that is assumed while nothing is known of it, tokens. The gauge then says "unknown, assuming 8k". */
export const ASSUMED_WINDOW = 8192;
