import type { ChatTool } from '../../../../core/chat/wire.ts';
import { type AnswerChunk, withoutLogprobs } from '../../../../core/model/modelClient.ts';
import { ok, type Result } from '../../../../core/result.ts';
import type { RelayReply, RelayRequest } from '../../../../core/session/relay/relayRequest.ts';
import { at, type Fields, isFields } from '../../../fields.ts';
import type { HttpError } from '../../httpError.ts';
import {
  type AnswerForm,
  agentOf,
  type ClientCall,
  type ClientRequest,
  commentText,
  type Dialect,
  eventText,
  invalid,
  readModelAndTools,
} from '../dialect.ts';

/** OpenAI's chat completions: the form in which everything behind the gateway works, so that nothing is translated. */
export const CHAT: Dialect = {
  routes: { answer: /^\/chat\/completions$/, any: /^\/chat\/completions(?:\/|$)/ },
  parse,
  error: ({ error }) => ({ error }),
};

function parse({ body, headers }: ClientCall): Result<ClientRequest, HttpError> {
  const { model: _, messages, tools: __, stream, ...fields } = body;
  const read = readModelAndTools(body, toTools);
  if (!read.ok) return read;
  if (!Array.isArray(messages) || messages.length === 0) return invalid('messages', 'a non-empty array');
  if (stream !== undefined && stream !== null && typeof stream !== 'boolean') return invalid('stream', 'a boolean');
  const { model, chatTools } = read.value;
  const streams = stream === true;
  const session = fields.prompt_cache_key ?? headers['x-session-id'];
  const request: RelayRequest = {
    model,
    messages,
    tools: chatTools,
    fields: streams ? fields : { ...fields, stream: false },
    client: agentOf(headers),
    // Agents that keep a conversation name it there, so that their provider finds its cache.
    hint: typeof session === 'string' ? session : undefined,
  };
  const wantsUsage = at(fields, 'stream_options', 'include_usage') === true;
  return ok({ request, streams, form: new ChatForm(model, wantsUsage) });
}

/** A tool that is not a function passes through too: only its size is looked at. */
function toTools(tools: readonly Fields[]): readonly ChatTool[] {
  return tools as unknown[] as readonly ChatTool[];
}

/** Passes the server's own chunks on. */
class ChatForm implements AnswerForm {
  readonly takesComments = true;
  readonly #model: string;
  /** Whether the client wants the last chunk that only states the usage. */
  readonly #wantsUsage: boolean;
  #whole: WholeAnswer | undefined;

  constructor(model: string, wantsUsage: boolean) {
    this.#model = model;
    this.#wantsUsage = wantsUsage;
  }

  take(chunk: AnswerChunk): string {
    this.#whole = isWhole(chunk) ? chunk : undefined;
    return !this.#wantsUsage && isUsageOnly(chunk) ? '' : eventText(asChunk(chunk));
  }

  keepAlive(): string {
    return commentText('the answer is on its way');
  }

  end(): string {
    return 'data: [DONE]\n\n';
  }

  fail({ error }: HttpError): string {
    return eventText({ error });
  }

  /** The answer as the server gave it, or put together if the server streamed although it was not asked to. */
  whole({ message, finishReason, usage }: RelayReply): object {
    // A model whose tool calls are written as text ends its reply as if it had only spoken.
    const finish_reason = finishReason === 'stop' && message.tool_calls !== undefined ? 'tool_calls' : finishReason;
    const choice = { index: 0, message, finish_reason };
    const whole = this.#whole;
    if (whole === undefined) {
      const created = Math.floor(Date.now() / 1000);
      const about = { id: `karl-${created}`, object: 'chat.completion', created, model: this.#model };
      return { ...about, choices: [choice], usage };
    }
    const choices = whole.choices.map((one) => {
      // What was said before a recall belongs to the answer, and the server's log probabilities do not cover it.
      const own = one.message.content ?? null;
      const content = message.content || own;
      if (content === own || (one.index ?? 0) !== 0) return one;
      return { ...withoutLogprobs(one), message: { ...one.message, content } };
    });
    return { ...whole, choices };
  }
}

function isUsageOnly({ choices, usage }: AnswerChunk): boolean {
  return Array.isArray(choices) && choices.length === 0 && isFields(usage);
}

/** The answer of a server that does not stream. */
interface WholeAnswer extends AnswerChunk {
  readonly choices: readonly (Fields & { readonly message: Fields })[];
}

/** Some servers call the chunks of a stream an answer, or send with each all that was said so far. */
function isWhole(chunk: AnswerChunk): chunk is WholeAnswer {
  const choices: readonly unknown[] = Array.isArray(chunk.choices) ? chunk.choices : [];
  return choices.length > 0 && choices.every((one) => isFields(at(one, 'message')) && !isFields(at(one, 'delta')));
}

/** The answer of a server that does not stream, as the one chunk of a stream. */
function asChunk(chunk: AnswerChunk): AnswerChunk {
  if (!isWhole(chunk)) return chunk;
  const choices = chunk.choices.map(({ message, ...rest }) => ({ ...rest, delta: withIndexes(message) }));
  return { ...chunk, object: 'chat.completion.chunk', choices };
}

function withIndexes(message: unknown): unknown {
  if (!isFields(message) || !Array.isArray(message.tool_calls)) return message;
  return { ...message, tool_calls: message.tool_calls.map((call, index) => ({ index, ...call })) };
}
