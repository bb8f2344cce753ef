import type { ChatMessage, ChatTool, Usage } from '../messages/chat.ts';
import type { ModelError } from '../overflow/modelError.ts';
import type { ModelProfile } from '../profile/profile.ts';
import type { Result } from '../result.ts';

/** Messages as somebody wrote them: who sends the same ones on need not write them again. */
export interface WrittenMessages {
  /** In the place of one that must be written anew: undefined. */
  readonly messages: readonly unknown[];
  /** The JSON of the messages from `start` on and before `end`, with what stands between them. */
  slice(start: number, end: number): Uint8Array;
}

/** One request to a model. `profile.extra` goes with it, whoever makes it. */
export interface ModelRequest {
  readonly profile: ModelProfile;
  readonly messages: readonly ChatMessage[];
  readonly tools: readonly ChatTool[];
  /** The most tokens that the reply may have; absent = the server's default. */
  readonly maxTokens?: number;
  /** Other fields of the body, as somebody else's request had them (`temperature`, `stream: false`); they win over the extras. */
  readonly fields?: Readonly<Record<string, unknown>>;
  /** Messages of it that are written already, by identity. */
  readonly written?: WrittenMessages;
  /** Told every chunk of the answer as the server sent it, after what it says went to `onDelta`; what comes back is waited for. */
  readonly onChunk?: (chunk: AnswerChunk) => Promise<void> | undefined;
}

/** One chunk of a streamed answer, or the whole answer of a server that does not stream, as the server sent it. */
export type AnswerChunk = Readonly<Record<string, unknown>>;

/** What streams in while a reply is made. */
export type ModelDelta =
  | { readonly type: 'text'; readonly text: string }
  | { readonly type: 'reasoning'; readonly text: string }
  /** A tool call has begun or grew: `index` is its position in the reply, `arguments` the piece that came in. */
  | { readonly type: 'tool-call'; readonly index: number; readonly name: string; readonly arguments: string };

/** A finished reply: the assistant message as it is to be appended, unknown and reasoning fields kept. */
export interface ModelReply {
  readonly message: ChatMessage;
  readonly finishReason: string;
  readonly usage?: Usage;
}

/** A request that failed, with what had come of the reply (kept, marked interrupted) if anything was passed on. */
export interface ModelFailure {
  readonly error: ModelError;
  readonly partial?: ChatMessage;
}

/**
 * Asks a model. Contract: never rejects; every failure is classified; no retry of its own; a stream that ends without
 * a finish reason or stalls is a failure; the returned promise settles soon after `signal` aborts.
 */
export interface ModelClient {
  complete(
    request: ModelRequest,
    onDelta: (delta: ModelDelta) => void,
    signal: AbortSignal,
  ): Promise<Result<ModelReply, ModelFailure>>;
}
