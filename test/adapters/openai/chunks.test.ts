import assert from 'node:assert/strict';
import { isDeepStrictEqual } from 'node:util';
import { OpenAIModelClient } from '../../../src/adapters/openai/client.ts';
import { resolveProfile } from '../../../src/core/profile/resolve.ts';
import type { AnswerChunk, ModelDelta } from '../../../src/core/session/modelClient.ts';
import { ProviderServer } from '../server/providerServer.ts';
import { type ScriptedReply, textReply } from '../server/reply.ts';

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

  describe('of a server that repeats its key', () => {
    const KEY = 'sk-canary-4f9aK2mQ81xyzABCDEF12';

    async function ask(reply: ScriptedReply) {
      server.enqueue(reply);
      const chunks: AnswerChunk[] = [];
      let streamed = '';
      const { profile } = resolveProfile({ model: 'scripted', baseUrl: server.baseUrl });
      const client = new OpenAIModelClient({ getKey: async () => KEY });
      const onChunk = async (chunk: AnswerChunk) => void chunks.push(chunk);
      const request = { profile, messages: [{ role: 'user' as const, content: 'hello' }], tools: [], onChunk };
      const onDelta = (delta: ModelDelta) => {
        if (delta.type === 'text') streamed += delta.text;
      };
      assert.ok((await client.complete(request, onDelta, new AbortController().signal)).ok);
      return { chunks, streamed };
    }

    const eventsOf = ({ steps }: ScriptedReply) => steps.flatMap((step) => ('event' in step ? [step.event] : []));

    for (const size of [1, 2, 5, 17, 400]) {
      it(`in pieces of ${size} characters contain at most three of its characters`, async () => {
        const said = `Your key is ${KEY}, and again: ${KEY.toUpperCase()}; ${[...KEY].join('\u200b')}. Skip this.`;
        const pieces = Math.ceil(said.length / size);
        const { chunks, streamed } = await ask(textReply(said, { pieces }));
        assert.equal(
          streamed.replace(/s[k\u200b-]*(?=\*{3})/gi, ''),
          'Your key is ***, and again: ***; ***. Skip this.',
        );
        assert.ok(!/canary|4f9a/i.test(JSON.stringify(chunks).replaceAll('\u200b', '')));
      });
    }

    it('pass on every word that only begins like it', async () => {
      for (const [said, pieces] of [['See sk-canary in the docs.', 26] as const, ['Ends with sk-canary', 1] as const]) {
        const reply = textReply(said, { pieces });
        const { chunks, streamed } = await ask(reply);
        assert.equal(streamed, said);
        const changed = eventsOf(reply).filter((event) => !chunks.some((chunk) => isDeepStrictEqual(chunk, event)));
        assert.ok(changed.length <= 'canary '.length, 'all others are as they came');
      }
    });

    it('do not have it in any other field, nor in an answer that is not streamed', async () => {
      const message = { role: 'assistant', content: `It is ${KEY}` };
      const whole = { note: KEY, choices: [{ index: 0, message, finish_reason: 'stop' }] };
      const { chunks } = await ask({ contentType: 'application/json', steps: [{ raw: JSON.stringify(whole) }] });
      assert.deepEqual(chunks, [
        { note: '***', choices: [{ index: 0, message: { ...message, content: 'It is ***' }, finish_reason: 'stop' }] },
      ]);
    });
  });
});
