import assert from 'node:assert/strict';
import { readOutcome } from '../../../src/core/ledger/read/outcome.ts';

describe('the outcome of a call', () => {
  it('is the exit code that the client states, not one in source that was printed', () => {
    const printed = 'Process exited with code 0\nOutput:\nif (broken) process.exit(1);\n';
    assert.deepEqual(readOutcome(printed, {}), { failed: false, exitCode: 0 });
    assert.deepEqual(readOutcome('2 failed\nexit code: (1)', {}), { failed: true, exitCode: 1 });
  });
});
