import assert from 'node:assert/strict';
import { findIgnored, type GitExtension, rankFiles } from '../../../src/host/files/fileNames.ts';

const PATHS = [
  'README.md',
  'src/app.ts',
  'src/web/app.test.ts',
  'src/web/mapper.ts',
  'docs/apple.md',
  'lib/core/deep/file.ts',
];

describe('the files that are offered', () => {
  it('are ranked: name before path, start before middle, short before long', () => {
    assert.deepEqual(rankFiles(PATHS, 'APP'), [
      'src/app.ts',
      'docs/apple.md',
      'src/web/app.test.ts',
      'src/web/mapper.ts',
    ]);
    assert.deepEqual(rankFiles(PATHS, 'src/'), ['src/app.ts', 'src/web/mapper.ts', 'src/web/app.test.ts']);
    assert.deepEqual(rankFiles(PATHS, 'core/file'), ['lib/core/deep/file.ts']);
    assert.deepEqual(rankFiles(PATHS, 'nothing'), []);
  });

  it('are at most 20', () => {
    const many = Array.from({ length: 500 }, (_, index) => `src/${index}.ts`);
    assert.equal(rankFiles(many, '').length, 20);
  });
});

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
  it('comes from the repository of each file', async () => {
    assert.deepEqual([...(await findIgnored(gitOf(), FILES))], ['/one/a.log', '/two/b.log']);
  });

  it('is nothing without Git, or if Git fails', async () => {
    const without: GitExtension<File> = {
      getAPI: () => {
        throw new Error('Git model not found');
      },
    };
    for (const git of [without, {}, gitOf('/two/')]) assert.deepEqual([...(await findIgnored(git, FILES))], []);
  });
});
