import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { callsReply, eventText, overflowReply, type ScriptedReply, textReply } from '../adapters/server/reply.ts';

/** What the model says when its task is done. */
export const FINISHED = 'Every part is printed.';

/** A body as it arrived. */
type Body = Readonly<Record<string, unknown>>;

/** What the model answers: a call of one of the tools, or its last word. */
type Answer = { readonly id: string; readonly name: string; readonly input: object } | { readonly said: string };

/** An answer as it is sent. */
interface Sent {
  readonly status?: number;
  readonly body: string;
}

/** One provider's API, as far as its agent uses it. */
export interface Wire {
  /** Where requests for answers come. */
  readonly path: RegExp;
  /** The names of the tools that a request offers. */
  tools(body: Body): readonly string[];
  answer(answer: Answer, tokens: number, body: Body): Sent;
  /** What the provider says to a request that is longer than the window. */
  overflow(tokens: number, window: number): Sent;
}

const list = (value: unknown) => (Array.isArray(value) ? (value as readonly Body[]) : []);

const named = (tools: readonly Body[]) => tools.flatMap(({ name }) => (typeof name === 'string' ? [name] : []));

const events = (all: readonly ({ readonly type: string } & Body)[]) =>
  all.map((event) => `event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`).join('');

const refusal = (error: object): Sent => ({ status: 400, body: JSON.stringify(error) });

const ofChat = ({ status, steps }: ScriptedReply): Sent => ({
  ...(status !== undefined && { status }),
  body: steps.map((step) => ('raw' in step ? String(step.raw) : 'event' in step ? eventText(step) : '')).join(''),
});

/** OpenAI's chat completions. */
export const CHAT: Wire = {
  path: /\/chat\/completions$/,
  tools: ({ tools }) => named(list(tools).map((tool) => tool.function as Body)),
  answer: (answer, tokens) => {
    const usage = { prompt_tokens: tokens, completion_tokens: 20, total_tokens: tokens + 20 };
    if ('said' in answer) return ofChat(textReply(answer.said, { usage }));
    return ofChat(callsReply([{ id: answer.id, name: answer.name, arguments: answer.input }], { usage }));
  },
  overflow: (tokens, window) => ofChat(overflowReply(tokens, window)),
};

/** Anthropic's messages. */
export const MESSAGES: Wire = {
  path: /\/v1\/messages$/,
  tools: ({ tools }) => named(list(tools)),
  answer: (answer, input_tokens, { model }) => {
    const isText = 'said' in answer;
    const block = isText
      ? { type: 'text', text: '' }
      : { type: 'tool_use', id: answer.id, name: answer.name, input: {} };
    const delta = isText
      ? { type: 'text_delta', text: answer.said }
      : { type: 'input_json_delta', partial_json: JSON.stringify(answer.input) };
    const usage = { input_tokens, output_tokens: 20, cache_creation_input_tokens: 0, cache_read_input_tokens: 0 };
    const message = { id: `msg_${input_tokens}`, type: 'message', role: 'assistant', model, content: [] };
    const about = { stop_reason: isText ? 'end_turn' : 'tool_use', stop_sequence: null };
    return {
      body: events([
        { type: 'message_start', message: { ...message, usage } },
        { type: 'content_block_start', index: 0, content_block: block },
        { type: 'content_block_delta', index: 0, delta },
        { type: 'content_block_stop', index: 0 },
        { type: 'message_delta', delta: about, usage: { output_tokens: 20 } },
        { type: 'message_stop' },
      ]),
    };
  },
  overflow: (tokens, window) =>
    refusal({
      type: 'error',
      error: { type: 'invalid_request_error', message: `prompt is too long: ${tokens} tokens > ${window} maximum` },
    }),
};

/** OpenAI's responses. */
export const RESPONSES: Wire = {
  path: /\/responses$/,
  tools: ({ tools }) => named(list(tools)),
  answer: (answer, tokens) => {
    const item =
      'said' in answer
        ? { type: 'message', role: 'assistant', id: 'msg_1', content: [{ type: 'output_text', text: answer.said }] }
        : {
            type: 'function_call',
            id: `fc_${answer.id}`,
            call_id: answer.id,
            name: answer.name,
            arguments: JSON.stringify(answer.input),
          };
    const usage = { input_tokens: tokens, output_tokens: 20, total_tokens: tokens + 20 };
    return {
      body: events([
        { type: 'response.created', response: { id: 'resp_1' } },
        { type: 'response.output_item.done', output_index: 0, item },
        { type: 'response.completed', response: { id: 'resp_1', output: [item], usage } },
      ]),
    };
  },
  overflow: () => {
    const error = {
      code: 'context_length_exceeded',
      message: 'Your input exceeds the context window of this model. Please adjust your input and try again.',
    };
    return {
      body: events([
        { type: 'response.created', response: { id: 'resp_1' } },
        { type: 'response.failed', response: { id: 'resp_1', status: 'failed', error } },
      ]),
    };
  },
};

/** Google's generateContent. */
export const GENERATE: Wire = {
  path: /:(?:streamG|g)enerateContent$/,
  tools: ({ tools }) => named(list(tools).flatMap(({ functionDeclarations }) => list(functionDeclarations))),
  answer: (answer, promptTokenCount) => {
    const part =
      'said' in answer
        ? { text: answer.said }
        : { functionCall: { id: answer.id, name: answer.name, args: answer.input }, thoughtSignature: 'c2lnbmF0dXJl' };
    const usageMetadata = { promptTokenCount, candidatesTokenCount: 20, totalTokenCount: promptTokenCount + 20 };
    const candidate = { index: 0, content: { role: 'model', parts: [part] }, finishReason: 'STOP' };
    return { body: `data: ${JSON.stringify({ candidates: [candidate], usageMetadata })}\r\n\r\n` };
  },
  overflow: (tokens, window) =>
    refusal({
      error: {
        code: 400,
        message: `The input token count (${tokens}) exceeds the maximum number of tokens allowed (${window}).`,
        status: 'INVALID_ARGUMENT',
      },
    }),
};

/** What the model does. */
export interface Work {
  /** Requests with more tokens are refused; a token is four characters of the body. */
  readonly window: number;
  /** Calls before it is done, asked for each time. */
  readonly steps: () => number;
  /** Its tool among those of the agent. */
  readonly tool: RegExp;
  /** The input of the call of a step, from 1. */
  readonly input: (step: number) => object;
}

/** A model on 127.0.0.1 at work. */
export interface Provider {
  readonly origin: string;
  /** The requests that offered its tool and that it took, oldest first. */
  readonly taken: readonly string[];
  /** How many requests were longer than its window so far. */
  refused(): number;
  close(): Promise<void>;
}

/** Starts a model that calls one tool, step by step, and then says that it is done. What it says of a refusal is the provider's. */
export async function startProvider(wire: Wire, work: Work): Promise<Provider> {
  const taken: string[] = [];
  let refused = 0;
  const answer = (whole: string): Sent => {
    const body = JSON.parse(whole) as Body;
    const tokens = Math.ceil(whole.length / 4);
    if (tokens > work.window) {
      refused += 1;
      return wire.overflow(tokens, work.window);
    }
    const name = wire.tools(body).find((one) => work.tool.test(one));
    if (name === undefined) return wire.answer({ said: 'A title' }, tokens, body);
    const step = taken.push(whole);
    const done = step > work.steps();
    return wire.answer(done ? { said: FINISHED } : { id: `call_${step}`, name, input: work.input(step) }, tokens, body);
  };
  const server = createServer((request, response) => {
    const at = new URL(request.url ?? '/', 'http://127.0.0.1').pathname;
    const send = async () => {
      const whole = await text(request);
      if (request.method !== 'POST' || !wire.path.test(at)) return response.writeHead(404).end('{}');
      const { status = 200, body } = answer(whole);
      const type = status === 200 ? 'text/event-stream' : 'application/json';
      return response.writeHead(status, { 'content-type': type }).end(body);
    };
    send().catch((error: unknown) => response.destroy(error as Error));
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    taken,
    refused: () => refused,
    close: async () => {
      server.close();
      server.closeAllConnections();
      await once(server, 'close');
    },
  };
}
