import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { declaredSettings } from './manifest.ts';

const root = path.resolve(import.meta.dirname, '..');
const read = (name: string): string => fs.readFileSync(path.join(root, name), 'utf8');

describe('SECURITY.md', () => {
  it('names tests that exist, at least one for each thing that is not trusted', () => {
    const rows = read('SECURITY.md').match(/^\|(?! threat| ---).*$/gm) ?? [];
    assert.ok(rows.length > 8);
    for (const row of rows) {
      const files = [...row.matchAll(/`(test\/[^`]+)`/g)].map(([, file = '']) => file);
      assert.ok(files.length > 0, row);
      for (const file of files) assert.ok(fs.existsSync(path.join(root, file)), file);
    }
  });

  it('is linked from README and CONTRIBUTING', () => {
    for (const page of ['README.md', 'CONTRIBUTING.md']) assert.match(read(page), /\]\(SECURITY\.md\)/, page);
  });

  it('names only settings and variables that exist', () => {
    const properties = declaredSettings();
    for (const [name] of read('SECURITY.md').matchAll(/karl\.[\w.]+\w/g)) assert.ok(name in properties, name);
    assert.match(read('src/adapters/node/profileFiles.ts'), /'KARL_MODEL_PROFILES'/);
  });
});

describe('npm run soak', () => {
  it('runs one round at least, and prints its results in a table', () => {
    const words = ['test/attack/soak.ts', '--minutes', '0', '--only', 'damagedLines', '--seed', '7'];
    const { stdout, status } = spawnSync(process.execPath, words, { cwd: root, encoding: 'utf8' });
    assert.match(stdout, /cuts, seed 7\b/);
    assert.match(stdout, /^\| \S*damagedLines\.test\.ts \| +1 \| +\d+ \| +0 \| +\d+ \| +\|$/m);
    assert.equal(status, 0);
  });
});
