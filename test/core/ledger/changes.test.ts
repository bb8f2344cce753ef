import assert from 'node:assert/strict';
import { createLedger } from '../../../src/core/ledger/ledger.ts';
import type { ChatMessage } from '../../../src/core/messages/chat.ts';
import { blocksOf, call, human } from './script.ts';

function changesOf(...messages: readonly (ChatMessage | ChatMessage[])[]): readonly number[] {
  const ledger = createLedger();
  ledger.update(blocksOf(...messages));
  return ledger.changes();
}

const edit = call('Edit', { file_path: 'a.ts', old_string: 'a', new_string: 'b' }, 'ok');

describe('the messages that changed files', () => {
  it('are all of them, also where one file was changed the same way again', () => {
    assert.deepEqual(changesOf(human('go'), edit, edit), [1, 3]);
  });

  for (const command of [
    'git merge main',
    'git -C app pull --rebase',
    'cd app && git checkout -- src/a.ts',
    'git reset --hard HEAD~1',
    'git stash',
    'git stash pop',
    'git restore src/a.ts',
  ])
    it(`have: ${command}`, () => assert.deepEqual(changesOf(call('bash', { command }, 'ok')), [0]));

  for (const command of [
    'git commit -m "undo it with git reset --hard"',
    'git checkout -b fix',
    'git switch -c fix',
    'git reset HEAD a.ts',
    'git stash list',
    'git restore --staged a.ts',
    'git apply --check fix.patch',
    'git merge-base a b',
    'echo git pull',
  ])
    it(`do not have: ${command}`, () => assert.deepEqual(changesOf(call('bash', { command }, 'ok')), []));

  it('do not have what failed', () => {
    assert.deepEqual(changesOf(call('bash', { command: 'git merge main' }, 'CONFLICT\nExit code 1')), []);
  });
});
