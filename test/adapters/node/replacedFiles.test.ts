import assert from 'node:assert/strict';
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, renameSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { makeWorkspaceTools } from '../../../src/adapters/node/toolKit.ts';
import { openTextFile } from '../../../src/adapters/node/workspaceTools/openTextFile.ts';
import { walkFolder } from '../../../src/adapters/node/workspaceTools/walkFolder.ts';
import { findInWorkspace } from '../../../src/adapters/node/workspaceTools/workspacePath.ts';
import { useFolder } from '../folder.ts';

/** Swaps the folder `d` for a link out of the workspace and back, as fast as it can. */
const SWAPPER = `
const fs = require('node:fs');
const spin = () => { for (let turns = Math.random() * 3000; turns > 0; turns -= 1); };
for (;;) {
  fs.renameSync('d', 'kept'); fs.symlinkSync('../outside', 'd'); spin();
  fs.unlinkSync('d'); fs.renameSync('kept', 'd'); spin();
}`;

/**
 * Without the check of what was really opened, a run of this length meets several leaks; on a busy machine it goes on
 * until it has met the link.
 */
const RACE_MS = 3_000;

describe('a folder that is replaced by a link after it was checked', () => {
  const path = useFolder();
  let workspace: string;

  beforeEach(() => {
    workspace = path('ws');
    mkdirSync(join(workspace, 'd'), { recursive: true });
    mkdirSync(path('outside'));
    writeFileSync(join(workspace, 'd/f.txt'), 'harmless\n');
    for (const name of ['f.txt', 'only-outside.txt']) writeFileSync(path('outside', name), 'TOP SECRET\n');
  });

  it('is neither read nor listed', async () => {
    const folders = [{ name: 'ws', path: workspace }];
    const file = await findInWorkspace(folders, 'd/f.txt');
    const folder = await findInWorkspace(folders, 'd');
    assert.ok(file.ok && folder.ok);
    renameSync(join(workspace, 'd'), join(workspace, 'kept'));
    symlinkSync('../outside', join(workspace, 'd'));
    const opened = await openTextFile(file.value);
    assert.ok(!opened.ok);
    assert.match(opened.error, /was replaced/);
    const met: string[] = [];
    for await (const { kind, place } of walkFolder(folder.value, 9, { mayGoOn: () => true }))
      met.push(`${kind} ${place.shown}`);
    assert.deepEqual(met, ['unreadable d']);
  });

  it('is neither read nor listed in a race, at whatever moment the link appears', async function () {
    if (process.platform !== 'linux') this.skip();
    const swapper: ChildProcess = spawn(process.execPath, ['-e', SWAPPER], { cwd: workspace, stdio: 'ignore' });
    try {
      const tools = makeWorkspaceTools(() => [{ name: 'ws', path: workspace }]);
      const run = async (name: string, args: unknown): Promise<string> => {
        const tool = tools.find(({ definition }) => definition.function.name === name) ?? assert.fail(name);
        return (await tool.run(args, new AbortController().signal)).text;
      };
      const end = Date.now() + RACE_MS;
      let swapped = 0;
      while (Date.now() < end || swapped === 0) {
        const read = await run('read_file', { path: 'd/f.txt' });
        if (/leads out|was replaced/.test(read)) swapped += 1;
        assert.doesNotMatch(read, /TOP SECRET/);
        for (const path of [undefined, 'd']) assert.doesNotMatch(await run('list_files', { path }), /only-outside/);
        assert.doesNotMatch(await run('search_text', { query: 'TOP' }), /SECRET/);
      }
    } finally {
      const gone = once(swapper, 'exit');
      swapper.kill('SIGKILL');
      await gone;
    }
  });
});
