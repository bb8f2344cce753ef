import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { call, factsOf, findFact, human, latest } from './script.ts';

describe('commands', () => {
  for (const [result, state] of [
    ['Exit code 1\nboom', 'exit 1'],
    ['Process exited with code 0\nOutput:\nfine', 'exit 0'],
    ['<returncode>2</returncode>', 'exit 2'],
    ['{"output":"x","metadata":{"exit_code":137}}', 'exit 137'],
    ['Command failed with exit code 127.', 'exit 127'],
    ['\u9000\u51fa\u7801\uff1a3', 'exit 3'],
    ['all good', undefined],
  ] as const) {
    it(`${JSON.stringify(result)} → ${state}`, () => {
      const fact = findFact(factsOf(call('bash', { command: 'make all' }, result)), 'command', 'make all');
      assert.equal(fact?.state, state);
    });
  }

  it('the newest run of a command wins', () => {
    const facts = factsOf(
      call('exec_command', { cmd: 'make' }, 'exit code 2'),
      call('exec_command', { cmd: 'make' }, 'exit code 0'),
    );
    assert.deepEqual(
      facts.filter((fact) => fact.class === 'command').map((fact) => [fact.state, fact.supersededAt]),
      [
        ['exit 2', 2],
        ['exit 0', undefined],
      ],
    );
  });
});

describe('errors', () => {
  it('are solved when the same command, or the same work on the file, goes well', () => {
    const open = (...messages: readonly ReturnType<typeof call>[]) =>
      factsOf(...messages)
        .filter((fact) => fact.class === 'error' && fact.supersededAt === undefined)
        .map((fact) => fact.value);
    const broken = call('bash', { command: 'npm run check 2>&1 | tail -5' }, 'error TS2304: no such name\nexit code 2');
    assert.deepEqual(open(broken, call('bash', { command: 'npm run lint' }, 'all fine')).length, 1);
    assert.deepEqual(open(broken, call('bash', { command: 'npm run check' }, 'all fine')), []);
    const unread = call('edit', { path: 'src/a.ts', new_string: 'b' }, 'Error: File has not been read yet.');
    assert.deepEqual(open(unread, call('edit', { path: 'src/b.ts', new_string: 'b' }, 'Done.')).length, 1);
    assert.deepEqual(open(unread, call('edit', { path: 'src/a.ts', new_string: 'b' }, 'Done.')), []);
  });

  it('are the last line of a command that failed without the words of an error', () => {
    const cycle = call(
      'bash',
      { command: 'go build ./a' },
      'Exit code 1\npackage a\n\timports b from a.go: import cycle not allowed',
    );
    assert.match(factsOf(cycle).find((fact) => fact.class === 'error')?.value ?? '', /import cycle not allowed/);
  });

  for (const frame of ['<shellId: 3 completed with exit code 1>', 'Process exited with code 1', '[exit status: 1]'])
    it(`are not what a client says of the exit: ${frame}`, () => {
      const cycle = call(
        'bash',
        { command: 'go build ./a' },
        `imports b from a.go: import cycle not allowed\n${frame}`,
      );
      assert.deepEqual(latest('error', cycle), ['imports b from a.go: import cycle not allowed']);
    });

  for (const [output, value] of [
    ['src/a.ts(12,5): error TS2345: Argument of type x', 'src/a.ts(12,5): error TS2345: Argument of type x'],
    ['error[E0308]: mismatched types\n  --> src/main.rs:7:9', 'error[E0308]: mismatched types'],
    [
      'Traceback (most recent call last):\n  File "app/run.py", line 17, in <module>\n    go()\nKeyError: \'plan\'',
      "KeyError: 'plan'",
    ],
    ['TypeError: x is not a function\n    at run (/srv/lib/run.js:31:7)', 'TypeError: x is not a function'],
    ['ValueError: bad\n', 'ValueError: bad'],
    ['panic: runtime error: index out of range\n\tmain.go:44 +0x1d', 'panic: runtime error: index out of range'],
    ['Fehler: Datei nicht lesbar', 'Fehler: Datei nicht lesbar'],
    ['错误:找不到模块', '错误:找不到模块'],
  ] as const) {
    it(value, () => {
      const fact = findFact(
        factsOf(call('bash', { command: 'make test' }, `start\n${output}\nExit code: 1`)),
        'error',
        value,
      );
      assert.equal(fact?.value, value);
    });
  }

  it('takes no error from a printed file, a clean summary or a test that passed', () => {
    assert.deepEqual(latest('error', call('Read', { file_path: 'a.ts' }, 'throw new Error("TypeError: x")')), []);
    assert.deepEqual(latest('error', call('bash', { command: 'cat log.txt' }, 'Error: old')), []);
    assert.deepEqual(
      latest(
        'error',
        call('bash', { command: 'npm test' }, '0 errors, 12 passed\nErrors: 0\n✓ throws TypeError: on null'),
      ),
      [],
    );
  });

  it('takes the error that the human pasted', () => {
    assert.deepEqual(latest('error', human('I get this:\nReferenceError: total is not defined')), [
      'ReferenceError: total is not defined',
    ]);
  });

  it('finds an error deep inside long output', () => {
    const output = `${'downloading\n'.repeat(20_000)}src/x.c:88:2: error: expected ;\n${'linking\n'.repeat(20_000)}`;
    assert.deepEqual(latest('error', call('bash', { command: 'make' }, output)), ['src/x.c:88:2: error: expected ;']);
  });
});

describe('test state', () => {
  for (const [output, value, state] of [
    ['Tests:       3 failed, 42 passed, 45 total', 'Tests:       3 failed, 42 passed, 45 total', 'failed'],
    ['===== 10 passed in 2.1s =====', '===== 10 passed in 2.1s =====', 'passed'],
    [
      'test result: FAILED. 11 passed; 1 failed; 0 ignored',
      'test result: FAILED. 11 passed; 1 failed; 0 ignored',
      'failed',
    ],
    ['ok  \tgithub.com/x/y\t0.31s', 'ok  \tgithub.com/x/y\t0.31s', 'passed'],
    ['Tests run: 8, Failures: 0, Errors: 0', 'Tests run: 8, Failures: 0, Errors: 0', 'passed'],
  ] as const) {
    it(value, () => {
      const fact = findFact(factsOf(call('bash', { command: 'run the tests' }, output)), 'test-state', value);
      assert.equal(fact?.state, state);
    });
  }

  it('the newest run of one command wins, also when it prints fewer lines', () => {
    const facts = factsOf(
      call('bash', { command: 'npm test 2>&1 | tail' }, '12 passing\n2 failing'),
      call('bash', { command: 'npm test' }, '14 passing'),
    ).filter((fact) => fact.class === 'test-state' && fact.supersededAt === undefined);
    assert.deepEqual(
      facts.map((fact) => fact.value),
      ['14 passing'],
    );
  });
});
