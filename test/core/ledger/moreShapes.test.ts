import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { readPrinted } from '../../../src/core/ledger/outcome.ts';
import { call, factsOf, findFact, latest } from './script.ts';

describe('errors by their place', () => {
  for (const [output, value] of [
    ['pkg/a.go:12:2: undefined: loadAll', 'pkg/a.go:12:2: undefined: loadAll'],
    ['pkg/a.go:9:5: declared and not used: rows', 'pkg/a.go:9:5: declared and not used: rows'],
    ['/srv/a.ts\n  14:7  error  Unexpected any  no-explicit-any', '14:7  error  Unexpected any  no-explicit-any'],
    ['** (ArgumentError) not a map\n    app.ex:3: App.run/1', '** (ArgumentError) not a map'],
  ] as const) {
    it(value, () => {
      const facts = factsOf(call('bash', { command: 'make build' }, `Exit code 1\n${output}`));
      assert.ok(findFact(facts, 'error', value));
    });
  }

  it('without any word of errors, the lines of a failed program that name a place', () => {
    const output = 'Exit code 2\nall set\nOdd number of things at lib/x.pl line 12.';
    const fact = findFact(factsOf(call('bash', { command: 'make build' }, output)), 'error', 'Odd number');
    assert.equal(fact?.strength, 'soft');
    assert.deepEqual(latest('error', call('bash', { command: 'grep -rn x lib' }, 'Exit code 1\nlib/x.pl:12: x')), []);
  });

  it('a place in the output of a command that worked, and a warning, are none', () => {
    assert.deepEqual(latest('error', call('bash', { command: 'make build' }, 'Exit code 0\na.go:12:2: loading')), []);
    assert.deepEqual(
      latest('error', call('bash', { command: 'make' }, 'Exit code 1\na.c:12:2: warning: shadows a variable')),
      [],
    );
  });
});

describe('results that are wrapped in JSON', () => {
  const printed = 'one\ntwo\nTypeError: no "rows"\n3 failed, 41 passed';
  const wrapped = JSON.stringify({ output: printed, metadata: { exit_code: 1, duration_seconds: 0.2 } });

  it('are read as the lines that the program printed', () => {
    const facts = factsOf(call('shell', { command: ['bash', '-lc', 'npm test'] }, wrapped));
    assert.equal(findFact(facts, 'error', 'TypeError')?.value, 'TypeError: no "rows"');
    assert.equal(findFact(facts, 'test-state', 'passed')?.value, '3 failed, 41 passed');
    assert.equal(findFact(facts, 'command', 'npm test')?.state, 'exit 1');
  });

  it('other JSON is read as it is', () => {
    assert.equal(readPrinted('{"name":"x","version":"1.2.3"}'), '{"name":"x","version":"1.2.3"}');
    assert.equal(readPrinted('{"output": cut'), '{"output": cut');
  });
});
