import { parseJson } from '../../../../core/chat/parseJson.ts';
import type { ChatTool } from '../../../../core/chat/wire.ts';
import type { ModelDelta, ModelReply, ModelRequest } from '../../../../core/model/modelClient.ts';
import { asText, ok, type Result } from '../../../../core/result.ts';
import { type Fields, isFields, textAt } from '../../../fields.ts';
import type { HttpError } from '../../httpError.ts';
import { toClientRequest } from '../askServer.ts';
import { type ClientCall, type ClientRequest, type Dialect, invalid, readModelAndTools } from '../dialect.ts';
import { functionTool, inChat, type Losses, loseFields, ofType, ReplyEvents } from '../translation.ts';
import { ItemReading, ItemsForm, makeResponse } from './answer.ts';
import { fromTool, TranslatedItems, toTools } from './items.ts';

/** OpenAI's Responses, as Codex speaks them: the whole input with each request, nothing stored on the server. */
export const RESPONSES: Dialect = {
  routes: { answer: /^\/responses$/, any: /^\/responses(?:\/|$)/ },
  parse,
  error: ({ error }) => ({ error }),
};

function parse(call: ClientCall): Result<ClientRequest, HttpError> {
  const { body, headers } = call;
  const { input, instructions, stream, max_output_tokens: limit } = body;
  const asked = readModelAndTools(body, toTools);
  if (!asked.ok) return asked;
  const items = typeof input === 'string' ? [{ type: 'message', role: 'user', content: input }] : input;
  if (!Array.isArray(items) || items.length === 0) return invalid('input', 'a string or a non-empty array');
  for (const name of ['previous_response_id', 'conversation'])
    if (body[name] !== undefined && body[name] !== null)
      return invalid(name, 'absent: the gateway needs the whole input with each request');
  const { model, tools } = asked.value;
  const translated = new TranslatedItems(instructions, items);
  const hint = headers['thread-id'] ?? headers['session-id'] ?? body.prompt_cache_key;
  const request = toClientRequest(call, {
    ...asked.value,
    ...{ dialect: 'responses', messages: translated.messages, limit },
    hint: typeof hint === 'string' ? hint : undefined,
    streams: stream === true,
    form: (hidesRecall) => new ItemsForm(model, hidesRecall),
    path: () => '/responses',
    query: call.query,
    headers: (key): Record<string, string> => (key === undefined ? {} : { authorization: `Bearer ${key}` }),
    fromTool,
    body: ({ profile, messages, maxTokens = limit }, added) => ({
      ...body,
      model: profile.id,
      max_output_tokens: maxTokens,
      input: translated.toItems(messages),
      ...(added.length > 0 && { tools: [...tools, ...added] }),
      stream: true,
    }),
    reading: () => new ItemReading(),
    translate: (request, lose) => toChatRequest(request, body, lose),
    events: (id) => new ItemEvents(id, tools),
  });
  return ok(request);
}

/** Fields that change what a model does, and that are not translated to chat completions. */
const LOST = ['text', 'prompt', 'max_tool_calls'];

/** A request in chat completions. What has no place there is left out and reported. */
function toChatRequest(request: ModelRequest, body: Readonly<Fields>, lose: Losses): ModelRequest {
  loseFields(body, LOST, lose);
  const fields = {
    temperature: ofType('number', body.temperature),
    top_p: ofType('number', body.top_p),
    tool_choice: choiceOf(body.tool_choice),
    parallel_tool_calls: ofType('boolean', body.parallel_tool_calls),
    reasoning_effort: textAt(body, 'reasoning', 'effort'),
  };
  return inChat({ ...request, tools: request.tools.map(asFunction) }, fields, lose);
}

/** Which tool must be called: by its name here, by a function there. */
function choiceOf(choice: unknown): unknown {
  const name = textAt(choice, 'name');
  return name === undefined ? ofType('string', choice) : { type: 'function', function: { name } };
}

/** A tool with free text as its input is offered as a function with one argument. */
function asFunction(tool: ChatTool): ChatTool {
  const { type, name, description } = tool as unknown as Readonly<Fields>;
  if (type !== 'custom' || typeof name !== 'string') return tool;
  const parameters = { type: 'object', properties: { input: { type: 'string' } }, required: ['input'] };
  return functionTool(name, description, parameters);
}

/** Makes the events of an answer: text as it arrives, thoughts and calls when they are complete. */
export class ItemEvents extends ReplyEvents {
  readonly #response: Fields;
  readonly #custom: ReadonlySet<unknown>;
  #output: object[] = [];
  #thought = '';
  #text: { readonly id: string; text: string } | undefined;

  constructor(model: string, tools: readonly Fields[]) {
    super();
    this.#response = makeResponse(model);
    this.#custom = new Set(tools.filter(({ type }) => type === 'custom').map(({ name }) => name));
  }

  take(delta: ModelDelta): void {
    this.begin(() => ({ type: 'response.created', response: this.#response }));
    if (delta.type === 'reasoning') this.#thought += delta.text;
    if (delta.type !== 'text') return;
    this.#endThought();
    if (this.#text === undefined) {
      this.#text = { id: `msg_${crypto.randomUUID()}`, text: '' };
      const item = { id: this.#text.id, type: 'message', role: 'assistant', status: 'in_progress', content: [] };
      const part = { type: 'output_text', text: '', annotations: [] };
      this.#push('response.output_item.added', { item });
      this.#push('response.content_part.added', { ...this.#place(), part });
    }
    this.#text.text += delta.text;
    this.#push('response.output_text.delta', { ...this.#place(), delta: delta.text });
  }

  end({ message, finishReason, usage = {} }: ModelReply): void {
    this.begin(() => ({ type: 'response.created', response: this.#response }));
    this.#endThought();
    if (this.#text !== undefined) {
      const { id, text } = this.#text;
      const part = { type: 'output_text', text, annotations: [] };
      this.#push('response.output_text.done', { ...this.#place(), text });
      this.#push('response.content_part.done', { ...this.#place(), part });
      this.#item({ id, type: 'message', role: 'assistant', status: 'completed', content: [part] });
    }
    for (const { id, function: called } of message.tool_calls ?? []) {
      const item = this.#callItem(id, called);
      this.#push('response.output_item.added', { item: { ...item, status: 'in_progress' } });
      this.#item(item);
    }
    const input = usage.prompt_tokens ?? 0;
    const output = usage.completion_tokens ?? 0;
    const figures = {
      input_tokens: input,
      input_tokens_details: { cached_tokens: usage.prompt_tokens_details?.cached_tokens ?? 0 },
      output_tokens: output,
      output_tokens_details: { reasoning_tokens: 0 },
      total_tokens: input + output,
    };
    const isCut = finishReason === 'length' || finishReason === 'content_filter';
    const reason = finishReason === 'length' ? 'max_output_tokens' : finishReason;
    const response = {
      ...this.#response,
      status: isCut ? 'incomplete' : 'completed',
      incomplete_details: isCut ? { reason } : null,
      output: this.#output,
      usage: figures,
    };
    this.events.push({ type: isCut ? 'response.incomplete' : 'response.completed', response });
  }

  #callItem(id: string, called: { readonly name: string; readonly arguments: string }): object {
    const common = { status: 'completed', call_id: id, name: called.name };
    if (!this.#custom.has(called.name))
      return { id: `fc_${crypto.randomUUID()}`, type: 'function_call', ...common, arguments: called.arguments };
    const given = parseJson(called.arguments);
    // A model may write the text itself.
    const input = isFields(given) ? given.input : called.arguments;
    return { id: `ctc_${crypto.randomUUID()}`, type: 'custom_tool_call', ...common, input: asText(input) };
  }

  #endThought(): void {
    if (this.#thought === '') return;
    const summary = [{ type: 'summary_text', text: this.#thought }];
    this.#thought = '';
    const item = { id: `rs_${crypto.randomUUID()}`, type: 'reasoning', summary };
    this.#push('response.output_item.added', { item: { ...item, summary: [] } });
    this.#item(item);
  }

  #item(item: object): void {
    this.#push('response.output_item.done', { item });
    this.#output.push(item);
  }

  #place(): object {
    return { item_id: this.#text?.id, content_index: 0 };
  }

  #push(type: string, about: object): void {
    this.events.push({ type, output_index: this.#output.length, ...about });
  }
}
