import { readArguments, readInput } from '../../../../core/chat/parse.ts';
import type { AnswerChunk, ModelDelta, ModelReply, ModelRequest } from '../../../../core/model/modelClient.ts';
import { asText, ok, type Result } from '../../../../core/result.ts';
import { type Fields, fieldsAt, isFields, textAt } from '../../../fields.ts';
import type { HttpError } from '../../httpError.ts';
import { toClientRequest } from '../askServer.ts';
import { type ClientCall, type ClientRequest, type Dialect, invalid, readModelAndTools } from '../dialect.ts';
import { inChat, type Losses, loseFields, ofType, ReplyEvents } from '../translation.ts';
import { MessageReading, MessagesForm, messagesError } from './answer.ts';
import { fromTool, TranslatedMessages, toTools } from './blocks.ts';

/** Anthropic's Messages, as Claude Code speaks them. */
export const MESSAGES: Dialect = {
  routes: { answer: /^\/messages$/, count: /^\/messages\/count_tokens$/, any: /^\/messages(?:\/|$)/ },
  parse,
  error: messagesError,
  counted: (tokens) => ({ input_tokens: tokens }),
};

/** The API's version, for clients that do not state it. */
const VERSION = '2023-06-01';

function parse(call: ClientCall): Result<ClientRequest, HttpError> {
  const { body, headers } = call;
  const { messages, system, stream, max_tokens: limit } = body;
  const asked = readModelAndTools(body, toTools);
  if (!asked.ok) return asked;
  if (!Array.isArray(messages) || messages.length === 0) return invalid('messages', 'a non-empty array');
  const { tools } = asked.value;
  const translated = new TranslatedMessages(system, messages);
  const request = toClientRequest(call, {
    ...asked.value,
    ...{ dialect: 'messages', messages: translated.messages, limit, hint: hintOf(call) },
    streams: stream === true,
    form: (hidesRecall) => new MessagesForm(hidesRecall),
    path: () => '/messages',
    query: call.query,
    // Anthropic and local servers expect the key in different headers.
    headers: (key) => ({
      'anthropic-version': String(headers['anthropic-version'] ?? VERSION),
      ...(key !== undefined && { 'x-api-key': key, authorization: `Bearer ${key}` }),
    }),
    fromTool,
    body: ({ profile, messages: view, maxTokens = limit }, added) => ({
      ...body,
      model: profile.id,
      max_tokens: maxTokens,
      messages: translated.fromChat(view),
      ...(added.length > 0 && { tools: [...tools, ...added] }),
      stream: true,
    }),
    reading: () => new MessageReading(),
    translate: (request, lose) => toChatRequest(request, body, lose),
    events: (model) => new MessageEvents(model),
  });
  return ok(request);
}

/** A sub-agent of Claude Code has a conversation of its own. */
function hintOf({ headers, body }: ClientCall): string | undefined {
  const session = headers['x-claude-code-session-id'];
  const agent = headers['x-claude-code-agent-id'];
  if (session !== undefined) return agent === undefined ? String(session) : `${session}/${agent}`;
  return textAt(body, 'metadata', 'user_id')?.slice(0, 200);
}

/** Fields that change what a model does, and that chat completions do not have. */
const LOST = ['thinking', 'top_k', 'output_config', 'mcp_servers', 'container'];

/** A request in chat completions. What has no place there is left out and reported. */
function toChatRequest(request: ModelRequest, body: Readonly<Fields>, lose: Losses): ModelRequest {
  loseFields(body, LOST, lose);
  const { temperature, top_p, stop_sequences } = body;
  const choice = fieldsAt(body, 'tool_choice');
  const named = { type: 'function', function: { name: choice.name } };
  const choices: Readonly<Record<string, unknown>> = { auto: 'auto', none: 'none', any: 'required', tool: named };
  const fields = {
    temperature: ofType('number', temperature),
    top_p: ofType('number', top_p),
    stop: Array.isArray(stop_sequences) ? stop_sequences : undefined,
    tool_choice: choices[asText(choice.type)],
    parallel_tool_calls: choice.disable_parallel_tool_use === true ? false : undefined,
  };
  return inChat(request, fields, lose);
}

/** The stop reasons of a message, by the finish reasons of chat completions. */
const STOP_REASONS: Readonly<Record<string, string>> = {
  tool_calls: 'tool_use',
  function_call: 'tool_use',
  length: 'max_tokens',
  content_filter: 'refusal',
};

/** Makes the events of a message: text and thoughts as they arrive, calls when they are complete. */
export class MessageEvents extends ReplyEvents {
  readonly #model: string;
  #open: 'text' | 'thinking' | undefined;
  #index = -1;

  constructor(model: string) {
    super();
    this.#model = model;
  }

  take(delta: ModelDelta): void {
    this.begin(() => this.#first());
    if (delta.type === 'tool-call') return;
    const type = delta.type === 'text' ? 'text' : 'thinking';
    if (this.#open !== type) {
      this.#close();
      this.#open = type;
      this.#start(type === 'text' ? { type, text: '' } : { type, thinking: '', signature: '' });
    }
    this.#grow(
      type === 'text' ? { type: 'text_delta', text: delta.text } : { type: 'thinking_delta', thinking: delta.text },
    );
  }

  end({ message, finishReason, usage = {} }: ModelReply): void {
    this.begin(() => this.#first());
    this.#close();
    for (const { id, function: called } of message.tool_calls ?? []) {
      this.#start({ type: 'tool_use', id, name: called.name, input: {} });
      const { arguments: text } = called;
      // As the model wrote it, since a long number would be rounded.
      const partial_json = isFields(readArguments(text)) ? text : JSON.stringify(readInput(text));
      this.#grow({ type: 'input_json_delta', partial_json });
      this.events.push({ type: 'content_block_stop', index: this.#index });
    }
    const hasCalls = message.tool_calls !== undefined;
    const stop_reason = STOP_REASONS[finishReason] ?? (hasCalls ? 'tool_use' : 'end_turn');
    const cached = usage.prompt_tokens_details?.cached_tokens ?? 0;
    const figures = {
      input_tokens: Math.max(0, (usage.prompt_tokens ?? 0) - cached),
      cache_read_input_tokens: cached,
      output_tokens: usage.completion_tokens ?? 0,
    };
    this.events.push({ type: 'message_delta', delta: { stop_reason, stop_sequence: null }, usage: figures });
    this.events.push({ type: 'message_stop' });
  }

  #first(): AnswerChunk {
    const usage = { input_tokens: 0, cache_creation_input_tokens: 0, cache_read_input_tokens: 0, output_tokens: 0 };
    const about = { type: 'message', role: 'assistant', model: this.#model, content: [] };
    const message = { id: `msg_${crypto.randomUUID()}`, ...about, stop_reason: null, stop_sequence: null, usage };
    return { type: 'message_start', message };
  }

  #start(content_block: object): void {
    this.#index += 1;
    this.events.push({ type: 'content_block_start', index: this.#index, content_block });
  }

  #grow(delta: object): void {
    this.events.push({ type: 'content_block_delta', index: this.#index, delta });
  }

  #close(): void {
    if (this.#open !== undefined) this.events.push({ type: 'content_block_stop', index: this.#index });
    this.#open = undefined;
  }
}
