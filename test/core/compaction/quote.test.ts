import assert from 'node:assert/strict';
import { quoteOutcome } from '../../../src/core/compaction/notes/quote.ts';

describe('how a use of a tool ended, as a note quotes it', () => {
  it('is without the line that repeats the exit code of what failed', () => {
    assert.equal(quoteOutcome('exit code: 1\nno such table', { failed: true, finds: false }, 100), 'no such table');
    assert.equal(quoteOutcome('no such table\n[exit code 1]', { failed: true, finds: false }, 100), 'no such table');
  });

  it('keeps the lines of a script that end it', () => {
    const script = 'set -e\nexit 1\necho no';
    assert.equal(quoteOutcome(script, { failed: true, finds: false }, 100), 'set -e ⏎ exit 1 ⏎ echo no');
    assert.equal(quoteOutcome('echo no\nexit 1', { failed: false, finds: true }, 100), 'echo no ⏎ exit 1');
  });
});
