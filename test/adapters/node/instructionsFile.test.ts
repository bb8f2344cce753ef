import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { readInstructionsFile } from '../../../src/adapters/node/workspaceTools/openTextFile.ts';
import { useFolder } from '../folder.ts';

describe('the AGENTS.md of a folder', () => {
  const path = useFolder();
  let file: string;
  const read = () => readInstructionsFile({ name: 'ws', path: path('ws') }, 'AGENTS.md');

  beforeEach(() => {
    mkdirSync(path('ws/docs'), { recursive: true });
    writeFileSync(path('secret.txt'), 'TOP SECRET');
    file = path('ws/AGENTS.md');
  });

  it('is read, also through a link that stays in the folder', async () => {
    assert.equal(await read(), undefined);
    writeFileSync(path('ws/docs/CLAUDE.md'), 'Use tabs.');
    symlinkSync('docs/CLAUDE.md', file);
    assert.equal(await read(), 'Use tabs.');
  });

  it('is read in UTF-16 too', async () => {
    writeFileSync(file, Buffer.from('\ufeffUse tabs.', 'utf16le'));
    assert.equal(await read(), 'Use tabs.');
  });

  it('sends no file from elsewhere to the model', async () => {
    symlinkSync('../secret.txt', file);
    assert.equal(await read(), undefined);
    rmSync(file);
    symlinkSync(path(), path('ws/up'));
    symlinkSync('up/secret.txt', file);
    assert.equal(await read(), undefined);
  });

  it('is not waited for when it is a pipe, and not read without end', async function () {
    if (process.platform === 'win32') this.skip();
    execFileSync('mkfifo', [file]);
    assert.equal(await read(), undefined);
    rmSync(file);
    symlinkSync('/dev/zero', file);
    assert.equal(await read(), undefined);
    rmSync(file);
    writeFileSync(file, 'x'.repeat(10_000_000));
    assert.equal((await read())?.length, 256_000);
  });
});
