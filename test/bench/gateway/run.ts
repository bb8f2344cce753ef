/**
 * npm run bench -- gateway [--api chat|messages|responses|gemini] [--tokens 200000] [--rounds 60]
 *
 * What the gateway adds to a request. The same growing history goes to a model's server on this machine directly and
 * through the gateway, in changing order; client, server and gateway each have their own process. No compaction is due.
 * It prints, in milliseconds:
 *
 * - first byte: how much later than in the direct request of the same round. The goal is 5 ms: the median, with the
 *   machine idle.
 * - processor: what the gateway's process took for the whole exchange. The goal is 5 ms beyond counting the new
 *   messages.
 *
 * On a busy machine the smallest figures say more: a proxy that only passes the bytes on adds 1.4 ms at least. The second
 * half of the rounds shows a gateway whose code is warm.
 */
import http from 'node:http';
import { performance } from 'node:perf_hooks';
import { parseArgs } from 'node:util';
import { contentText } from '../../../src/core/chat/parse.ts';
import type { ChatMessage } from '../../../src/core/chat/wire.ts';
import { counterFor } from '../../../src/engine/counters.ts';
import { WORK } from '../blocking/messages.ts';
import { APIS } from './apis.ts';
import { startPart, TOKEN } from './part.ts';

const { values } = parseArgs({
  options: {
    api: { type: 'string', default: 'chat' },
    tokens: { type: 'string', default: '200000' },
    rounds: { type: 'string', default: '60' },
  },
});
const rounds = Number(values.rounds);
const api = APIS[values.api];
if (api === undefined) throw new Error(`--api is one of ${Object.keys(APIS).join(', ')}`);

const model = await startPart('model');
const ways = { direct: model, gateway: await startPart('gateway', model.url) };
type Way = keyof typeof ways;

interface Measured {
  /** To the first byte, milliseconds. */
  readonly ms: number;
  /** What the process that was asked took for all of it, milliseconds. */
  readonly processor: number;
}

async function ask(way: Way, body: Uint8Array): Promise<Measured> {
  const { url, takenProcessor } = ways[way];
  await takenProcessor();
  const ms = await firstByte(url, body);
  return { ms, processor: await takenProcessor() };
}

/** Sends a body that is in memory already: the work of the client is not to be measured. */
async function firstByte(url: string, body: Uint8Array): Promise<number> {
  const headers = {
    authorization: `Bearer ${TOKEN}`,
    'content-type': 'application/json',
    'content-length': body.byteLength,
  };
  const start = performance.now();
  const request = http.request(`${url}${api?.path}`, { method: 'POST', headers });
  request.end(body);
  return new Promise((resolve, reject) => {
    request.on('error', reject);
    request.on('response', (response) => {
      let first: number | undefined;
      if (response.statusCode !== 200) reject(new Error(`status ${response.statusCode}`));
      response.on('data', () => {
        first ??= performance.now() - start;
      });
      response.on('end', () => resolve(first ?? 0));
    });
  });
}

const show = (what: string, ms: number, more = '') =>
  console.log(`${what.padEnd(52)} ${ms.toFixed(2).padStart(8)} ms   ${more}`);

const at = (figures: readonly number[], share: number) =>
  figures.toSorted((one, other) => one - other)[Math.floor(figures.length * share)] ?? 0;

/** Sends requests in each of the ways in turn. */
class Turns {
  readonly #rounds: Readonly<Record<Way, Measured>>[] = [];

  async ask(body: Uint8Array): Promise<void> {
    const isEven = this.#rounds.length % 2 === 0;
    const before = isEven ? await ask('direct', body) : undefined;
    const gateway = await ask('gateway', body);
    this.#rounds.push({ direct: before ?? (await ask('direct', body)), gateway });
  }

  report(what: string): void {
    const [gateway, direct] = [this.#rounds.map((round) => round.gateway), this.#rounds.map((round) => round.direct)];
    const ms = (measured: Measured) => measured.ms;
    report(`${what}, first byte: the gateway adds`, gateway.map(ms), direct.map(ms));
    const processor = gateway.map((measured) => measured.processor);
    report(`${what}, processor: the gateway takes`, processor, new Array<number>(processor.length).fill(0));
  }
}

/** By how much the figures exceed others of the same rounds. */
function report(what: string, figures: readonly number[], others: readonly number[]): void {
  const more = figures.map((figure, round) => figure - (others[round] ?? 0));
  const later = at(more.slice(more.length >> 1), 0.5).toFixed(2);
  const least = (Math.min(...figures) - Math.min(...others)).toFixed(2);
  show(what, at(more, 0.5), `median; of the second half ${later}; between the least of each ${least}`);
}

/** Tool definitions as an agent sends them with every request, some 40 kB. */
const tools = Array.from({ length: 24 }, (_, index) => {
  const parameters = { type: 'object', properties: { path: { type: 'string' }, line: { type: 'number' } } };
  const description = `What the tool ${index} does with the file is told at length here. `.repeat(25);
  return { type: 'function' as const, function: { name: `tool_${index}`, description, parameters } };
});
const messages: ChatMessage[] = [{ role: 'system', content: 'You are a careful agent.' }];
const body = () => Buffer.from(JSON.stringify(api.ask(messages, tools)));
const counter = counterFor('o200k_base');

/** Counts what an agent adds in a step: a call and its result, or what was said. */
const count = (added: readonly ChatMessage[]) => counter.countTokens(added.map(contentText).join('\n'));

let next = 0;
function addStep(): readonly ChatMessage[] {
  const added = [WORK(next), WORK(next + 1)];
  messages.push(...added);
  next += 2;
  return added;
}

let tokens = 0;
while (tokens < Number(values.tokens)) tokens += count(addStep());
const cold = await ask('gateway', body());
const long = new Turns();
const counted: number[] = [];
for (let round = 0; round < rounds; round += 1) {
  const added = addStep();
  await long.ask(body());
  const start = performance.now();
  count(added);
  counted.push(performance.now() - start);
}
const size = Math.round(body().length / 1024);
console.log(`${messages.length} messages, about ${tokens} tokens, ${size} kB, ${rounds} rounds`);
show('first request of the history, all is counted', cold.ms);
show('counting the new messages', at(counted, 0.5));
long.report('200k tokens');
const small = Buffer.from(JSON.stringify(api.ask([{ role: 'user', content: 'hello' }], [])));
const short = new Turns();
for (let round = 0; round < rounds; round += 1) await short.ask(small);
short.report('a small one');
for (const part of Object.values(ways)) part.end();
