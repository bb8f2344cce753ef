import assert from 'node:assert/strict';
import { Corrections } from '../../../src/adapters/tiktoken/workerCounter.ts';

describe('corrected counts', () => {
  it('are kept for those who ask soon, and released with their text later', () => {
    const corrections = new Corrections();
    corrections.estimate('a large text', { tokens: 5, source: 'estimated' });
    assert.deepEqual(corrections.find('a large text'), { tokens: 5, source: 'estimated' });
    corrections.correct('a large text', 3);
    corrections.sweep();
    assert.deepEqual(corrections.find('a large text'), { tokens: 3, source: 'counted' });
    corrections.sweep();
    assert.equal(corrections.find('a large text'), undefined);
    corrections.clear();
  });

  it('never release a text that is still being counted', () => {
    const corrections = new Corrections();
    corrections.estimate('waiting', { tokens: 5, source: 'estimated' });
    for (let round = 0; round < 5; round++) corrections.sweep();
    assert.deepEqual(corrections.find('waiting'), { tokens: 5, source: 'estimated' });
  });
});
