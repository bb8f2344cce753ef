import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import type { OfferedTool, Wire } from './wires.ts';

/** What the model says when its task is done. */
export const FINISHED = 'Every part is printed.';

/** One provider's API, as far as its agent uses it. */
export type ProviderWire = Pick<Wire, 'path' | 'write' | 'overflow'> & {
  readonly read: (body: Fields) => { readonly tools: readonly OfferedTool[] };
};

type Fields = Readonly<Record<string, unknown>>;

/** Google's generateContent, streamed or not. */
export const GENERATE: ProviderWire = {
  path: 'enerateContent',
  read: ({ tools }) => ({
    tools:
      (tools as readonly { readonly functionDeclarations?: readonly OfferedTool[] }[] | undefined)?.flatMap(
        ({ functionDeclarations = [] }) => functionDeclarations,
      ) ?? [],
  }),
  write: ({ text: said, call, tokens: promptTokenCount }) => {
    const part =
      call === undefined
        ? { text: said }
        : { functionCall: { id: call.id, name: call.name, args: call.input }, thoughtSignature: 'c2lnbmF0dXJl' };
    const usageMetadata = { promptTokenCount, candidatesTokenCount: 20, totalTokenCount: promptTokenCount + 20 };
    const candidate = { index: 0, content: { role: 'model', parts: [part] }, finishReason: 'STOP' };
    return `data: ${JSON.stringify({ candidates: [candidate], usageMetadata })}\r\n\r\n`;
  },
  overflow: (tokens, _, window) => ({
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
export async function startProvider(wire: ProviderWire, work: Work): Promise<Provider> {
  const taken: string[] = [];
  let refused = 0;
  const reply = (whole: string, body: Fields, tokens: number) => {
    const tool = wire.read(body).tools.find(({ name }) => work.tool.test(name));
    if (tool === undefined) return { text: 'A title', thought: '', tokens };
    const step = taken.push(whole);
    if (step > work.steps()) return { text: FINISHED, thought: '', tokens };
    const call = { id: `call_${step}`, name: tool.name, input: work.input(step) };
    return { text: `Part ${step}.`, call, thought: `signed-${step}==`, tokens };
  };
  const server = createServer(async (request, response) => {
    const at = new URL(request.url ?? '/', 'http://127.0.0.1').pathname;
    const whole = await text(request);
    if (request.method !== 'POST' || !at.endsWith(wire.path)) return response.writeHead(404).end('{}');
    const body = JSON.parse(whole) as Fields;
    const tokens = Math.ceil(whole.length / 4);
    const isOver = tokens > work.window;
    if (isOver) refused += 1;
    const [status, type] = isOver ? [400, 'application/json'] : [200, 'text/event-stream'];
    const answer = isOver
      ? JSON.stringify(wire.overflow(tokens, 0, work.window))
      : wire.write(reply(whole, body, tokens), String(body.model));
    return response.writeHead(status, { 'content-type': type }).end(answer);
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
