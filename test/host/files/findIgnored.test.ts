import assert from 'node:assert/strict';
import { findIgnored, type GitExtension } from '../../../src/host/files/findIgnored.ts';

type File = { readonly fsPath: string };
const FILES = ['/one/a.ts', '/one/a.log', '/two/b.log', '/none/c.log'].map((fsPath) => ({ fsPath }));

/** Two repositories that ignore logs and refuse to speak of files that are not theirs, as Git does. */
function gitOf(refusing?: string): GitExtension<File> {
  const repositories = ['/one/', '/two/'].map((root) => ({
    root,
    checkIgnore: async (paths: string[]) => {
      if (root === refusing || !paths.every((path) => path.startsWith(root))) throw new Error('not of this repository');
      return new Set(paths.filter((path) => path.endsWith('.log')));
    },
  }));
  const find = ({ fsPath }: File) => repositories.find(({ root }) => fsPath.startsWith(root)) ?? null;
  return { getAPI: () => ({ getRepository: find }) };
}

describe('what Git ignores', () => {
  it('is asked of the repository of each file', async () => {
    assert.deepEqual([...(await findIgnored(gitOf(), FILES))], ['/one/a.log', '/two/b.log']);
  });

  it('is nothing without Git, and where Git fails', async () => {
    const without: GitExtension<File> = {
      getAPI: () => {
        throw new Error('Git model not found');
      },
    };
    for (const git of [without, {}, gitOf('/two/')]) assert.deepEqual([...(await findIgnored(git, FILES))], []);
  });
});
