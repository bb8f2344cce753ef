import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { call, factsOf, findFact, latest } from './script.ts';

const run = (command: string, result = 'Exit code 0\n') => call('bash', { command }, result);

describe('a script in a command', () => {
  it('that is written to a file changes that file, not what it names', () => {
    assert.deepEqual(latest('file-changed', run("cat > tools/x.py <<'E'\nopen('src/never.ts', 'w').write('')\nE")), [
      'tools/x.py',
    ]);
  });

  it('its text is no part of the command', () => {
    const facts = factsOf(
      run("python3 - <<'PY'\np = 'src/a.py'\nopen(p, 'w').write('''\ndef take_token(n):\n  pass\n''')\nPY"),
    );
    const command = findFact(facts, 'command', 'python3');
    assert.equal(command?.value, "python3 - <<'PY'");
    assert.equal(command?.strength, 'soft');
  });
});

describe('runs of tests', () => {
  for (const [command, output, line] of [
    ['./gradlew test', 'CartTest > adds FAILED\n\n251 tests completed, 2 failed', '251 tests completed, 2 failed'],
    [
      'dotnet test',
      '  Failed A.CartTests.Adds [12 ms]\nFailed!  - Failed:     1, Passed:   256, Skipped:     0',
      'Failed!  - Failed:     1, Passed:   256, Skipped:     0',
    ],
    [
      'cargo test',
      'test cart::adds ... FAILED\n\ntest result: FAILED. 9 passed; 1 failed; 0 ignored',
      'test result: FAILED. 9 passed; 1 failed; 0 ignored',
    ],
    ['bundle exec rspec', '169 examples, 3 failures\n\nrspec ./spec/cart_spec.rb:4 # Cart', '169 examples, 3 failures'],
    ['pytest -q', 'FAILED t/test_cart.py::test_adds - assert 1\n1 failed, 8 passed in 2s', '1 failed, 8 passed in 2s'],
  ] as const) {
    it(`${command}: what it sums up is its outcome, and no error`, () => {
      const facts = factsOf(run(command, `Exit code 1\n${output}`));
      assert.equal(findFact(facts, 'test-state', line)?.state, 'failed');
      assert.equal(findFact(facts, 'error', line), undefined);
    });
  }

  it('a run of another suite or package does not', () => {
    for (const [red, green] of [
      ['npx vitest run', 'npx playwright test'],
      ['cargo test -p core', 'cargo test -p cli'],
      ['npm test -- cart', 'npm test -- order'],
      ['npm run test:unit', 'npm run test:e2e'],
      ['go test ./internal/...', 'go test ./cmd/...'],
      ['cd web && npm test', 'cd api && npm test'],
    ] as const) {
      const facts = [run(red, 'Exit code 1\n2 failed, 3 passed'), run(green, 'Exit code 0\n5 passed')];
      assert.deepEqual(latest('test-state', ...facts), ['2 failed, 3 passed', '5 passed'], green);
    }
  });
});

describe('files that a search only named', () => {
  it('are not called read', () => {
    const search = run('rg -n total src', 'src/a.ts:3: total\nsrc/b.ts:9: total');
    assert.deepEqual(latest('file-read', search, call('read_file', { path: 'src/b.ts' }, 'x')), ['src/b.ts']);
  });
});
