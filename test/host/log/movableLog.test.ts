import assert from 'node:assert/strict';
import type { LogPort } from '../../../src/host/log/eventSinks.ts';
import { MovableLog } from '../../../src/host/log/movableLog.ts';

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
