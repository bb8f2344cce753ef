import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { call, factsOf, findFact, latest } from './script.ts';

describe('tools whose argument names nobody knows', () => {
  const edit = call(
    'disk__amend',
    { resource: 'file:///srv/code/src/ring.c', before: 'int a;', after: 'static int ring_push(struct ring *r)\n{\n' },
    '{"ok":true}',
  );
  const region = call(
    'box.rewrite_region',
    { at: 'lib/mail.ex', find: 'def send(x)', put: 'def deliver_later(x) do\n  :ok' },
    '{"status":"ok"}',
  );

  it('name the file that they change, by the shape of the value', () => {
    assert.deepEqual(latest('file-changed', edit), ['/srv/code/src/ring.c']);
    assert.deepEqual(latest('file-changed', region), ['lib/mail.ex']);
  });

  it('run commands given as words, and answer with a code of their own', () => {
    for (const [name, input, answer] of [
      ['proc__spawn', { argv: ['mix', 'test'], cwd: '/srv' }, { status: 2, stdout: '', stderr: 'x' }],
      ['box__invoke', { program: 'mix', arguments: ['test'] }, { rc: 2, out: 'x', err: '' }],
      ['execute_terminal_command', { command: 'mix test' }, { command_exit_code: 2, command_output: 'x' }],
    ] as const) {
      const command = findFact(factsOf(call(name, input, JSON.stringify(answer))), 'command', 'mix test');
      assert.equal(command?.state, 'exit 2', name);
    }
  });

  it('keep a board: a text, a column and a key', () => {
    const cards = [{ key: 'OPS-4', title: 'rotate the keys', column: 'Doing' }];
    const todo = findFact(factsOf(call('kanban__sync', { cards }, '{"ok":true}')), 'todo', 'rotate the keys');
    assert.equal(todo?.state, 'Doing');
    assert.equal(todo?.anchor, 'OPS-4');
  });

  it('a status in an answer that prints nothing is no exit code', () => {
    const facts = factsOf(call('bash', { command: 'curl -s x.test' }, '{"status":404,"message":"none"}'));
    assert.equal(findFact(facts, 'command', 'curl')?.state, undefined);
  });
});

describe('errors as programs report them', () => {
  for (const [output, value] of [
    ['--- FAIL: TestX\n    queue_test.go:12: got 3, want 4', 'queue_test.go:12: got 3, want 4'],
    ['e: file:///srv/src/A.kt:9:21 Unresolved reference: rows', 'Unresolved reference: rows'],
    ['│ Error: No such variable\n│ \n│   on modules/q/main.tf line 41, in x', '│ Error: No such variable'],
    ["Failed asserting that 'a' matches 'b'.\n\n/var/app/tests/MailTest.php:31", 'Failed asserting'],
    ['  expected: "open"\n       got: nil\n  # ./spec/a_spec.rb:18:in `x`', 'expected: "open"'],
    ["thread 'x' panicked at src/w.rs:8:9:\nindex out of bounds", 'index out of bounds'],
    ['ERROR: failed to solve: not found\n------\nDockerfile:18\n---', 'failed to solve'],
  ] as const) {
    it(value, () => {
      const facts = factsOf(call('bash', { command: 'make all' }, `Exit code 1\n${output}`));
      assert.notEqual(findFact(facts, 'error', value), undefined);
    });
  }
});
