import { fork } from 'node:child_process';
import http from 'node:http';
import type { AddressInfo } from 'node:net';
import { fileURLToPath } from 'node:url';
import { Upstream } from '../../../src/engine/upstream.ts';

/** What the clients of the bench give as their key. */
export const TOKEN = 'bench-token';

/** A server that reads the whole request and answers at once. */
function model(): http.Server {
  const chunk = {
    id: 'c',
    object: 'chat.completion.chunk',
    choices: [{ index: 0, delta: { content: 'ok' }, finish_reason: null }],
  };
  const end = { ...chunk, choices: [{ index: 0, delta: {}, finish_reason: 'stop' }] };
  const answer = `data: ${JSON.stringify(chunk)}\n\ndata: ${JSON.stringify(end)}\n\ndata: [DONE]\n\n`;
  return http.createServer((request, response) => {
    request.resume();
    request.on('end', () => {
      if (request.method === 'GET') return void response.writeHead(404).end('{}');
      response.writeHead(200, { 'content-type': 'text/event-stream' });
      response.end(answer);
    });
  });
}

/** Takes a whole request and passes it on, as any proxy must that looks at what it passes on. */
function proxy(upstream: string): http.Server {
  return http.createServer(async (request, response) => {
    const pieces: Buffer[] = [];
    for await (const piece of request) pieces.push(piece as Buffer);
    const body = Buffer.concat(pieces);
    const headers = { 'content-type': 'application/json', 'content-length': body.byteLength };
    const passed = http.request(`${upstream}/chat/completions`, { method: 'POST', headers }, (answer) => {
      response.writeHead(answer.statusCode ?? 500, { 'content-type': 'text/event-stream' });
      answer.pipe(response);
    });
    passed.end(body);
  });
}

async function listen(server: http.Server): Promise<string> {
  server.listen(0, '127.0.0.1');
  await new Promise((resolve) => server.once('listening', resolve));
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`;
}

async function gateway(baseUrl: string): Promise<string> {
  const layers = [{ source: 'bench', entries: [{ id: 'bench', contextWindow: 4_000_000, completionReserve: 8_192 }] }];
  const upstream = new Upstream({ baseUrl, key: undefined, layers });
  const started = await upstream.startGateway({ port: 0, token: TOKEN, onBug: (error) => console.error(error) });
  if (!started.ok) throw new Error(started.error);
  return started.value.url;
}

/** A server of the bench, in a process of its own as in real use. */
interface Part {
  readonly url: string;
  /** Processor time that the process has taken since this was last asked, milliseconds. */
  readonly takenProcessor: () => Promise<number>;
  readonly end: () => void;
}

/** Starts a server: the model, or a bare proxy or the gateway in front of it. */
export async function startPart(kind: 'model' | 'proxy' | 'gateway', upstream = ''): Promise<Part> {
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

async function run(kind: string | undefined, upstream = ''): Promise<void> {
  const url = kind === 'gateway' ? await gateway(upstream) : await listen(kind === 'proxy' ? proxy(upstream) : model());
  let taken = process.cpuUsage();
  process.on('message', () => {
    const { user, system } = process.cpuUsage(taken);
    process.send?.((user + system) / 1_000);
    taken = process.cpuUsage();
  });
  process.once('disconnect', () => process.exit());
  process.send?.(url);
}

const [, script, kind, upstream] = process.argv;
if (script === fileURLToPath(import.meta.url)) await run(kind, upstream);
