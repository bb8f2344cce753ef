import type { ChatMessage, ChatTool, Usage } from '../messages/chat.ts';
import type { ModelError } from '../model/classify.ts';
import type { ModelProfile } from '../model/profile.ts';
import type { Result } from '../result.ts';

/** A request to a model. `profile.extra` is added to every request. */
export interface ModelRequest {
  readonly profile: ModelProfile;
  readonly messages: readonly ChatMessage[];
  readonly tools: readonly ChatTool[];
  /** The most tokens that the reply may have; absent: the server's default. */
  readonly maxTokens?: number | undefined;
  /** Other fields of the body, from a relayed request (`temperature`, `stream: false`); they override the extras. */
  readonly fields?: Readonly<Record<string, unknown>> | undefined;
  /**
   * Receives every chunk of the answer as the server sent it, after its content went to `onDelta`; a returned promise
   * is awaited.
   */
  readonly onChunk?: ((chunk: AnswerChunk) => Promise<void> | undefined) | undefined;
}

/** A chunk of a streamed answer, or the whole answer of a server that does not stream, as the server sent it. */
export type AnswerChunk = Readonly<Record<string, unknown>>;

/** Content that streams in while a reply is made. */
export type ModelDelta =
  | { readonly type: 'text'; readonly text: string }
  | { readonly type: 'reasoning'; readonly text: string }
  /** A tool call began or grew: `index` is its position in the reply, `arguments` the piece that came in. */
  | { readonly type: 'tool-call'; readonly index: number; readonly name: string; readonly arguments: string };

/** A finished reply: the assistant message as it should be appended, including unknown and reasoning fields. */
export interface ModelReply {
  readonly message: ChatMessage;
  readonly finishReason: string;
  readonly usage?: Usage | undefined;
}

/**
 * A failed request and, if anything of the reply was passed on, what had arrived of it (kept, marked as interrupted).
 */
export interface ModelFailure {
  readonly error: ModelError;
  readonly partial?: ChatMessage | undefined;
}

/**
 * Asks a model. Contract: never rejects; classifies every failure; does not retry; treats a stream that stalls or ends
 * without a finish reason as a failure; settles soon after `signal` aborts.
 */
export interface ModelClient {
  complete(
    request: ModelRequest,
    onDelta: (delta: ModelDelta) => void,
    signal: AbortSignal,
  ): Promise<Result<ModelReply, ModelFailure>>;
}

type Fields = Readonly<Record<string, unknown>>;

/** A choice from which part of the answer was removed, without `logprobs`: those spell the removed tokens out. */
export function withoutLogprobs(choice: Fields): Fields {
  return choice.logprobs === undefined || choice.logprobs === null ? choice : { ...choice, logprobs: null };
}
