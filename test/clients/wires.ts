import { callsReply, eventText, type ScriptedReply, textReply } from '../adapters/server/reply.ts';

/** A tool that an agent offers. */
export interface OfferedTool {
  readonly name: string;
  readonly schema: {
    readonly properties?: Readonly<Record<string, { readonly type?: unknown; readonly enum?: readonly unknown[] }>>;
    readonly required?: readonly string[];
  };
}

/** One thing of a conversation, in its order. */
export type Said =
  | { readonly kind: 'text'; readonly role: string; readonly text: string }
  /** `thought`: the signed or encrypted thought that came before it. */
  | { readonly kind: 'call'; readonly id: string; readonly thought?: string | undefined }
  | { readonly kind: 'result'; readonly id: string; readonly text: string };

/** A request, in the terms of every API. */
export interface Asked {
  /** Prompt, tools, and each message or item: a server's cache keeps the first ones that are the same again. */
  readonly parts: readonly string[];
  readonly tools: readonly OfferedTool[];
  readonly said: readonly Said[];
  /** Output asked for, tokens. */
  readonly output: number;
}

/** What the model says: the call of a tool, or the end. */
export interface Reply {
  readonly text: string;
  readonly call?: { readonly id: string; readonly name: string; readonly input: object };
  /** Sent with a call and expected again with it, where the API has such things. */
  readonly thought: string;
  /** Tokens that the request has. */
  readonly tokens: number;
}

/** An API as a model's server speaks it. */
export interface Wire {
  /** How its only address ends. */
  readonly path: string;
  /** Whether it refuses a request that leaves no room for the output that it asks for. */
  readonly countsOutput: boolean;
  /** Whether a message may stand between a call and its result. */
  readonly isLoose: boolean;
  /** Whether thoughts are signed or encrypted, and wanted back. */
  readonly thinks: boolean;
  read(body: Body): Asked;
  /** The events of an answer. */
  write(reply: Reply, model: string): string;
  /** Why a request is refused whose input and output, tokens, are too much together. */
  overflow(input: number, output: number, window: number): object;
}

type Body = Readonly<Record<string, unknown>>;
interface Part extends Body {
  readonly type?: string;
  readonly role?: string;
}

/** Marks for the cache move with each request, and are no part of what is cached. */
const write = (value: unknown): string =>
  JSON.stringify(value, (name, one: unknown) => (name === 'cache_control' ? undefined : one));

const list = (value: unknown): readonly Part[] =>
  typeof value === 'string' ? [{ type: 'text', text: value }] : Array.isArray(value) ? value : [];

const textOf = (value: unknown): string =>
  list(value)
    .map(({ text }) => (typeof text === 'string' ? text : ''))
    .join('\n');

const streamOf = (events: readonly Part[]): string =>
  events.map((event) => `event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`).join('');

const chat: Wire = {
  path: '/chat/completions',
  countsOutput: true,
  isLoose: false,
  thinks: false,
  read: (body) => ({
    parts: [write(body.tools ?? []), ...list(body.messages).map(write)],
    tools: list(body.tools).map((tool) => {
      const { name, parameters } = tool.function as { name: string; parameters: OfferedTool['schema'] };
      return { name, schema: parameters };
    }),
    said: list(body.messages).flatMap(({ role = '', content, tool_calls, tool_call_id }): Said[] =>
      role === 'tool'
        ? [{ kind: 'result', id: String(tool_call_id), text: textOf(content) }]
        : [
            ...(textOf(content) === '' ? [] : [{ kind: 'text' as const, role, text: textOf(content) }]),
            ...list(tool_calls).map(({ id }) => ({ kind: 'call' as const, id: String(id) })),
          ],
    ),
    output: Number(body.max_completion_tokens ?? body.max_tokens ?? 0),
  }),
  write: ({ text, call, tokens }) => {
    const extras = { usage: { prompt_tokens: tokens, completion_tokens: 30, total_tokens: tokens + 30 } };
    return stepsText(
      call === undefined
        ? textReply(text, extras)
        : callsReply([{ ...call, arguments: call.input }], { ...extras, text }),
    );
  },
  overflow: (input, output, window) => ({
    error: {
      message: `This model's maximum context length is ${window} tokens. However, you requested ${input + output} tokens (${input} in the messages, ${output} in the completion). Please reduce the length of the messages or completion.`,
      type: 'BadRequestError',
      code: 400,
    },
  }),
};

function stepsText({ steps }: ScriptedReply): string {
  return steps.map((step) => ('event' in step ? eventText(step) : 'raw' in step ? String(step.raw) : '')).join('');
}

const messages: Wire = {
  path: '/messages',
  countsOutput: false,
  isLoose: false,
  thinks: true,
  read: (body) => ({
    // A text as a string is the same for the cache as the one block that it stands for.
    parts: [
      body.tools ?? [],
      body.system ?? '',
      ...list(body.messages).map((one) => ({ ...one, content: list(one.content) })),
    ].map(write),
    tools: list(body.tools).flatMap(({ name, input_schema }) =>
      input_schema === undefined ? [] : [{ name: String(name), schema: input_schema as OfferedTool['schema'] }],
    ),
    said: list(body.messages).flatMap(({ role = '', content }) => {
      let thought: string | undefined;
      return list(content).flatMap((block): Said[] => {
        if (block.type === 'thinking') thought = String(block.signature);
        if (block.type === 'tool_use') return [{ kind: 'call', id: String(block.id), thought }];
        if (block.type === 'tool_result')
          return [{ kind: 'result', id: String(block.tool_use_id), text: textOf(block.content) }];
        return block.type === 'text' ? [{ kind: 'text', role, text: String(block.text) }] : [];
      });
    }),
    output: Number(body.max_tokens ?? 0),
  }),
  write: ({ text, call, thought, tokens }, model) => {
    const cached = { cache_creation_input_tokens: 0, cache_read_input_tokens: 0 };
    const usage = { input_tokens: tokens, ...cached, output_tokens: 1 };
    const about = { type: 'message', role: 'assistant', model, content: [], stop_reason: null, stop_sequence: null };
    const calls = call === undefined ? [] : [call];
    const blocks = [
      ...calls.map(() => ({
        start: { type: 'thinking', thinking: '', signature: '' },
        delta: { type: 'thinking_delta', thinking: 'The next part.' },
      })),
      { start: { type: 'text', text: '' }, delta: { type: 'text_delta', text } },
      ...calls.map(({ id, name, input }) => ({
        start: { type: 'tool_use', id, name, input: {} },
        delta: { type: 'input_json_delta', partial_json: JSON.stringify(input) },
      })),
    ];
    return streamOf([
      { type: 'message_start', message: { ...about, id: `msg_${call?.id ?? 'end'}`, usage } },
      { type: 'ping' },
      ...blocks.flatMap(({ start, delta }, index) => [
        { type: 'content_block_start', index, content_block: start },
        { type: 'content_block_delta', index, delta },
        ...(start.type === 'thinking'
          ? [{ type: 'content_block_delta', index, delta: { type: 'signature_delta', signature: thought } }]
          : []),
        { type: 'content_block_stop', index },
      ]),
      {
        type: 'message_delta',
        delta: { stop_reason: call === undefined ? 'end_turn' : 'tool_use', stop_sequence: null },
        usage: { output_tokens: 30 },
      },
      { type: 'message_stop' },
    ]);
  },
  overflow: (input, _, window) => ({
    type: 'error',
    error: { type: 'invalid_request_error', message: `prompt is too long: ${input} tokens > ${window} maximum` },
  }),
};

const responses: Wire = {
  path: '/responses',
  countsOutput: false,
  isLoose: true,
  thinks: true,
  read: (body) => {
    let thought: string | undefined;
    return {
      parts: [write(body.tools ?? []), write(body.instructions ?? ''), ...list(body.input).map(write)],
      tools: list(body.tools).flatMap(({ type, name, parameters }) =>
        type === 'function' ? [{ name: String(name), schema: parameters as OfferedTool['schema'] }] : [],
      ),
      said: list(body.input).flatMap((item): Said[] => {
        const id = String(item.call_id);
        if (item.type === 'reasoning') thought = String(item.encrypted_content);
        else if (item.type?.endsWith('_call') === true) return [{ kind: 'call', id, thought }];
        else thought = item.role === 'assistant' ? thought : undefined;
        if (item.type?.endsWith('_output') === true)
          return [{ kind: 'result', id, text: typeof item.output === 'string' ? item.output : textOf(item.output) }];
        return item.role === undefined ? [] : [{ kind: 'text', role: item.role, text: textOf(item.content) }];
      }),
      output: Number(body.max_output_tokens ?? 0),
    };
  },
  write: ({ text, call, thought, tokens }, model) => {
    const about = { id: 'resp_1', object: 'response', created_at: 1, model };
    const base = { ...about, output: [], status: 'in_progress', error: null };
    const done = { status: 'completed', role: 'assistant', content: [{ type: 'output_text', text, annotations: [] }] };
    const calls = call === undefined ? [] : [call];
    const items = [
      ...calls.map(({ id }) => ({ id: `rs_${id}`, type: 'reasoning', summary: [], encrypted_content: thought })),
      { id: `msg_${call?.id ?? 'end'}`, type: 'message', ...done, ...(call !== undefined && { phase: 'commentary' }) },
      ...calls.map(({ id, name, input }) => ({
        ...{ id: `fc_${id}`, type: 'function_call', status: 'completed', call_id: id, name },
        arguments: JSON.stringify(input),
      })),
    ];
    const details = { input_tokens_details: { cached_tokens: 0 }, output_tokens_details: { reasoning_tokens: 5 } };
    const usage = { input_tokens: tokens, output_tokens: 30, total_tokens: tokens + 30, ...details };
    return streamOf([
      { type: 'response.created', response: base },
      ...items.flatMap((item, output_index) => [
        { type: 'response.output_item.added', output_index, item: { ...item, status: 'in_progress' } },
        { type: 'response.output_item.done', output_index, item },
      ]),
      { type: 'response.completed', response: { ...base, status: 'completed', output: items, usage } },
    ]);
  },
  overflow: () => ({
    error: {
      message: 'Your input exceeds the context window of this model. Please adjust your input and try again.',
      type: 'invalid_request_error',
      param: 'input',
      code: 'context_length_exceeded',
    },
  }),
};

const gemini: Wire = {
  path: ':streamGenerateContent',
  countsOutput: false,
  isLoose: false,
  thinks: true,
  read: ({ tools, systemInstruction, contents }) => ({
    parts: [write(tools ?? []), write(systemInstruction ?? ''), ...list(contents).map(write)],
    tools: list(tools).flatMap(({ functionDeclarations }) =>
      (list(functionDeclarations) as readonly Body[]).map(({ name, parametersJsonSchema, parameters }) => {
        return { name: String(name), schema: (parametersJsonSchema ?? parameters) as OfferedTool['schema'] };
      }),
    ),
    said: list(contents).flatMap(({ role = '', parts }) =>
      list(parts).map((part): Said => {
        const { functionCall: call, functionResponse: result, thoughtSignature } = part as Record<string, Body>;
        if (call !== undefined) return { kind: 'call', id: String(call.id), thought: String(thoughtSignature) };
        if (result !== undefined) return { kind: 'result', id: String(result.id), text: write(result.response) };
        return { kind: 'text', role, text: String(part.text) };
      }),
    ),
    output: 0,
  }),
  write: ({ text, call, thought, tokens }) => {
    const { id, name, input: args } = call ?? {};
    const part = call === undefined ? { text } : { functionCall: { id, name, args }, thoughtSignature: btoa(thought) };
    const usageMetadata = { promptTokenCount: tokens, candidatesTokenCount: 20, totalTokenCount: tokens + 20 };
    const candidate = { index: 0, content: { role: 'model', parts: [part] }, finishReason: 'STOP' };
    return `data: ${JSON.stringify({ candidates: [candidate], usageMetadata })}\r\n\r\n`;
  },
  overflow: (input, _, window) => ({
    error: {
      code: 400,
      message: `The input token count (${input}) exceeds the maximum number of tokens allowed (${window}).`,
      status: 'INVALID_ARGUMENT',
    },
  }),
};

/** The APIs by the name of their dialect. */
export const WIRES = { chat, messages, responses, gemini } as const;
