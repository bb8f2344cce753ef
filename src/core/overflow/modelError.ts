/** The kinds of failure of a model request. Only `overflow` is cured by compaction. */
export type ModelErrorKind =
  | 'overflow'
  | 'output-limit'
  | 'payload-too-large'
  | 'rate-limit'
  | 'timeout'
  | 'cancelled'
  | 'other';

/** A failed model request, classified once at the edge. Has token figures only where the server's text states them. */
export interface ModelError {
  readonly kind: ModelErrorKind;
  /** The total that the text compares with the limit. Tokens. */
  readonly actualTokens?: number;
  /** The text calls `actualTokens` a lower bound (vLLM: "at least"), so it must not be used for calibration. */
  readonly lowerBound?: true;
  /** The window or input limit that the text states, in tokens; never a lower bound, an excess or a quota. */
  readonly limitTokens?: number;
  /** Output tokens that the request asked for, if the text states them. */
  readonly outputTokens?: number;
  /** The limit for the output tokens of one reply, if an `output-limit` states it. */
  readonly outputLimitTokens?: number;
  /** The tool definitions alone are at fault: compacting the history cannot help. */
  readonly tools?: true;
  /** The words may be somebody else's (`QUOTING` in `wordings.ts`): their figures are not about this request. */
  readonly quoted?: true;
  /** What the server said about an overflow, at most 300 characters, without secrets. */
  readonly words?: string;
  /** Whether sending the same request again later may succeed. */
  readonly retryable: boolean;
  /** Money or an allowance is used up: it comes back in days or with a payment, not in a moment. */
  readonly spent?: true;
  /** The server did answer, but not with a usable reply: fewer attempts are enough (`session/retry.ts`). */
  readonly answered?: true;
  /** The connection was cut after the answer had begun: the server is there, and sends. */
  readonly brokeOff?: true;
  /** The reply ended without words or calls: perhaps after reasoning; by itself, at its output limit or by a filter. */
  readonly empty?: { readonly reasoned: boolean; readonly ended: 'by-itself' | 'cut-off' | 'filtered' };
  /** Why VS Code did not let its model be asked, or why the model would not answer. `failed`: any other failure. */
  readonly refusal?: 'no-permission' | 'blocked' | 'not-found' | 'off-topic' | 'failed';
  /** How long the server asks to wait. Milliseconds. */
  readonly retryAfterMs?: number;
  /** HTTP status, where one was seen. */
  readonly status?: number;
  /** What decided the kind: a code, a field or the matching sentence; at most 300 characters, without secrets. */
  readonly evidence: string;
}
