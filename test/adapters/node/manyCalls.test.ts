import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { cases } from '../../attack/seed.ts';
import { useFolder } from '../folder.ts';

const SOURCE = fileURLToPath(new URL('../../../src', import.meta.url));

/** Runs the calls of one reply; reports how they ended, and the most threads and files at a time. */
const CALLER = `
const [source, folder] = process.argv.slice(1);
const { makeWorkspaceTools } = await import(source + '/adapters/node/toolKit.ts');
const { runTools } = await import(source + '/core/session/tools.ts');
const { readdirSync } = await import('node:fs');
const tools = makeWorkspaceTools(() => [{ name: 'ws', path: folder }]);
const signal = new AbortController().signal;
let [threads, files] = [0, 0];
const look = () => {
  threads = Math.max(threads, readdirSync('/proc/self/task').length);
  files = Math.max(files, readdirSync('/proc/self/fd').length);
};
const timer = setInterval(look, 2);
const call = (name, args) => (_, id) => ({ id: name + id, name, arguments: JSON.stringify(args) });
const searches = Array.from({ length: ${cases(60)} }, call('search_text', { query: 'needle' }));
const reads = Array.from({ length: ${cases(3_000)} }, call('read_file', { path: 'a.txt' }));
const results = await runTools({ calls: [...searches, ...reads], tools, cutOff: false, signal });
clearInterval(timer);
const failed = results.filter(({ content }) => !content.includes('needle'));
console.log(JSON.stringify({ failed: failed.length, first: failed[0]?.content, threads, files }));
process.exit(0);
`;

describe('thousands of calls in one reply', () => {
  const path = useFolder();

  it('are all answered, with a few threads and files at a time', function () {
    this.timeout(60_000);
    if (process.platform !== 'linux') this.skip();
    writeFileSync(path('a.txt'), 'needle\n'.repeat(1_000));
    const words = ['--input-type=module', '-e', CALLER, SOURCE, path()];
    const { stdout, stderr } = spawnSync(process.execPath, words, { encoding: 'utf8' });
    assert.notEqual(stdout, '', stderr);
    const { failed, first, threads, files } = JSON.parse(stdout);
    assert.equal(failed, 0, first);
    assert.ok(threads < 40 && files < 100, `${threads} threads, ${files} files`);
  });
});
