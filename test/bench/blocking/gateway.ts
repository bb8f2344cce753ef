import { mkdtemp, rm } from 'node:fs/promises';
import http from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ThreadFiles } from '../../../src/adapters/node/threadFiles.ts';
import type { ChatMessage } from '../../../src/core/messages/chat.ts';
import { Upstream } from '../../../src/engine/upstream.ts';
import { WORK } from './messages.ts';
import type { PreparedCase } from './meter.ts';

/**
 * Which request of an agent is measured: its first, one that continues it, or the first after a restart of the program.
 */
export type Asked = 'first' | 'next' | 'again';

const TOKEN = 'bench-token';

/** One request through the gateway, with a history of this many characters. */
export async function gatewayCase(asked: Asked, characters: number): Promise<PreparedCase> {
  const root = await mkdtemp(join(tmpdir(), 'karl-bench-'));
  const model = await startModel();
  const history = historyOf(characters);
  let running = await start(model.url, root);
  if (asked !== 'first') await ask(running.url, write(history));
  if (asked === 'again') {
    await running.end();
    running = await start(model.url, root);
  }
  // Code that runs for the first time is not measured, except for loading the tables of the tokenizer.
  await ask(running.url, write([{ role: 'user', content: 'another conversation' }]));
  const next = write(asked === 'first' ? history : [...history, ANSWER, { role: 'user', content: 'go on' }]);
  const { url, end } = running;
  return {
    work: () => ask(url, next),
    end: async () => {
      await end();
      model.end();
      await rm(root, { recursive: true, force: true });
    },
  };
}

const ANSWER = { role: 'assistant', content: 'ok' };

function historyOf(characters: number): readonly unknown[] {
  const messages: ChatMessage[] = [];
  for (let length = 0; length < characters; ) {
    const message = WORK(messages.length);
    messages.push(message);
    length += JSON.stringify(message).length;
  }
  return messages;
}

async function start(baseUrl: string, root: string) {
  const layers = [{ source: 'bench', entries: [{ id: 'bench', contextWindow: 40_000_000, completionReserve: 8_192 }] }];
  const onProblem = (message: string) => console.error(message);
  const store = new ThreadFiles({ root, now: () => Date.now(), onProblem });
  const upstream = new Upstream({ baseUrl, key: undefined, layers, store, onProblem });
  const gateway = await upstream.startGateway({ port: 0, token: TOKEN, onBug: (error) => console.error(error) });
  if (!gateway.ok) throw new Error(gateway.error);
  const end = async () => {
    await gateway.value.close();
    await upstream.close();
  };
  return { url: gateway.value.url, end };
}

function write(messages: readonly unknown[]): Buffer {
  return Buffer.from(JSON.stringify({ model: 'bench', messages }));
}

async function ask(url: string, body: Buffer): Promise<void> {
  const headers = { authorization: `Bearer ${TOKEN}`, 'content-type': 'application/json' };
  const request = http.request(`${url}/chat/completions`, { method: 'POST', headers });
  // As a socket of another program gives it.
  for (let at = 0; at < body.length; at += 65_536) {
    request.write(body.subarray(at, at + 65_536));
    await new Promise((resolve) => setImmediate(resolve));
  }
  request.end();
  const status = await new Promise<number | undefined>((resolve, reject) => {
    request.on('error', reject);
    request.on('response', (response) => {
      response.resume();
      response.on('end', () => resolve(response.statusCode));
    });
  });
  if (status !== 200) throw new Error(`status ${status}`);
}

async function startModel() {
  const choices = [{ index: 0, message: ANSWER, finish_reason: 'stop' }];
  const server = http.createServer((request, response) => {
    request.resume();
    request.on('end', () => {
      if (request.method === 'GET') return void response.writeHead(404).end('{}');
      response.writeHead(200, { 'content-type': 'application/json' });
      response.end(JSON.stringify({ id: 'c', object: 'chat.completion', model: 'bench', choices }));
    });
  });
  server.listen(0, '127.0.0.1');
  await new Promise((resolve) => server.once('listening', resolve));
  const end = () => {
    server.close();
    server.closeAllConnections();
  };
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`, end };
}
