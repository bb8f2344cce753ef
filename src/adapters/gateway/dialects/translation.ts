import type { Result } from '../../../core/result.ts';
import type {
  AnswerChunk,
  ModelClient,
  ModelDelta,
  ModelFailure,
  ModelReply,
  ModelRequest,
} from '../../../core/session/modelClient.ts';

/** A request of a client that speaks another API, for a server that speaks chat completions. */
export interface TranslatedCall {
  readonly request: ModelRequest;
  /** As the client sent it. */
  readonly body: Readonly<Record<string, unknown>>;
  readonly onDelta: (delta: ModelDelta) => void;
  readonly signal: AbortSignal;
}

/** Makes the events of the client's API from a reply that comes. */
export interface ReplyEvents {
  take(delta: ModelDelta): void;
  end(reply: ModelReply): void;
  /** The events since the last time. */
  taken(): readonly AnswerChunk[];
}

/** Asks the server with `asked`, the request in its words; `onChunk` of the client's request gets the answer as events. */
export async function askTranslated(
  chat: ModelClient,
  { request, onDelta, signal }: TranslatedCall,
  asked: ModelRequest,
  events: ReplyEvents,
): Promise<Result<ModelReply, ModelFailure>> {
  const flush = async () => {
    for (const event of events.taken()) await request.onChunk?.(event);
  };
  const take = (delta: ModelDelta) => {
    events.take(delta);
    onDelta(delta);
  };
  const answered = await chat.complete({ ...asked, onChunk: flush }, take, signal);
  if (answered.ok) events.end(answered.value);
  await flush();
  return answered;
}
