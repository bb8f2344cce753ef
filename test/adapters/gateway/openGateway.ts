import assert from 'node:assert/strict';
import OpenAI from 'openai';
import type { Gateway } from '../../../src/adapters/gateway/gateway.ts';
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

/** The events of a stream, parsed; `[DONE]` as it is. */
export async function eventsOf(response: Response): Promise<unknown[]> {
  const lines = (await response.text()).split('\n').filter((line) => line.startsWith('data: '));
  return lines.map((line) => line.slice('data: '.length)).map((data) => (data === '[DONE]' ? data : JSON.parse(data)));
}
