import assert from 'node:assert/strict';
import { call, factsOf, findFact, human, model, type Said } from './script.ts';

const run = (command: string, result: string) => call('bash', { command }, result);

function states(...messages: Said[]): string[] {
  return factsOf(...messages)
    .filter((fact) => fact.class === 'test-state' && fact.supersededAt === undefined)
    .map(({ value, state }) => `${state}: ${value}`);
}

describe('the last result of a suite of tests', () => {
  it('is what its newest run printed, not what was said about it', () => {
    const ran = run('pytest lib/net -q', '==== 7 failed, 36 passed in 4.83s ====\n');
    assert.deepEqual(states(ran, human('lib/net: 43 passed, 0 failed.'), model('lib/net: 43 passed, 0 failed.')), [
      'failed: ==== 7 failed, 36 passed in 4.83s ====',
    ]);
  });

  it('is not what a diff or a printed file says of a run', () => {
    const hunk = ['@@ -1,2 +1,3 @@', ' Last run:', '+==== 7 failed, 36 passed in 4.83s ====', '+exit code 1', '-ok'];
    const diff = ['diff --git a/run.log b/run.log', '--- a/run.log', '+++ b/run.log', ...hunk].join('\n');
    const log = '==== 7 failed, 36 passed in 4.83s ====\nexit code 1';
    assert.deepEqual(
      states(
        run('git -C app show HEAD', diff),
        run('cd app && git diff', diff),
        run('gh pr diff 12', diff),
        run('cd app && cat run.log', log),
        call('read_test_log', { path: 'run.log' }, log),
      ),
      [],
    );
    const both = run('git diff; pytest', `${diff}\n==== 43 passed in 4.83s ====\nexit code 0`);
    assert.deepEqual(states(both), ['passed: ==== 43 passed in 4.83s ====']);
    const read = factsOf(call('read_file', { path: 'docs/run.log' }, log), run('git diff', diff));
    assert.ok(!read.some(({ state }) => state === 'failed' || state === 'exit 1'), JSON.stringify(read));
  });

  it('has not passed where a run had nothing to run', () => {
    const ran = run('go test ./disk -run Nothing', 'ok  \tdisk\t0.3s [no tests to run]\nexit code 0');
    assert.ok(!states(ran).some((state) => state.includes('no tests')));
  });

  it('is not that of some of its tests, of another folder, suite or package', () => {
    for (const commands of [
      ['pytest lib/net -k slow', 'pytest lib/disk', 'pytest lib/net'],
      ['npx vitest run', 'npx playwright test'],
      ['cargo test -p core', 'cargo test -p cli'],
      ['npm test -- cart', 'npm test -- order'],
      ['npm run test:unit', 'npm run test:e2e'],
      ['go test ./internal/...', 'go test ./cmd/...'],
      ['cd web && npm test', 'cd api && npm test'],
    ]) {
      const runs = commands.map((command, failed) => run(command, `${failed} failed, 3 passed`));
      assert.equal(states(...runs).length, commands.length, commands[0]);
    }
  });

  it('is how the newest run ended, also when it printed no summary', () => {
    const passed = run('npm test', '12 passing\nexit code 0');
    assert.deepEqual(states(passed, run('npm test', 'SyntaxError: x\nexit code 1')), ['failed: npm test']);
    assert.deepEqual(states(passed, run('grep -n "npm test" a.json', 'exit code 1')), ['passed: 12 passing']);
    assert.deepEqual(states(run('npm test 2>&1 | tail', '12 passing\n2 failing'), passed), ['passed: 12 passing']);
  });

  it('is told by a line that reports the failure where the run failed', () => {
    const lines = 'ok first draws the border (16 ms)\nok second cuts the tail (1 ms)\nTests: 1 failed, 2 passed\n';
    const jest = run('npx jest lib/net', `${lines}\nexit code 1`);
    assert.deepEqual(states(jest), ['failed: Tests: 1 failed, 2 passed']);
    const packages = run('go test ./...', 'FAIL\tnet\t0.2s\nok  \tdisk\t0.3s\nexit code 1');
    assert.deepEqual(states(packages), ['failed: FAIL\tnet\t0.2s']);
  });

  for (const [command, output, state, line = output] of [
    ['run the tests', 'Tests:       3 failed, 42 passed, 45 total', 'failed'],
    ['run the tests', '===== 10 passed in 2.1s =====', 'passed'],
    ['run the tests', 'ok  \tgithub.com/x/y\t0.31s', 'passed'],
    ['run the tests', 'Tests run: 8, Failures: 0, Errors: 0', 'passed'],
    [
      './gradlew test',
      'CartTest > adds FAILED\n\n251 tests completed, 2 failed',
      'failed',
      '251 tests completed, 2 failed',
    ],
    ['dotnet test', 'Failed!  - Failed:     1, Passed:   256, Skipped:     0', 'failed'],
    ['cargo test', 'test result: FAILED. 9 passed; 1 failed; 0 ignored', 'failed'],
    [
      'bundle exec rspec',
      '169 examples, 3 failures\n\nrspec ./spec/cart_spec.rb:4',
      'failed',
      '169 examples, 3 failures',
    ],
    [
      'pytest -q',
      'FAILED t/test_cart.py::test_adds - 1\n1 failed, 8 passed in 2s',
      'failed',
      '1 failed, 8 passed in 2s',
    ],
  ] as const)
    it(`is what the runner sums up, and no error: ${line}`, () => {
      const facts = factsOf(run(command, state === 'failed' ? `Exit code 1\n${output}` : output));
      assert.equal(findFact(facts, 'test-state', line)?.state, state);
      assert.equal(findFact(facts, 'error', line), undefined);
    });
});
