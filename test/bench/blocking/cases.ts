import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { makeWorkspaceTools } from '../../../src/adapters/node/toolKit.ts';
import { OpenAIModelClient } from '../../../src/adapters/openai/client.ts';
import { listModels } from '../../../src/adapters/servers/models.ts';
import { extractInSteps } from '../../../src/core/ledger/ledger.ts';
import { runInSlices } from '../../../src/core/steps.ts';
import { resolveProfile } from '../../../src/engine.ts';
import { tool, transcriptOf } from '../../core/conversation/kit.ts';
import { compactCase, goOnCase, openCase } from './conversations.ts';
import { gatewayCase } from './gateway.ts';
import type { PreparedCase } from './meter.ts';

/** A case of the benchmark: what is prepared is not measured. */
export interface BlockingCase {
  readonly name: string;
  readonly prepare: () => PreparedCase | Promise<PreparedCase>;
}

/** Everything that has once held up the extension host for longer than a user's patience. */
export const CASES: readonly BlockingCase[] = [
  { name: 'compact 4,000 messages with figures', prepare: () => compactCase('figures', 4_000) },
  { name: 'compact 8,000 messages with figures', prepare: () => compactCase('figures', 8_000) },
  { name: 'list_files, 5,000 files, a slow glob', prepare: () => listFilesCase(5_000) },
  { name: 'reply: 1.2 MB of small objects', prepare: () => streamCase(objectsIn(1_200_000)) },
  { name: 'reply: 800 kB of arguments in fours', prepare: () => streamCase(argumentsIn4(800_000)) },
  { name: '/models with 100,000 ids', prepare: () => modelsCase(100_000) },
  { name: 'extractors on 2 MB', prepare: () => extractCase(2_000_000) },
  { name: 'open 100,000 tiny messages', prepare: () => openCase('tiny', 100_000) },
  { name: 'go on with 100,000 tiny messages', prepare: () => goOnCase('tiny', 100_000) },
  { name: 'compact 100,000 tiny messages', prepare: () => compactCase('tiny', 100_000) },
  { name: 'open a session of 800,000 tokens', prepare: () => openCase('work', 1_900) },
  { name: 'go on with 800,000 tokens', prepare: () => goOnCase('work', 1_900) },
  { name: 'compact 800,000 tokens', prepare: () => compactCase('work', 1_900) },
  { name: 'compact 800,000 tokens, cold', prepare: () => compactCase('work', 1_900, 'cold') },
  { name: 'gateway: the first request, of 4 MB', prepare: () => gatewayCase('first', 4_000_000) },
  { name: 'gateway: the next request, of 4 MB', prepare: () => gatewayCase('next', 4_000_000) },
  { name: 'gateway: a request of 4 MB, its thread on the disk', prepare: () => gatewayCase('again', 4_000_000) },
];

export function extractCase(characters: number): PreparedCase {
  const line = 'src/part12.ts(41,7): error TS2304: Cannot find name part12. 3 passed, 1 failed in 1.27 s\n';
  const output = line.repeat(Math.ceil(characters / line.length));
  const block = transcriptOf(tool('a', 'bash', { command: 'npm test' }, output)).blocks.at(-1);
  if (block === undefined) throw new Error('there is no block');
  const pause = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));
  return { work: () => runInSlices(extractInSteps(block), { pause, elapsed: () => performance.now() }) };
}

/** Lists files in one folder by a glob with as many stars as one may have, which none of them matches. */
export async function listFilesCase(files: number): Promise<PreparedCase> {
  const root = await mkdtemp(join(tmpdir(), 'karl-bench-'));
  await mkdir(join(root, 'a'.repeat(60)));
  for (let index = 0; index < files; index += 1)
    await writeFile(join(root, 'a'.repeat(60), `${'a'.repeat(60)}${index}`), '');
  const tool = makeWorkspaceTools(() => [{ name: 'bench', path: root }]).find(
    ({ definition }) => definition.function.name === 'list_files',
  );
  const pattern = '**/*a/**/*a*a*ab';
  return {
    work: async () => tool?.run({ pattern }, new AbortController().signal),
    end: () => rm(root, { recursive: true, force: true }),
  };
}

/** Bytes that a socket gives at once. */
const PIECE = 65_536;

const BASE_URL = 'http://localhost:1/v1';

/** A body as a socket gives it: in pieces, each in a turn of its own. */
function bodyOf(bytes: Buffer): ReadableStream<Uint8Array> {
  let sent = 0;
  return new ReadableStream(
    {
      pull: async (controller) => {
        await new Promise((resolve) => setImmediate(resolve));
        controller.enqueue(bytes.subarray(sent, sent + PIECE));
        sent += PIECE;
        if (sent >= bytes.length) controller.close();
      },
    },
    { highWaterMark: 0 },
  );
}

/** A reply of these deltas, read by the model client. */
export function streamCase(deltas: readonly unknown[]): PreparedCase {
  const chunk = (delta: unknown, reason: string | null = null): string =>
    `data: ${JSON.stringify({ choices: [{ index: 0, delta, finish_reason: reason }] })}\n\n`;
  const bytes = Buffer.from(
    `${deltas.map((delta) => chunk(delta)).join('')}${chunk({ content: 'x' }, 'stop')}data: [DONE]\n\n`,
  );
  const headers = new Headers({ 'content-type': 'text/event-stream' });
  const client = new OpenAIModelClient({
    getKey: async () => undefined,
    fetch: async () => ({ status: 200, headers, body: bodyOf(bytes) }),
  });
  const profile = { ...resolveProfile('bench'), baseUrl: BASE_URL };
  const request = { profile, messages: [{ role: 'user' as const, content: 'go' }], tools: [], maxTokens: 1_000 };
  return {
    work: async () => {
      const reply = await client.complete(request, () => undefined, new AbortController().signal);
      if (!reply.ok) console.error(reply.error.error.evidence);
    },
  };
}

/** Small objects that add one field each to what came before, with this many characters in all. */
export function objectsIn(characters: number): readonly unknown[] {
  return Array.from({ length: Math.ceil(characters / 20) }, (_, index) => ({ extra: { [`field${index}`]: { a: 1 } } }));
}

/** The arguments of one call, four characters a delta. */
export function argumentsIn4(characters: number): readonly unknown[] {
  const opening = { tool_calls: [{ index: 0, id: 'a', function: { name: 'write', arguments: '{"t":"' } }] };
  const more = { tool_calls: [{ index: 0, function: { arguments: 'abcd' } }] };
  return [opening, ...new Array<unknown>(Math.ceil(characters / 4)).fill(more)];
}

/** A server's list of this many models, in no order. */
export function modelsCase(count: number): PreparedCase {
  const data = Array.from({ length: count }, (_, index) => ({
    id: `m${(index * 7_919) % count}`,
    context_length: 8_192,
  }));
  const body = Buffer.from(JSON.stringify({ object: 'list', data }));
  return {
    work: async () => {
      const signal = new AbortController().signal;
      globalThis.fetch = async () => new Response(bodyOf(body));
      const listed = await listModels({ baseUrl: BASE_URL, signal });
      if (!listed.ok) console.error(listed.error.message);
    },
  };
}
