import type { ChatMessage, ChatTool, Usage } from '../chat/wire.ts';
import type { Result } from '../result.ts';
import type { ModelError } from './classify.ts';
import type { ModelProfile } from './profile.ts';

/** A request to a model. The client adds `profile.extra` to it. */
export interface ModelRequest {
  readonly profile: ModelProfile;
  readonly messages: readonly ChatMessage[];
  readonly tools: readonly ChatTool[];
  /** The most tokens that the reply may have; absent: the server's default. */
  readonly maxTokens?: number | undefined;
  /** Other fields of the body, from a relayed request (`temperature`, `stream: false`); they override the extras. */
  readonly fields?: Readonly<Record<string, unknown>> | undefined;
  /** Receives each chunk as the server sent it, after `onDelta` received its content. A promise is awaited. */
  readonly onChunk?: ((chunk: AnswerChunk) => Promise<void> | undefined) | undefined;
}

/** A chunk of a streamed answer, or the whole answer if the server does not stream, as sent. */
export type AnswerChunk = Readonly<Record<string, unknown>>;

/** Content of a reply as it streams in. */
export type ModelDelta =
  | { readonly type: 'text'; readonly text: string }
  | { readonly type: 'reasoning'; readonly text: string }
  /** A tool call began or grew. `index`: its position in the reply; `arguments`: the new piece. */
  | { readonly type: 'tool-call'; readonly index: number; readonly name: string; readonly arguments: string };

/** A finished reply: the assistant message to append, including reasoning and unknown fields. */
export interface ModelReply {
  readonly message: ChatMessage;
  readonly finishReason: string;
  readonly usage?: Usage | undefined;
}

/** A failed request, and the part of the reply that was passed on, to be kept and marked as interrupted. */
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

/** Removes `logprobs` from a choice whose answer was cut: they would spell out the removed tokens. */
export function withoutLogprobs(choice: Fields): Fields {
  return choice.logprobs === undefined || choice.logprobs === null ? choice : { ...choice, logprobs: null };
}
