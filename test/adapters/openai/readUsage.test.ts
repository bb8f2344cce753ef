import assert from 'node:assert/strict';
import { readUsage } from '../../../src/adapters/openai/readUsage.ts';
import { openHarness } from '../../core/session/sessionHarness.ts';
import { textReply } from '../server/reply.ts';

describe('reported usage', () => {
  it('is taken with whatever else the server says', () => {
    const usage = {
      prompt_tokens: 7,
      completion_tokens: 2,
      total_tokens: 9,
      prompt_tokens_details: { cached_tokens: 4 },
    };
    assert.deepEqual(readUsage({ ...usage, cost: 0.01 }), { ...usage, cost: 0.01 });
  });

  it('is a number of tokens or unknown', () => {
    assert.deepEqual(readUsage({ prompt_tokens: '1234', completion_tokens: 'many' }), { prompt_tokens: 1234 });
    for (const wrong of ['abc', null, {}, [], Number.NaN, Number.POSITIVE_INFINITY, -1, 1.5, true, 1e300])
      assert.deepEqual(readUsage({ prompt_tokens: wrong, total_tokens: wrong }), {}, String(wrong));
    assert.deepEqual(readUsage({ prompt_tokens_details: { cached_tokens: 'some' } }), { prompt_tokens_details: {} });
    assert.deepEqual(readUsage({ prompt_tokens_details: 'none' }), {});
    for (const nothing of [undefined, null, 7, 'text', []]) assert.equal(readUsage(nothing), undefined);
  });

  it('of 0 prompt tokens says that the server does not count', () => {
    assert.deepEqual(readUsage({ prompt_tokens: 0, completion_tokens: 0 }), { completion_tokens: 0 });
    const cached = { prompt_tokens: 0, prompt_tokens_details: { cached_tokens: 500 } };
    assert.deepEqual(readUsage(cached), cached, 'unless all of them came from the cache');
  });

  for (const wrong of ['abc', {}, Number.MAX_VALUE, -5]) {
    it(`of ${JSON.stringify(wrong)} changes no figure of the budget`, async () => {
      const { session, server, conversation, close } = await openHarness();
      try {
        server.enqueue(textReply('Fine.', { usage: { prompt_tokens: wrong } }));
        assert.equal((await session.send(`Hello ${'word '.repeat(400)}`)).kind, 'answered');
        const { tokens, source } = conversation.budget().used;
        assert.ok(Number.isSafeInteger(tokens) && tokens > 400 && tokens < 800, String(tokens));
        assert.equal(source, 'counted');
      } finally {
        await close();
      }
    });
  }
});
