import assert from 'node:assert/strict';
import { call, human, latest } from './script.ts';

const bash = (command: string, printed: string) => call('bash', { command }, printed);

const STATUS = bash('git status', 'On branch fix/cache\nnothing to commit, working tree clean');
const COMMIT = bash('cd app && git add -A && git commit -m "Keep it"', '[fix/cache 1a2b3c4] Keep it\n 1 file changed');

describe('where the working copy is', () => {
  it('is what git printed last about branch, commit, push and request', () => {
    const push = bash(
      'git push -u origin fix/cache',
      'To github.com:a/b.git\n * [new branch]      fix/cache -> fix/cache\nbranch set up',
    );
    const request = bash('gh pr create --fill', 'Creating pull request\nhttps://github.com/a/b/pull/12\n');
    assert.deepEqual(latest('git', STATUS, COMMIT, push, request), [
      'On branch fix/cache',
      '[fix/cache 1a2b3c4] Keep it',
      '* [new branch]      fix/cache -> fix/cache',
      'https://github.com/a/b/pull/12',
    ]);
  });

  it('is the branch and its upstream, in the short form; not how far it is ahead, which soon changes', () => {
    const short = bash('git status --short --branch', '## main...origin/main [ahead 1, behind 2]\n M a.ts');
    assert.deepEqual(latest('git', STATUS, short), ['## main...origin/main']);
    assert.deepEqual(latest('git', STATUS, bash('git status && cat NOTES.md', '## Notes')), latest('git', STATUS));
  });

  it('is the newer commit, however git was called', () => {
    const next = bash('GIT_EDITOR=true git -C app --no-pager commit --amend', '[fix/cache 5d6e7f8] Keep it well');
    assert.deepEqual(latest('git', COMMIT, next), ['[fix/cache 5d6e7f8] Keep it well']);
    const reset = bash('git reset --hard HEAD~1', 'HEAD is now at 9a8b7c6 Before it');
    assert.deepEqual(latest('git', COMMIT, reset), ['HEAD is now at 9a8b7c6 Before it']);
  });

  it('is not known after a command that moves it and does not say where', () => {
    assert.deepEqual(latest('git', COMMIT, bash('git commit -qm "More"', '')), []);
    assert.deepEqual(latest('git', STATUS, bash('git switch -q main', '')), []);
  });

  it('is the same after a command that only looks, and after a file was brought back', () => {
    assert.deepEqual(latest('git', STATUS, COMMIT, bash('git log -3', 'HEAD is now at 1111111 quoted')), [
      'On branch fix/cache',
      '[fix/cache 1a2b3c4] Keep it',
    ]);
    assert.deepEqual(latest('git', STATUS, bash('git checkout -- src/a.ts', '')), ['On branch fix/cache']);
  });

  it('is not what other programs or people print in the same words', () => {
    assert.deepEqual(latest('git', bash('cat notes.txt', 'On branch main'), human('[main 1a2b3c4] is bad')), []);
  });
});
