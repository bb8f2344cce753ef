import assert from 'node:assert/strict';
import { readUsage } from '../../../src/adapters/openai/readUsage.ts';

describe('reported usage', () => {
  it('is taken with whatever else the server says', () => {
    const counts = { prompt_tokens: 7, completion_tokens: 2, total_tokens: 9 };
    const usage = { ...counts, prompt_tokens_details: { cached_tokens: 4 }, cost: 0.01 };
    assert.deepEqual(readUsage(usage), usage);
  });

  it('is a number of tokens or unknown', () => {
    assert.deepEqual(readUsage({ prompt_tokens: '1234', completion_tokens: 'many' }), { prompt_tokens: 1234 });
    for (const wrong of ['abc', null, {}, [], Number.NaN, Number.POSITIVE_INFINITY, -1, 1.5, true, Number.MAX_VALUE])
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
});
