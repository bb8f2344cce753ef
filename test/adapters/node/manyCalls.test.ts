import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Gate } from '../../../src/adapters/node/toolKit.ts';
import { cases } from '../../attack/seed.ts';

const TOOLS = fileURLToPath(new URL('../../../src/adapters/node/toolKit.ts', import.meta.url));

/** Calls tools side by side as one reply may; reports how they ended, and the most threads and files at a time. */
const CALLER = `
const { makeWorkspaceTools } = await import(process.argv[1]);
const { readdirSync } = await import('node:fs');
const tools = makeWorkspaceTools({ folders: () => [{ name: 'ws', path: process.argv[2] }] });
const signal = new AbortController().signal;
const run = (name, args) => tools.find(({ definition }) => definition.function.name === name).run(args, signal);
let [threads, files] = [0, 0];
const look = () => {
  threads = Math.max(threads, readdirSync('/proc/self/task').length);
  files = Math.max(files, readdirSync('/proc/self/fd').length);
};
const timer = setInterval(look, 2);
const searches = Array.from({ length: ${cases(60)} }, () => run('search_text', { query: 'needle' }));
const reads = Array.from({ length: ${cases(3_000)} }, () => run('read_file', { path: 'a.txt' }));
const outcomes = await Promise.all([...searches, ...reads]);
clearInterval(timer);
const failed = outcomes.filter((outcome) => outcome.failed);
console.log(JSON.stringify({ failed: failed.length, first: failed[0]?.text, threads, files }));
process.exit(0);
`;

describe('thousands of calls in one reply', () => {
  it('are all answered, with a few threads and files at a time', function () {
    this.timeout(60_000);
    if (process.platform !== 'linux') this.skip();
    const folder = mkdtempSync(join(tmpdir(), 'karl-calls-'));
    writeFileSync(join(folder, 'a.txt'), 'needle\n'.repeat(1_000));
    try {
      const words = ['--input-type=module', '-e', CALLER, TOOLS, folder];
      const { stdout, stderr } = spawnSync(process.execPath, words, { encoding: 'utf8' });
      assert.notEqual(stdout, '', stderr);
      const { failed, first, threads, files } = JSON.parse(stdout);
      assert.equal(failed, 0, first);
      assert.ok(threads < 40 && files < 100, `${threads} threads, ${files} files`);
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  });

  it('pass a gate in order, also when one of them fails', async () => {
    const gate = new Gate(2);
    let [running, most] = [0, 0];
    const order: number[] = [];
    const work = (index: number) => async () => {
      running += 1;
      most = Math.max(most, running);
      order.push(index);
      await new Promise((resolve) => setImmediate(resolve));
      running -= 1;
      if (index === 3) throw new Error('three');
      return index;
    };
    const ended = await Promise.allSettled(Array.from({ length: 9 }, (_, index) => gate.run(work(index))));
    assert.equal(most, 2);
    assert.deepEqual(order, [0, 1, 2, 3, 4, 5, 6, 7, 8]);
    assert.deepEqual(
      ended.map(({ status }) => status === 'fulfilled'),
      [true, true, true, false, true, true, true, true, true],
    );
  });
});
