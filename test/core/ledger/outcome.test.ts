import assert from 'node:assert/strict';
import { describeBlock } from '../../../src/core/ledger/describe.ts';
import { readOutcome, readPrinted } from '../../../src/core/ledger/outcome.ts';
import { blocksOf, call, factsOf, findFact } from './script.ts';

describe('the outcome of a call', () => {
  it('is the exit code that the client states, not one in printed source', () => {
    const printed = 'Process exited with code 0\nOutput:\nif (broken) process.exit(1);\n';
    assert.deepEqual(readOutcome(printed, {}), { failed: false, exitCode: 0 });
    assert.deepEqual(readOutcome('2 failed\nexit code: (1)', {}), { failed: true, exitCode: 1 });
  });

  for (const [result, state] of [
    ['Exit code 1\nboom', 'exit 1'],
    ['Process exited with code 0\nOutput:\nfine', 'exit 0'],
    ['<returncode>2</returncode>', 'exit 2'],
    ['{"output":"x","metadata":{"exit_code":137}}', 'exit 137'],
    ['{"exitCode":2,"stdout":""}', 'exit 2'],
    ['Command failed with exit code 127.', 'exit 127'],
    ['all good', undefined],
    // A status is no exit code.
    ['{"status":404,"message":"none"}', undefined],
  ] as const)
    it(`is the state of the command: ${JSON.stringify(result)} → ${state}`, () => {
      const { exitCode } = readOutcome(result, {});
      assert.equal(exitCode === undefined ? undefined : `exit ${exitCode}`, state);
    });

  it('names a command that is given as words', () => {
    const [block] = blocksOf(call('proc__spawn', { argv: ['mix', 'test'], cwd: '/srv' }, 'exit code 2'));
    assert.equal(block && describeBlock(block), 'mix test · exit 2');
  });
});

describe('results that are JSON', () => {
  it('that wrap the output of a program are unwrapped', () => {
    const printed = 'one\ntwo\nTypeError: no "rows"\n3 failed, 41 passed';
    const wrapped = JSON.stringify({ output: printed, metadata: { exit_code: 1, duration_seconds: 0.2 } });
    const facts = factsOf(call('shell', { command: ['bash', '-lc', 'npm test'] }, wrapped));
    assert.equal(findFact(facts, 'error', 'TypeError')?.value, 'TypeError: no "rows"');
  });

  it('that are data stay as they are', () => {
    for (const data of ['{"name": "a", "path": "b\\\\n.ts"}', '{"name":"x","version":"1.2.3"}', '{"output": cut'])
      assert.equal(readPrinted(data), data);
  });
});
