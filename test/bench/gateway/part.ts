import { fork } from 'node:child_process';
import http from 'node:http';
import type { AddressInfo } from 'node:net';
import { fileURLToPath } from 'node:url';
import type { ThreadStore } from '../../../src/core/session/threads/threadStore.ts';
import { Upstream } from '../../../src/engine/upstream.ts';
import { inEnglish } from '../../../src/language/language.ts';
import { APIS } from './apis.ts';

export const TOKEN = 'bench-token';

export const ANSWER = { role: 'assistant', content: 'ok' };

interface Running {
  readonly url: string;
  readonly end: () => Promise<unknown>;
}

/** A server that reads the whole request and answers at once. */
export function startModel(): Promise<Running> {
  return listen((request, response) => {
    request.resume();
    request.on('end', () => {
      if (request.method === 'GET') return void response.writeHead(404).end('{}');
      const asked = Object.values(APIS).find(({ path }) => request.url?.endsWith(path));
      response.writeHead(200, { 'content-type': 'text/event-stream' });
      for (const event of asked?.answer ?? []) response.write(`data: ${JSON.stringify(event)}\n\n`);
      response.end('data: [DONE]\n\n');
    });
  });
}

/** The gateway; with a store its threads outlast it. */
export async function startGateway(baseUrl: string, store?: ThreadStore): Promise<Running> {
  const layers = [{ source: 'bench', entries: [{ id: 'bench', contextWindow: 40_000_000, completionReserve: 8_192 }] }];
  const upstream = new Upstream({ baseUrl, key: undefined, layers, ...(store !== undefined && { store }) });
  const gateway = await upstream.startGateway({ port: 0, token: TOKEN, onBug: (error) => console.error(error) });
  if (!gateway.ok) throw new Error(inEnglish(gateway.error));
  const end = async () => {
    await gateway.value.close();
    await upstream.threads.saveAll();
  };
  return { url: gateway.value.url, end };
}

async function listen(serve: http.RequestListener): Promise<Running> {
  const server = http.createServer(serve).listen(0, '127.0.0.1');
  await new Promise((resolve) => server.once('listening', resolve));
  const end = async () => {
    server.close();
    server.closeAllConnections();
  };
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`, end };
}

/** A server of the bench, in a process of its own as in real use. */
interface Part {
  readonly url: string;
  /** Processor time that the process has taken since this was last asked, milliseconds. */
  readonly takenProcessor: () => Promise<number>;
  readonly end: () => void;
}

const STARTS = { model: startModel, gateway: (upstream: string) => startGateway(upstream) };

/** Starts a server: the model, or the gateway in front of it. */
export async function startPart(kind: keyof typeof STARTS, upstream = ''): Promise<Part> {
  const child = fork(fileURLToPath(import.meta.url), [kind, upstream]);
  const hear = () => new Promise((resolve) => child.once('message', resolve));
  const url = String(await hear());
  const takenProcessor = async () => {
    const heard = hear();
    child.send('processor');
    return Number(await heard);
  };
  return { url, takenProcessor, end: () => child.disconnect() };
}

const [, script, kind, upstream = ''] = process.argv;
if (script === fileURLToPath(import.meta.url)) {
  const { url } = await STARTS[kind as keyof typeof STARTS](upstream);
  let taken = process.cpuUsage();
  process.on('message', () => {
    const { user, system } = process.cpuUsage(taken);
    process.send?.((user + system) / 1_000);
    taken = process.cpuUsage();
  });
  process.once('disconnect', () => process.exit());
  process.send?.(url);
}
