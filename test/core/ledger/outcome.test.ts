import assert from 'node:assert/strict';
import { readOutcome, readPrinted } from '../../../src/core/ledger/outcome.ts';
import { call, factsOf, findFact } from './script.ts';

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

  for (const [result, state] of [
    ['Exit code 1\nboom', 'exit 1'],
    ['Process exited with code 0\nOutput:\nfine', 'exit 0'],
    ['<returncode>2</returncode>', 'exit 2'],
    ['{"output":"x","metadata":{"exit_code":137}}', 'exit 137'],
    ['{"status":2,"stdout":"","stderr":"x"}', 'exit 2'],
    ['{"rc":2,"out":"x","err":""}', 'exit 2'],
    ['{"command_exit_code":2,"command_output":"x"}', 'exit 2'],
    ['Command failed with exit code 127.', 'exit 127'],
    ['\u9000\u51fa\u7801\uff1a3', 'exit 3'],
    ['all good', undefined],
    // A status in an answer that prints nothing is no exit code.
    ['{"status":404,"message":"none"}', undefined],
  ] as const)
    it(`is the state of the command: ${JSON.stringify(result)} → ${state}`, () => {
      const facts = factsOf(call('bash', { command: 'make all' }, result));
      assert.equal(findFact(facts, 'command', 'make all')?.state, state);
    });

  it('is that of a command given as words, or as a program with arguments; a script is no part of the command', () => {
    for (const input of [
      { argv: ['mix', 'test'], cwd: '/srv' },
      { program: 'mix', arguments: ['test'] },
    ])
      assert.equal(
        findFact(factsOf(call('proc__spawn', input, 'exit code 2')), 'command', 'mix test')?.state,
        'exit 2',
      );
    const script = "python3 - <<'PY'\np = 'src/a.py'\nopen(p, 'w').write('''\ndef take_token(n):\n  pass\n''')\nPY";
    const command = findFact(factsOf(call('bash', { command: script }, 'Exit code 0\n')), 'command', 'python3');
    assert.deepEqual([command?.value, command?.strength], ["python3 - <<'PY'", 'soft']);
  });

  it('is that of the newest run', () => {
    const runs = ['exit code 2', 'exit code 0'].map((result) => call('exec_command', { cmd: 'make' }, result));
    const commands = factsOf(...runs).filter((fact) => fact.class === 'command');
    assert.deepEqual(
      commands.map((fact) => [fact.state, fact.supersededAt]),
      [
        ['exit 2', 2],
        ['exit 0', undefined],
      ],
    );
  });
});

describe('results that are JSON', () => {
  const output = 'ready\nTypeError: no "rows"\n    at f (/srv/a.ts:3:4)';
  for (const [name, result] of [
    ['a list of answers', JSON.stringify([{ query: 'npm test', result: output, success: false }])],
    ['parts of content', JSON.stringify({ content: [{ type: 'text', text: output }], isError: true })],
    ['cut short', JSON.stringify([{ query: 'npm test', success: false, result: `${output}\nmore` }]).slice(0, -6)],
  ] as const)
    it(`${name}: texts of several lines are read line by line`, () => {
      const facts = factsOf(call('run_commands', { commands: ['npm test'] }, result));
      assert.equal(findFact(facts, 'error', 'TypeError')?.value, 'TypeError: no "rows"');
    });

  it('around what a program printed are read as its lines', () => {
    const printed = 'one\ntwo\nTypeError: no "rows"\n3 failed, 41 passed';
    const wrapped = JSON.stringify({ output: printed, metadata: { exit_code: 1, duration_seconds: 0.2 } });
    const facts = factsOf(call('shell', { command: ['bash', '-lc', 'npm test'] }, wrapped));
    assert.equal(findFact(facts, 'error', 'TypeError')?.value, 'TypeError: no "rows"');
    assert.equal(findFact(facts, 'test-state', 'passed')?.value, '3 failed, 41 passed');
    assert.equal(findFact(facts, 'command', 'npm test')?.state, 'exit 1');
  });

  it('without such a text stay as they are; a file in a block of code is the file', () => {
    for (const data of ['{"name": "a", "path": "b\\\\n.ts"}', '{"name":"x","version":"1.2.3"}', '{"output": cut'])
      assert.equal(readPrinted(data), data);
    assert.equal(readPrinted('```ts\n// filepath: /srv/a.ts\nconst a = 1;\n```'), 'const a = 1;');
  });

  it('hostile text does not hang', () => {
    for (const part of ['"\\n', '\\\\', '"a', '\\"']) readPrinted(`["\\n${part.repeat(300_000)}`);
  });
});
