import assert from 'node:assert/strict';
import { quote, quoteOutcome } from '../../../src/core/compaction/notes/passages.ts';

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

describe('how a use of a tool ended, as a note quotes it', () => {
  it('is without the line that repeats the exit code of what failed', () => {
    assert.equal(quoteOutcome('exit code: 1\nno such table', { failed: true, looks: false }, 100), 'no such table');
    assert.equal(quoteOutcome('no such table\n[exit code 1]', { failed: true, looks: false }, 100), 'no such table');
  });

  it('keeps the lines of a script that end it', () => {
    const script = 'set -e\nexit 1\necho no';
    assert.equal(quoteOutcome(script, { failed: true, looks: false }, 100), 'set -e ⏎ exit 1 ⏎ echo no');
    assert.equal(quoteOutcome('echo no\nexit 1', { failed: false, looks: true }, 100), 'echo no ⏎ exit 1');
  });
});
