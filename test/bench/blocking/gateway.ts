import { mkdtemp, rm } from 'node:fs/promises';
import http from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ThreadFiles } from '../../../src/adapters/node/threadFiles.ts';
import type { ChatMessage } from '../../../src/core/chat/wire.ts';
import { ANSWER, startGateway, startModel, TOKEN } from '../gateway/part.ts';
import { WORK } from './messages.ts';
import type { PreparedCase } from './meter.ts';

/**
 * One request of an agent through the gateway, with a history of this many characters: its first, one that continues
 * it, or the first after a restart of the program.
 */
export async function gatewayCase(asked: 'first' | 'next' | 'again', characters: number): Promise<PreparedCase> {
  const root = await mkdtemp(join(tmpdir(), 'karl-bench-'));
  const model = await startModel();
  const start = () =>
    startGateway(model.url, new ThreadFiles({ root, now: () => Date.now(), onProblem: (text) => console.error(text) }));
  const history = historyOf(characters);
  let running = await start();
  if (asked !== 'first') await ask(running.url, write(history));
  if (asked === 'again') {
    await running.end();
    running = await start();
  }
  // Code that runs for the first time is not measured, except for loading the tables of the tokenizer.
  await ask(running.url, write([{ role: 'user', content: 'another conversation' }]));
  const next = write(asked === 'first' ? history : [...history, ANSWER, { role: 'user', content: 'go on' }]);
  const { url, end } = running;
  return {
    work: () => ask(url, next),
    end: async () => {
      await end();
      await model.end();
      await rm(root, { recursive: true, force: true });
    },
  };
}

function historyOf(characters: number): readonly unknown[] {
  const messages: ChatMessage[] = [];
  for (let length = 0; length < characters; ) {
    const message = WORK(messages.length);
    messages.push(message);
    length += JSON.stringify(message).length;
  }
  return messages;
}

function write(messages: readonly unknown[]): Buffer {
  return Buffer.from(JSON.stringify({ model: 'bench', messages, stream: true }));
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
