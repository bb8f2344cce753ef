import assert from 'node:assert/strict';
import { quote } from '../../../src/core/compaction/notes/passages.ts';

describe('a quotation', () => {
  it('is cut between sentences, or at least between words', () => {
    const sentences =
      'The lock is late. The queue waits for it. Rows are lost then. Nobody saw why. It was the timer. It is fixed now.';
    assert.equal(quote(sentences, 80), 'The lock is late. The queue waits for it. […] It is fixed now.');
    assert.equal(
      quote('the lock is released before the rows are written to the store', 40),
      'the lock is released before […] the store',
    );
  });
});
