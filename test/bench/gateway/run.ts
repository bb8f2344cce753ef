/**
 * npm run bench -- gateway [--tokens 200000] [--rounds 40]
 *
 * What the gateway adds to a request: the same growing history is sent to a model's server on this machine by turns
 * directly, through a proxy that does nothing but pass on, and through the gateway. No compaction is due. Printed are the
 * time to the first byte and the processor time, which says more on a machine that has other things to do; of each the
 * median and the least, in milliseconds, and how many times a direct request it is. Then an agent works until its history
 * has a million tokens, with a server that refuses what is longer than a small window: more than one refusal in all sets the
 * exit code.
 */
import http from 'node:http';
import type { AddressInfo } from 'node:net';
import { performance } from 'node:perf_hooks';
import { parseArgs } from 'node:util';
import { Gateway } from '../../../src/adapters/gateway/gateway.ts';
import { counterFor } from '../../../src/engine/counters.ts';
import { Upstream } from '../../../src/engine/upstream.ts';
import { measureRefusals } from './session.ts';

const { values } = parseArgs({
  options: { tokens: { type: 'string', default: '200000' }, rounds: { type: 'string', default: '40' } },
});
const rounds = Number(values.rounds);
const TOKEN = 'bench-token';

interface Message {
  readonly role: string;
  readonly content: string | null;
  readonly tool_calls?: readonly object[];
  readonly tool_call_id?: string;
}

/** One step of an agent at work, some 450 tokens. */
function step(index: number): Message[] {
  const call = {
    id: `call_${index}`,
    type: 'function',
    function: { name: 'read', arguments: `{"path":"src/${index}.ts"}` },
  };
  const lines = Array.from(
    { length: 22 },
    (_, line) => `export const value${line} = compute('part${index}', ${line * index});`,
  );
  return [
    { role: 'assistant', content: null, tool_calls: [call] },
    { role: 'tool', tool_call_id: call.id, content: lines.join('\n') },
  ];
}

/** Tool definitions as an agent sends them with every request, some 40 kB. */
const tools = Array.from({ length: 24 }, (_, index) => ({
  type: 'function',
  function: {
    name: `tool_${index}`,
    description: `${step(index)[1]?.content?.slice(0, 1_200)}`,
    parameters: {
      type: 'object',
      properties: Object.fromEntries(
        ['path', 'line', 'text'].map((name) => [
          name,
          { type: 'string', description: `The ${name} of the file to look at.` },
        ]),
      ),
      required: ['path'],
    },
  },
}));

/** A server that reads the whole request and answers at once. */
const model = http.createServer((request, response) => {
  request.resume();
  request.on('end', () => {
    if (request.method === 'GET') return void response.writeHead(404).end('{}');
    const chunk = {
      id: 'c',
      object: 'chat.completion.chunk',
      choices: [{ index: 0, delta: { content: 'ok' }, finish_reason: null }],
    };
    const end = { ...chunk, choices: [{ index: 0, delta: {}, finish_reason: 'stop' }] };
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    response.end(`data: ${JSON.stringify(chunk)}\n\ndata: ${JSON.stringify(end)}\n\ndata: [DONE]\n\n`);
  });
});
model.listen(0, '127.0.0.1');
await new Promise((resolve) => model.once('listening', resolve));
const directUrl = `http://127.0.0.1:${(model.address() as AddressInfo).port}/v1`;

/** Takes a request whole and passes it on, as every proxy must that looks at what it passes. */
const proxy = http.createServer(async (request, response) => {
  const pieces: Buffer[] = [];
  for await (const piece of request) pieces.push(piece as Buffer);
  const body = Buffer.concat(pieces);
  const headers = { 'content-type': 'application/json', 'content-length': body.byteLength };
  const passed = http.request(`${directUrl}/chat/completions`, { method: 'POST', headers }, (answer) => {
    response.writeHead(answer.statusCode ?? 500, { 'content-type': 'text/event-stream' });
    answer.pipe(response);
  });
  passed.end(body);
});
proxy.listen(0, '127.0.0.1');
await new Promise((resolve) => proxy.once('listening', resolve));
const proxyUrl = `http://127.0.0.1:${(proxy.address() as AddressInfo).port}/v1`;
const layers = [{ source: 'bench', entries: [{ id: 'bench', contextWindow: 4_000_000, completionReserve: 8_192 }] }];
const upstream = new Upstream({ baseUrl: directUrl, key: undefined, layers });
const listModels = (signal: AbortSignal) => upstream.listModels(signal);
const onBug = (error: unknown) => console.error(error);
const started = await Gateway.start({ port: 0, token: TOKEN, relay: upstream.relay, listModels, onBug });
if (!started.ok) throw new Error(started.error);
const gateway = started.value;

interface Measured {
  /** To the first byte, milliseconds. */
  readonly ms: number;
  /** Processor time of the whole exchange, milliseconds: client, gateway and server are one process here. */
  readonly cpu: number;
}

/** Sent from memory that is there already: what the client does is not to be measured. */
async function ask(base: string, body: Uint8Array): Promise<Measured> {
  const headers = {
    authorization: `Bearer ${TOKEN}`,
    'content-type': 'application/json',
    'content-length': body.byteLength,
  };
  const before = process.cpuUsage();
  const start = performance.now();
  const request = http.request(`${base}/chat/completions`, { method: 'POST', headers });
  request.end(body);
  const ms = await new Promise<number>((resolve, reject) => {
    request.on('error', reject);
    request.on('response', (response) => {
      let first: number | undefined;
      response.on('data', () => {
        first ??= performance.now() - start;
      });
      response.on('end', () => resolve(first ?? 0));
    });
  });
  const { user, system } = process.cpuUsage(before);
  return { ms, cpu: (user + system) / 1000 };
}

const sorted = (figures: readonly number[]) => figures.toSorted((a, b) => a - b);
const show = (what: string, ms: number, of = '') =>
  console.log(`${what.padEnd(48)} ${ms.toFixed(2).padStart(8)} ms   ${of}`);

/** Requests by turns on each of the ways. */
class Turns {
  readonly #ways = { direct: directUrl, proxy: proxyUrl, gateway: gateway.url };
  readonly #measured = { direct: [] as Measured[], proxy: [] as Measured[], gateway: [] as Measured[] };

  async ask(body: Uint8Array): Promise<void> {
    for (const way of ['direct', 'proxy', 'gateway'] as const)
      this.#measured[way].push(await ask(this.#ways[way], body));
  }

  report(what: string): void {
    for (const name of ['ms', 'cpu'] as const) {
      const [direct, proxy, through] = (['direct', 'proxy', 'gateway'] as const).map((way) => {
        const figures = sorted(this.#measured[way].map((figure) => figure[name]));
        return { median: figures[Math.floor(figures.length / 2)] ?? 0, least: figures[0] ?? 0 };
      });
      if (direct === undefined || proxy === undefined || through === undefined) continue;
      const line = (whose: string, to: typeof direct) =>
        show(
          `${what}, ${name === 'ms' ? 'first byte' : 'processor'}: ${whose}`,
          to.median - direct.median,
          `least ${(to.least - direct.least).toFixed(2)} ms; ${(to.median / direct.median).toFixed(1)} times ${direct.median.toFixed(2)} ms`,
        );
      line('a bare proxy adds', proxy);
      line('the gateway adds', through);
    }
  }
}

/** A history that grows in its own memory. */
class History {
  readonly #memory = Buffer.alloc(64 * 1024 * 1024);
  #length: number;
  messages = 0;

  constructor(first: readonly Message[]) {
    const text = JSON.stringify({ model: 'bench', tools, stream: true, messages: [] });
    this.#length = this.#memory.write(text) - END.length;
    this.add(first);
  }

  add(messages: readonly Message[]): void {
    for (const message of messages) {
      const text = `${this.messages === 0 ? '' : ','}${JSON.stringify(message)}`;
      this.#length += this.#memory.write(text, this.#length);
      this.messages += 1;
    }
    this.#memory.write(END, this.#length);
  }

  body(): Uint8Array {
    return this.#memory.subarray(0, this.#length + END.length);
  }
}

const END = ']}';
const history = new History([
  { role: 'system', content: 'You are a careful agent.' },
  { role: 'user', content: 'Read all of it.' },
]);
const counter = counterFor('o200k_base');
let tokens = 0;
let at = 0;
for (; tokens < Number(values.tokens); at += 1) {
  const added = step(at);
  history.add(added);
  tokens += counter.countTokens(added.map(({ content }) => content ?? '').join('\n')) + 20;
}
const cold = await ask(gateway.url, history.body());
const long = new Turns();
const counted: number[] = [];
for (let round = 0; round < rounds; round += 1) {
  history.add(step(at));
  at += 1;
  await long.ask(history.body());
  const start = performance.now();
  for (const { content } of step(at + 1_000_000)) counter.countTokens(content ?? '');
  counted.push(performance.now() - start);
}
console.log(
  `${history.messages} messages, about ${tokens} tokens, ${Math.round(history.body().length / 1024)} kB, ${rounds} rounds`,
);
show('first request of the history, all is counted', cold.ms);
show('counting the new messages', sorted(counted)[Math.floor(rounds / 2)] ?? 0);
long.report('200k tokens');
const hello = { model: 'bench', messages: [{ role: 'user', content: 'hello' }], stream: true };
const small = Buffer.from(JSON.stringify(hello));
const short = new Turns();
for (let round = 0; round < rounds; round += 1) await short.ask(small);
short.report('a small one');
const start = performance.now();
await Promise.all(Array.from({ length: 50 }, () => ask(gateway.url, small)));
show('fifty small requests side by side, all of them', performance.now() - start);
await gateway.close();
model.close();
model.closeAllConnections();
proxy.close();
proxy.closeAllConnections();

const { requests, tokens: session, refused, mostInOne } = await measureRefusals(16_384, 1_000_000);
console.log(
  `${requests} requests, a history of ${session} tokens, a window of 16384: ${refused} refused, ${mostInOne} of one request`,
);
if (refused > 1) process.exitCode = 1;
