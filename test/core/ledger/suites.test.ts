import assert from 'node:assert/strict';
import { createLedger, type Fact } from '../../../src/core/ledger/ledger.ts';
import type { ChatMessage } from '../../../src/core/messages/chat.ts';
import { blocksOf, call, human, model } from './script.ts';

function factsOf(...messages: (ChatMessage | ChatMessage[])[]): readonly Fact[] {
  const ledger = createLedger();
  ledger.update(blocksOf(...messages));
  return ledger.facts();
}

function states(...messages: (ChatMessage | ChatMessage[])[]): string[] {
  return factsOf(...messages)
    .filter((fact) => fact.class === 'test-state' && fact.supersededAt === undefined)
    .map(({ value, state }) => `${state}: ${value}`);
}

describe('the last result of a suite of tests', () => {
  it('is what its newest run printed, not what was said about it', () => {
    const run = call('bash', { command: 'pytest lib/net -q' }, '==== 7 failed, 36 passed in 4.83s ====\n');
    assert.deepEqual(states(run, human('lib/net: 43 passed, 0 failed.'), model('lib/net: 43 passed, 0 failed.')), [
      'failed: ==== 7 failed, 36 passed in 4.83s ====',
    ]);
  });

  it('is not what a diff or a printed file says of a run', () => {
    const hunk = ['@@ -1,2 +1,3 @@', ' Last run:', '+==== 7 failed, 36 passed in 4.83s ====', '+exit code 1', '-ok'];
    const diff = ['diff --git a/run.log b/run.log', '--- a/run.log', '+++ b/run.log', ...hunk].join('\n');
    const log = '==== 7 failed, 36 passed in 4.83s ====\nexit code 1';
    const prints = (command: string, text: string) => call('bash', { command }, text);
    assert.deepEqual(
      states(
        prints('git -C app show HEAD', diff),
        prints('cd app && git diff', diff),
        prints('gh pr diff 12', diff),
        prints('cd app && cat run.log', log),
        call('read_test_log', { path: 'run.log' }, log),
      ),
      [],
    );
    const both = prints('git diff; pytest', `${diff}\n==== 43 passed in 4.83s ====\nexit code 0`);
    assert.deepEqual(states(both), ['passed: ==== 43 passed in 4.83s ====']);
    const read = factsOf(call('read_file', { path: 'docs/run.log' }, log), prints('git diff', diff));
    assert.ok(!read.some(({ state }) => state === 'failed' || state === 'exit 1'), JSON.stringify(read));
  });

  it('has not passed where a run had nothing to run', () => {
    const run = call(
      'bash',
      { command: 'go test ./disk -run Nothing' },
      'ok  \tdisk\t0.3s [no tests to run]\nexit code 0',
    );
    assert.deepEqual(
      states(run).filter((state) => state.includes('no tests')),
      [],
    );
  });

  it('is not that of some of its tests or of another folder', () => {
    const run = (command: string) => call('bash', { command }, '==== 1 passed in 1.0s ====\n');
    assert.equal(states(run('pytest lib/net -k slow'), run('pytest lib/disk'), run('pytest lib/net')).length, 3);
  });

  it('is how the newest run ended, also when it printed no summary', () => {
    const passed = call('bash', { command: 'npm test' }, '12 passing\nexit code 0');
    const broken = call('bash', { command: 'npm test' }, 'SyntaxError: x\nexit code 1');
    assert.deepEqual(states(passed, broken), ['failed: npm test']);
    assert.deepEqual(states(passed, call('bash', { command: 'grep -n "npm test" a.json' }, 'exit code 1')), [
      'passed: 12 passing',
    ]);
  });

  it('is told by a line that reports the failure where the run failed', () => {
    const lines = 'ok first draws the border (16 ms)\nok second cuts the tail (1 ms)\nTests: 1 failed, 2 passed\n';
    assert.deepEqual(states(call('bash', { command: 'npx jest lib/net' }, `${lines}\nexit code 1`)), [
      'failed: Tests: 1 failed, 2 passed',
    ]);
    const packages = call('bash', { command: 'go test ./...' }, 'FAIL\tnet\t0.2s\nok  \tdisk\t0.3s\nexit code 1');
    assert.deepEqual(states(packages), ['failed: FAIL\tnet\t0.2s']);
  });
});
