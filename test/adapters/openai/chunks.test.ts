import assert from 'node:assert/strict';
import { OpenAIModelClient } from '../../../src/adapters/openai/client.ts';
import { resolveProfile } from '../../../src/core/model/resolve.ts';
import type { AnswerChunk } from '../../../src/core/session/modelClient.ts';
import { ProviderServer } from '../server/providerServer.ts';
import { textReply } from '../server/reply.ts';

describe('the chunks of an answer', () => {
  let server: ProviderServer;

  beforeEach(async () => {
    server = await ProviderServer.start();
  });
  afterEach(() => server.close());

  it('come one after the other, each when the one before was dealt with', async () => {
    const reply = textReply('one two three four', { pieces: 6 });
    server.enqueue(reply);
    const chunks: AnswerChunk[] = [];
    let busy = 0;
    let most = 0;
    const onChunk = async (chunk: AnswerChunk) => {
      busy += 1;
      most = Math.max(most, busy);
      for (let turn = 0; turn < 20; turn += 1) await new Promise((resolve) => setImmediate(resolve));
      chunks.push(chunk);
      busy -= 1;
    };
    const { profile } = resolveProfile({ model: 'scripted', baseUrl: server.baseUrl });
    const client = new OpenAIModelClient({ getKey: async () => undefined });
    const request = { profile, messages: [{ role: 'user' as const, content: 'hello' }], tools: [], onChunk };
    const answered = await client.complete(request, () => undefined, new AbortController().signal);
    assert.ok(answered.ok);
    assert.equal(most, 1);
    assert.deepEqual(
      chunks,
      reply.steps.flatMap((step) => ('event' in step ? [step.event] : [])),
    );
  });
});
