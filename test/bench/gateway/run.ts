/**
 * npm run bench -- gateway [--tokens 200000] [--rounds 40]
 *
 * What the gateway adds to a request: the same growing history is sent to a model's server on this machine, directly and
 * through the gateway. No compaction is due. Printed are medians, in milliseconds, of the time to the first byte; the
 * gateway's includes counting what is new and reading the body, whose share is printed apart.
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
const direct = `http://127.0.0.1:${(model.address() as AddressInfo).port}/v1`;
const layers = [{ source: 'bench', entries: [{ id: 'bench', contextWindow: 4_000_000, completionReserve: 8_192 }] }];
const upstream = new Upstream({ baseUrl: direct, key: undefined, layers });
const listModels = (signal: AbortSignal) => upstream.listModels(signal);
const onBug = (error: unknown) => console.error(error);
const started = await Gateway.start({ port: 0, token: TOKEN, relay: upstream.relay, listModels, onBug });
if (!started.ok) throw new Error(started.error);
const gateway = started.value;

async function firstByte(base: string, body: string): Promise<number> {
  const start = performance.now();
  const headers = { authorization: `Bearer ${TOKEN}`, 'content-type': 'application/json' };
  const response = await fetch(`${base}/chat/completions`, { method: 'POST', headers, body });
  const reader = response.body?.getReader();
  await reader?.read();
  const ms = performance.now() - start;
  for (let piece = await reader?.read(); piece?.done === false; ) piece = await reader?.read();
  return ms;
}

const median = (figures: readonly number[]) => figures.toSorted((a, b) => a - b)[Math.floor(figures.length / 2)] ?? 0;
const show = (what: string, ms: number) => console.log(`${what.padEnd(44)} ${ms.toFixed(2)} ms`);

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
const cold = await firstByte(gateway.url, bodyOf());
const figures = { direct: [] as number[], gateway: [] as number[], parse: [] as number[], count: [] as number[] };
for (let round = 0; round < rounds; round += 1) {
  messages.push(...step(at));
  at += 1;
  const body = bodyOf();
  figures.direct.push(await firstByte(direct, body));
  figures.gateway.push(await firstByte(gateway.url, body));
  let start = performance.now();
  JSON.parse(body);
  figures.parse.push(performance.now() - start);
  start = performance.now();
  for (const { content } of step(at + 1_000_000)) counter.countTokens(content ?? '');
  figures.count.push(performance.now() - start);
}
console.log(
  `${messages.length} messages, about ${tokens} tokens, ${Math.round(bodyOf().length / 1024)} kB, ${rounds} rounds`,
);
show('first request of the history (all is counted)', cold);
show('direct: first byte', median(figures.direct));
show('gateway: first byte', median(figures.gateway));
show('  of it: reading the JSON of the body', median(figures.parse));
show('  of it: counting the new messages', median(figures.count));
show('overhead beyond counting', median(figures.gateway) - median(figures.direct) - median(figures.count));
const small = JSON.stringify({ model: 'bench', messages: [{ role: 'user', content: 'hello' }], stream: true });
const smalls = { direct: [] as number[], gateway: [] as number[] };
for (let round = 0; round < rounds; round += 1) {
  smalls.direct.push(await firstByte(direct, small));
  smalls.gateway.push(await firstByte(gateway.url, small));
}
show('a small request: overhead', median(smalls.gateway) - median(smalls.direct));
const start = performance.now();
await Promise.all(Array.from({ length: 50 }, () => firstByte(gateway.url, small)));
show('fifty small requests side by side, all of them', performance.now() - start);
await gateway.close();
model.close();
model.closeAllConnections();
