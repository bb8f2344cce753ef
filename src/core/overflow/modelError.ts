/** What kind of failure a model request met. Only `overflow` is cured by compaction. */
export type ModelErrorKind =
  | 'overflow'
  | 'output-limit'
  | 'payload-too-large'
  | 'rate-limit'
  | 'timeout'
  | 'cancelled'
  | 'other';

/** A failed model request, classified once at the edge. Token figures only where the server's text states them. */
export interface ModelError {
  readonly kind: ModelErrorKind;
  /** The total that the text compares with the limit, tokens. */
  readonly actualTokens?: number;
  /** The text says that `actualTokens` is the least it can be (vLLM: "at least"): fit to calibrate nothing. */
  readonly lowerBound?: true;
  /** The window or input limit that the text states, tokens; never a lower bound, an excess or a quota. */
  readonly limitTokens?: number;
  /** Output tokens that the request asked for, where the text states them. */
  readonly outputTokens?: number;
  /** The most output tokens that one reply may have, where an `output-limit` states it. */
  readonly outputLimitTokens?: number;
  /** The tool definitions alone are at fault: compacting the history cannot help. */
  readonly tools?: true;
  /** The words may be somebody else's (`statement.ts`): their figures are none of this request. */
  readonly quoted?: true;
  /** What the server said of an overflow, at most 300 characters, without secrets. */
  readonly words?: string;
  /** Whether sending the same request again later may succeed. */
  readonly retryable: boolean;
  /** The server did answer, with nothing that is a reply: asking again so often is enough (`session/retry.ts`). */
  readonly answered?: true;
  /** VS Code did not have its model asked, or the model would not answer: why. `failed`: by a failure of any other kind. */
  readonly refusal?: 'no-permission' | 'blocked' | 'not-found' | 'off-topic' | 'failed';
  /** How long the server asks to wait, milliseconds. */
  readonly retryAfterMs?: number;
  /** HTTP status, where one was seen. */
  readonly status?: number;
  /** What decided: a code, a field or the sentence that matched, at most 300 characters, without secrets. */
  readonly evidence: string;
}
