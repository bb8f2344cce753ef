import assert from 'node:assert/strict';
import { quote } from '../../../src/core/compaction/notes/passages.ts';

describe('a quotation', () => {
  it('is cut between words', () => {
    assert.equal(
      quote('the lock is released before the rows are written to the store', 40),
      'the lock is released before […] to the store',
    );
  });
});
