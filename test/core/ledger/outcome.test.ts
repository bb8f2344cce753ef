import assert from 'node:assert/strict';
import { readOutcome } from '../../../src/core/ledger/outcome.ts';

describe('the outcome of a call', () => {
  it('is the exit code that the client states, not one in source that was printed', () => {
    const printed = 'Process exited with code 0\nOutput:\nif (broken) process.exit(1);\n';
    assert.deepEqual(readOutcome(printed, {}), { failed: false, exitCode: 0 });
    assert.deepEqual(readOutcome('2 failed\nexit code: (1)', {}), { failed: true, exitCode: 1 });
  });

  it('is a failure where a shell reports an error in a script, unless the client says that it went well', () => {
    const report = 'scripts/run.sh: line 16: NAME: unbound variable';
    assert.deepEqual(readOutcome(report, {}), { failed: true });
    assert.equal(readOutcome(`${report}\nexit code: 0`, {}).failed, false);
    for (const other of [
      'docs/run.md:16: NAME: is explained',
      'src/app.ts: line 12: const x = 1',
      "bash: line 1: warning: here-document at line 1 delimited by end-of-file (wanted `E')",
      'bash: line 1: cd: /nope: No such file or directory\nall 12 tests passed',
    ])
      assert.equal(readOutcome(other, {}).failed, false, other);
  });
});
