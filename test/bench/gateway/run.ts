/**
 * npm run bench -- gateway [--tokens 200000] [--rounds 40]
 *
 * What the gateway adds to a request: the same growing history is sent to a model's server on this machine, directly and
 * through the gateway. No compaction is due. Printed are medians, in milliseconds: the time to the first byte, and the
 * processor time, which says more on a machine that has other things to do.
 */
import http from 'node:http';
import type { AddressInfo } from 'node:net';
import { performance } from 'node:perf_hooks';
import { parseArgs } from 'node:util';
import { Gateway } from '../../../src/adapters/gateway/gateway.ts';
import { counterFor } from '../../../src/engine/counters.ts';
import { Upstream } from '../../../src/engine/upstream.ts';

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

async function ask(base: string, body: string): Promise<Measured> {
  const before = process.cpuUsage();
  const start = performance.now();
  const headers = { authorization: `Bearer ${TOKEN}`, 'content-type': 'application/json' };
  const response = await fetch(`${base}/chat/completions`, { method: 'POST', headers, body });
  const reader = response.body?.getReader();
  await reader?.read();
  const ms = performance.now() - start;
  for (let piece = await reader?.read(); piece?.done === false; ) piece = await reader?.read();
  const { user, system } = process.cpuUsage(before);
  return { ms, cpu: (user + system) / 1000 };
}

const median = (figures: readonly number[]) => figures.toSorted((a, b) => a - b)[Math.floor(figures.length / 2)] ?? 0;
const show = (what: string, ms: number, of = '') =>
  console.log(`${what.padEnd(48)} ${ms.toFixed(2).padStart(8)} ms   ${of}`);

const messages: Message[] = [
  { role: 'system', content: 'You are a careful agent.' },
  { role: 'user', content: 'Read all of it.' },
];
const counter = counterFor('o200k_base');
let tokens = 0;
let at = 0;
for (; tokens < Number(values.tokens); at += 1) {
  const added = step(at);
  messages.push(...added);
  tokens += counter.countTokens(added.map(({ content }) => content ?? '').join('\n')) + 20;
}
const bodyOf = () => JSON.stringify({ model: 'bench', messages, stream: true });
const cold = await ask(gateway.url, bodyOf());
const direct: Measured[] = [];
const through: Measured[] = [];
const counted: number[] = [];
for (let round = 0; round < rounds; round += 1) {
  messages.push(...step(at));
  at += 1;
  const body = bodyOf();
  direct.push(await ask(directUrl, body));
  through.push(await ask(gateway.url, body));
  const start = performance.now();
  for (const { content } of step(at + 1_000_000)) counter.countTokens(content ?? '');
  counted.push(performance.now() - start);
}
console.log(
  `${messages.length} messages, about ${tokens} tokens, ${Math.round(bodyOf().length / 1024)} kB, ${rounds} rounds`,
);
const pick = (figures: readonly Measured[], name: keyof Measured) => median(figures.map((figure) => figure[name]));
const report = (what: string, one: readonly Measured[], other: readonly Measured[]) => {
  for (const name of ['ms', 'cpu'] as const) {
    const [with_, without] = [pick(other, name), pick(one, name)];
    show(
      `${what}: ${name === 'ms' ? 'first byte' : 'processor time'}`,
      with_ - without,
      `${with_.toFixed(2)} - ${without.toFixed(2)}`,
    );
  }
};
show('first request of the history, all is counted', cold.ms);
show('counting the new messages', median(counted));
report('overhead', direct, through);
const small = JSON.stringify({ model: 'bench', messages: [{ role: 'user', content: 'hello' }], stream: true });
const smallDirect: Measured[] = [];
const smallThrough: Measured[] = [];
for (let round = 0; round < rounds; round += 1) {
  smallDirect.push(await ask(directUrl, small));
  smallThrough.push(await ask(gateway.url, small));
}
report('overhead of a small request', smallDirect, smallThrough);
const start = performance.now();
await Promise.all(Array.from({ length: 50 }, () => ask(gateway.url, small)));
show('fifty small requests side by side, all of them', performance.now() - start);
await gateway.close();
model.close();
model.closeAllConnections();
