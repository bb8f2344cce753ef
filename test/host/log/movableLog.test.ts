import assert from 'node:assert/strict';
import { MovableLog, resolveLogDirectory } from '../../../src/host/log/movableLog.ts';
import type { LogPort } from '../../../src/host/log/windowLog.ts';

/** A log that has written its lines when `end` is called. */
function slowLog(directory: string): LogPort & { readonly lines: string[]; readonly end: () => void } {
  const { promise, resolve } = Promise.withResolvers<void>();
  const lines: string[] = [];
  return { lines, end: resolve, write: (line) => lines.push(line), path: () => directory, flush: () => promise };
}

describe('the daily log, when its folder changes', () => {
  it('writes new lines to the new folder, and waits for those to the old one only at the end', async () => {
    const logs = { old: slowLog('old'), new: slowLog('new') };
    const log = new MovableLog((directory) => logs[directory as keyof typeof logs], 'old');
    log.write('first');
    log.move('new');
    log.write('second');
    assert.deepEqual([log.path(), logs.old.lines, logs.new.lines], ['new', ['first'], ['second']]);
    let isFlushed = false;
    const flushed = log.flushAll().then(() => {
      isFlushed = true;
    });
    logs.new.end();
    await log.flush();
    await new Promise((resolve) => setImmediate(resolve));
    assert.equal(isFlushed, false, 'the first line is not written yet');
    logs.old.end();
    await flushed;
  });
});

const PLACES = { storage: '/s', workspaceFolder: '/w/$&', home: '/h' };
const STORAGE = '$' + '{storage}';
const FOLDER = '$' + '{workspaceFolder}';

describe('resolveLogDirectory', () => {
  it('replaces the variables at the beginning, taking nothing in a path for a pattern', () => {
    assert.equal(resolveLogDirectory(`${STORAGE}/logs`, PLACES), '/s/logs');
    assert.equal(resolveLogDirectory(`${FOLDER}/logs`, PLACES), '/w/$&/logs');
    assert.equal(resolveLogDirectory('~/logs', PLACES), '/h/logs');
    assert.equal(resolveLogDirectory('~', PLACES), '/h');
  });

  it('leaves other paths alone', () => {
    assert.equal(resolveLogDirectory('/var/log/~/karl', PLACES), '/var/log/~/karl');
    assert.equal(resolveLogDirectory('C:\\logs', PLACES), 'C:\\logs');
  });

  it('uses the storage in a window without a folder', () => {
    assert.equal(
      resolveLogDirectory(`${FOLDER}/logs`, { workspaceFolder: undefined, storage: '/s', home: '/h' }),
      '/s/logs',
    );
  });
});
