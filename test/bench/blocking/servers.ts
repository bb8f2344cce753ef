import { OpenAIModelClient } from '../../../src/adapters/openai/client.ts';
import { listModels } from '../../../src/adapters/servers/models.ts';
import { resolveProfile } from '../../../src/engine.ts';
import type { PreparedCase } from './cases.ts';

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
      const listed = await listModels({ baseUrl: BASE_URL, signal, fetch: async () => new Response(bodyOf(body)) });
      if (!listed.ok) console.error(listed.error.message);
    },
  };
}
