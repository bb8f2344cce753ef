import assert from 'node:assert/strict';
import { once } from 'node:events';
import http from 'node:http';
import type { AddressInfo } from 'node:net';
import OpenAI from 'openai';
import { CHAT } from '../../../src/adapters/gateway/dialects/chat/chat.ts';
import type { ClientRequest } from '../../../src/adapters/gateway/dialects/dialect.ts';
import { OwnServers } from '../../../src/adapters/gateway/dialects/ownServers.ts';
import type { Gateway } from '../../../src/adapters/gateway/gateway.ts';
import type { ChatMessage } from '../../../src/core/chat/wire.ts';
import { Upstream, type UpstreamOptions } from '../../../src/engine/upstream.ts';
import { ProviderServer, type ProviderServerOptions, type RecordedRequest } from '../server/providerServer.ts';

export const TOKEN = 'gateway-token';

/** Headers wait for the answer, so that a busy machine changes no status. Milliseconds. */
const A_MINUTE = 60_000;

/** A model's server, a gateway in front of it, and a client of the gateway. */
export interface OpenedGateway {
  readonly server: ProviderServer;
  readonly gateway: Gateway;
  readonly client: OpenAI;
  /** The requests to the model; Karl also asks a server for its window. */
  requests(): readonly RecordedRequest[];
  /** What the gateway reported to have done, answer by answer. */
  readonly done: readonly string[];
  readonly bugs: readonly unknown[];
  /** Sends a request to the gateway without the client. */
  ask(path: string, init?: RequestInit): Promise<Response>;
  /** Posts a body in the same way; a text is sent as it is. */
  post(body: object | string, path?: string, init?: RequestInit): Promise<Response>;
  close(): Promise<void>;
}

/** Opens all three on free ports. */
export async function openGateway(
  options: ProviderServerOptions = {},
  change: Partial<Parameters<Upstream['startGateway']>[0]> &
    Partial<Pick<UpstreamOptions, 'key' | 'layers' | 'clock'>> = {},
): Promise<OpenedGateway> {
  const server = await ProviderServer.start(options);
  const { key, layers = [], clock, ...about } = change;
  const upstream = new Upstream({ baseUrl: server.baseUrl, key, layers, ...(clock && { clock }) });
  const bugs: unknown[] = [];
  const done: string[] = [];
  const onBug = (error: unknown) => bugs.push(error);
  const started = await upstream.startGateway({ port: 0, token: TOKEN, onBug, graceMs: A_MINUTE, ...about });
  assert.ok(started.ok);
  const gateway = started.value;
  const ask = (path: string, init: RequestInit = {}) =>
    fetch(`${gateway.url}${path}`, { ...init, headers: { authorization: `Bearer ${TOKEN}`, ...init.headers } });
  return {
    server,
    gateway,
    client: new OpenAI({
      baseURL: gateway.url,
      apiKey: TOKEN,
      maxRetries: 0,
      fetch: async (address, init) => {
        const response = await fetch(address, init);
        done.push(response.headers.get('x-karl') ?? '');
        return response;
      },
    }),
    requests: () => server.requests.filter(({ path }) => path === '/v1/chat/completions'),
    done,
    bugs,
    ask,
    post: (body, path = '/chat/completions', init = {}) =>
      ask(path, { method: 'POST', body: typeof body === 'string' ? body : JSON.stringify(body), ...init }),
    close: async () => {
      await gateway.close();
      await server.close();
    },
  };
}

/** Starts a server on any free port; gives its address. */
export async function listen(server: http.Server): Promise<string> {
  await once(server.listen(0, '127.0.0.1'), 'listening');
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

/** Acts on the address of a gateway in front of a server that speaks an API of its own under a path. */
export async function beforeServer(
  serve: http.RequestListener,
  path: string,
  act: (address: string) => Promise<void>,
): Promise<void> {
  const server = http.createServer(serve);
  const upstream = new Upstream({ baseUrl: `${await listen(server)}${path}`, key: undefined, layers: [] });
  const onBug = (error: unknown) => assert.fail(String(error));
  const started = await upstream.startGateway({ port: 0, token: TOKEN, onBug });
  assert.ok(started.ok);
  try {
    await act(new URL(started.value.url).origin);
  } finally {
    await started.value.close();
    server.close();
    server.closeAllConnections();
  }
}

/** A request in chat completions as a dialect reads it. */
export function readChat(body: object): ClientRequest {
  const servers = new OwnServers({ getKey: async () => undefined });
  const asked = CHAT.parse({ body: { ...body }, headers: {}, path: '/chat/completions', query: '', servers });
  return asked.ok ? asked.value : assert.fail(asked.error.error.message);
}

/** A gateway for each test of a suite; `reopen` opens another in its place. Nothing unexpected may be reported. */
export function useGateway(...usual: Parameters<typeof openGateway>) {
  let opened: OpenedGateway;
  const close = async () => {
    assert.deepEqual(opened.bugs, []);
    await opened.close();
  };
  beforeEach(async () => {
    opened = await openGateway(...usual);
  });
  afterEach(close);
  const reopen = async (...args: Parameters<typeof openGateway>) => {
    await close();
    opened = await openGateway(...args);
  };
  return Object.assign(() => opened, { reopen });
}

/** The events in the text of a stream, parsed; `[DONE]` as it is. */
export function eventsIn(stream: string) {
  return (stream.match(/(?<=^data: ).*/gm) ?? []).map((data) => (data === '[DONE]' ? data : JSON.parse(data)));
}

/** The events of a stream. */
export const eventsOf = async (response: Response): Promise<unknown[]> => eventsIn(await response.text());

/** A view in which the results and the arguments of the first call of each message are cut. */
export function cutView(messages: readonly ChatMessage[]): ChatMessage[] {
  return messages.map((message) => {
    if (message.role === 'tool') return { ...message, content: '…' };
    const [first, ...others] = message.tool_calls ?? [];
    if (first === undefined) return message;
    const cut = { ...first, function: { ...first.function, arguments: '{"path":"…"}' } };
    return { ...message, tool_calls: [cut, ...others] };
  });
}
