import assert from 'node:assert/strict';
import { createLedger } from '../../../src/core/ledger/ledger.ts';
import { isStated, requiredFacts } from '../../../src/core/ledger/stated.ts';
import { runAtOnce } from '../../../src/core/steps.ts';
import { blocksOf, call, fact, human, model } from './script.ts';

describe('isStated', () => {
  for (const [value, text, stated] of [
    ['a.ts', 'changed a.ts today', true],
    ['a.ts', 'changed ba.ts today', false],
    ['a.ts', 'changed a.tsx today', false],
    ['a.ts', 'see a.ts.', true],
    ['src/a.ts', 'in /repo/src/a.ts:12', true],
    ['src\\a.ts', 'in src/a.ts', true],
    ['src/a.ts', 'in src/a.test.ts', false],
    ['docs/über.md', 'docs/u\u0308ber.md', true],
    ['不要修改表结构', '规则:不要修改表结构。', true],
    ['do  not\ntouch', 'We do not touch it', true],
  ] as const) {
    it(`${JSON.stringify(value)} in ${JSON.stringify(text)}: ${stated}`, () =>
      assert.equal(isStated(fact('file-changed', value), text), stated));
  }

  it('requires the latest state of a to-do', () => {
    const todo = fact('todo', 'Add tests', { state: 'completed' });
    assert.equal(isStated(todo, '- Add tests (completed)'), true);
    assert.equal(isStated(todo, '- [x] Add tests'), false);
    assert.equal(isStated(todo, 'Add tests\ncompleted'), false);
  });
});

describe('requiredFacts', () => {
  const blocks = blocksOf(
    human('Never delete the backups. Please write short answers.'),
    call('Read', { file_path: 'src/a.ts' }, 'x'),
    call('Edit', { file_path: 'src/b.ts', old_string: 'x', new_string: 'y' }, 'ok'),
    call('bash', { command: 'make' }, 'a.c:1:2: error: first\nexit code 2'),
    call('bash', { command: 'make' }, 'b.c:9:2: error: second\nexit code 2'),
    call('TodoWrite', { todos: [{ content: 'Fix the build', status: 'pending' }] }, 'ok'),
    model('I decided to use clang instead of gcc. TODO: write the docs.'),
  );
  const ledger = createLedger();
  runAtOnce(ledger.read(blocks));

  it('are the explicit constraints, the to-dos, the changed files and the newest error', () => {
    assert.deepEqual(
      requiredFacts(ledger)
        .map((one) => one.value)
        .sort(),
      ['Fix the build', 'Never delete the backups.', 'b.c:9:2: error: second', 'src/b.ts'],
    );
  });
});
