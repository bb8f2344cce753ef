import assert from 'node:assert/strict';
import { ReplyAccumulator } from '../../../src/adapters/openai/accumulate.ts';
import { OpenAIModelClient } from '../../../src/adapters/openai/client.ts';
import type { ModelProfile } from '../../../src/core/model/profile.ts';
import { ProviderServer } from '../server/providerServer.ts';
import { chunk, type ScriptedReply, type Step } from '../server/reply.ts';

const KEY = 'sk-secret-0123456789abcdef';

/** What piles up without adding a character to the text: each delta is small and new. */
const PILES: Readonly<Record<string, (index: number) => unknown>> = {
  calls: (index) => ({ tool_calls: [{ index, id: `c${index}`, function: { name: 'x', arguments: '' } }] }),
  'parts of the content': (index) => ({ content: [{ type: 'image', index }] }),
  'reasoning details': (index) => ({ reasoning_details: [{ type: 'r', index, text: 'a' }] }),
  'unknown fields': (index) => ({ [`field${index}`]: 'x' }),
};

describe('a stream without end', () => {
  let server: ProviderServer;

  before(async () => {
    server = await ProviderServer.start();
  });

  after(() => server.close());

  async function ask(reply: ScriptedReply) {
    server.enqueue(reply);
    const profile: ModelProfile = {
      id: 'scripted',
      provider: 'test',
      baseUrl: server.baseUrl,
      contextWindow: 8_000,
      completionReserve: 1_000,
      timeoutMs: 5_000,
      tools: true,
      envelope: 'standard',
      extra: {},
    };
    const client = new OpenAIModelClient({ getKey: async () => KEY });
    const request = { profile, messages: [{ role: 'user', content: 'hi' } as const], tools: [] };
    const result = await client.complete(request, () => undefined, new AbortController().signal);
    assert.ok(!JSON.stringify(result).includes(KEY));
    return result.ok ? assert.fail('it answered') : result.error.error;
  }

  for (const [what, delta] of Object.entries(PILES)) {
    it(`of ${what} is stopped before each new one costs more than the one before`, async () => {
      const steps: Step[] = [];
      // Many deltas to a packet: the test is about what they pile up, not about the socket.
      for (let start = 0; start < 12_000; start += 500) {
        const events = Array.from({ length: 500 }, (_, index) => chunk(delta(start + index)).event);
        steps.push({ raw: events.map((event) => `data: ${JSON.stringify(event)}\n\n`).join('') });
      }
      const error = await ask({ steps: [...steps, { stall: true }] });
      assert.match(error.evidence, /more than 10000 calls, parts or fields/);
      assert.equal(error.retryable, false);
    });
  }

  it('is not one that repeats a field', () => {
    const accumulator = new ReplyAccumulator();
    for (let index = 0; index < 20_000; index += 1) {
      const detail = { type: 'reasoning.text', text: 'a', index: 0 };
      accumulator.add({
        choices: [{ delta: { content: 'a', reasoning: 'b', extra: 1, reasoning_details: [detail] } }],
      });
    }
    assert.ok(accumulator.entries < 10, String(accumulator.entries));
  });
});

describe('a finish reason', () => {
  it('that is no word is not quoted, nor is a key in it', async () => {
    const server = await ProviderServer.start();
    try {
      for (const reason of [`stop for ${KEY}`, KEY, 'x'.repeat(100_000), '\n'.repeat(100_000)]) {
        server.enqueue({ steps: [chunk({}, reason)] });
        const profile = {
          id: 'm',
          provider: 'test',
          baseUrl: server.baseUrl,
          completionReserve: 100,
          timeoutMs: 5_000,
        };
        const result = await new OpenAIModelClient({ getKey: async () => KEY }).complete(
          {
            profile: { ...profile, tools: true, envelope: 'standard', extra: {} },
            messages: [{ role: 'user', content: 'hi' }],
            tools: [],
          },
          () => undefined,
          new AbortController().signal,
        );
        const text = JSON.stringify(result);
        assert.match(text, /empty reply/);
        assert.ok(!text.includes(KEY) && text.length < 1_000, text.slice(0, 300));
      }
    } finally {
      await server.close();
    }
  });
});
