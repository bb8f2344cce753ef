import assert from 'node:assert/strict';
import { rankFiles } from '../../../src/host/present/rankFiles.ts';

const PATHS = [
  'README.md',
  'src/app.ts',
  'src/web/app.test.ts',
  'src/web/mapper.ts',
  'docs/apple.md',
  'lib/core/deep/file.ts',
];

describe('the files that are offered', () => {
  it('come by name before by path, at the beginning before within, short before long', () => {
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

  it('are 20 at most', () => {
    const many = Array.from({ length: 500 }, (_, index) => `src/${index}.ts`);
    assert.equal(rankFiles(many, '').length, 20);
  });
});
