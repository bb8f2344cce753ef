import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import fs from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import * as esbuild from 'esbuild';
import { waitFor } from '../harness/tries.ts';
import { root } from './root.ts';
import { WATCHING, watching } from './watching.ts';

const read = (name: string) => fs.readFileSync(path.join(root, name), 'utf8');

/** The problem matchers of VS Code itself that a task may name: those of extensions would have to be installed. */
const BUILT_IN = ['$tsc', '$tsc-watch'];

describe('F5 and the tasks of the editor', () => {
  const [launch, tasks] = [read('.vscode/launch.json'), read('.vscode/tasks.json')];
  const { main, scripts } = JSON.parse(read('package.json'));
  const [{ preLaunchTask }] = JSON.parse(launch).configurations;
  const beforeF5 = JSON.parse(tasks).tasks.find(({ label }: { readonly label: string }) => label === preLaunchTask);
  const { pattern, background } = beforeF5.problemMatcher;

  it('name scripts, files and problem matchers that exist', () => {
    const found = (what: RegExp) => [...`${launch}${tasks}`.matchAll(what)].map(([, name = '']) => name);
    for (const name of found(/"npm (?:run )?([\w:]+)/g)) assert.ok(name in scripts, name);
    for (const name of found(/(?:\$\{workspaceFolder\}\/|"node .*?)((?:\w+\/)+[\w.]*)/g))
      assert.ok(fs.existsSync(path.join(root, name)), name);
    for (const name of found(/"(\$[\w-]+)"/g)) assert.ok(BUILT_IN.includes(name), name);
  });

  it('run the extension and a test file', () => {
    // biome-ignore-start lint/suspicious/noTemplateCurlyInString: the editor's own variables
    assert.ok(launch.includes('"--extensionDevelopmentPath=${workspaceFolder}"'));
    assert.ok(launch.includes('"${relativeFile}"'));
    // biome-ignore-end lint/suspicious/noTemplateCurlyInString: the editor's own variables
  });

  it('start with a build that tells the editor when to go on: all is built, and changes are watched', async () => {
    assert.equal(beforeF5.isBackground, true);
    assert.equal(background.activeOnStart, true, 'what is installed first says nothing of a build');
    // Not the files that tests are running, and without their largest one, which takes seconds.
    const dist = fs.mkdtempSync(path.join(tmpdir(), 'karl-built-'));
    fs.copyFileSync(path.join(root, 'dist/ranks.bin'), path.join(dist, 'ranks.bin'));
    const env = { ...process.env, KARL_DIST: dist };
    const child = spawn(beforeF5.command, { cwd: root, env, shell: true, detached: true });
    const touched = path.join(root, 'src/webview/main.ts');
    const { atime, mtime } = fs.statSync(touched);
    const lines: string[] = [];
    child.stdout.on('data', (chunk) => lines.push(...String(chunk).split(/\r?\n/)));
    const count = (pattern: string) => lines.filter((line) => new RegExp(pattern).test(line)).length;
    const ended = (times: number) =>
      waitFor(
        async () => lines,
        () => count(background.beginsPattern) === times && count(background.endsPattern) === times,
      );
    try {
      await ended(1);
      assert.ok(fs.existsSync(path.join(dist, path.basename(main))));
      fs.utimesSync(touched, new Date(), new Date());
      await ended(2);
    } finally {
      fs.utimesSync(touched, atime, mtime);
      process.kill(-(child.pid ?? 0), 'SIGTERM');
      await once(child, 'exit');
      fs.rmSync(dist, { recursive: true });
    }
  });

  it('show what is wrong with a source: each line has the place that the problem matcher reads', async () => {
    const lines: string[] = [];
    const stdin = { contents: '\nlet a = ;', sourcefile: 'src/a.ts' };
    const plugins = [watching(1, (line) => lines.push(line))()];
    await assert.rejects(esbuild.build({ stdin, plugins, write: false, logLevel: 'silent' }));
    const problem = lines.map((line) => new RegExp(pattern.regexp).exec(line)).find((match) => match !== null);
    assert.deepEqual([...(problem ?? [])].slice(1), ['src/a.ts', '2', '9', 'error', 'Unexpected ";"']);
    assert.deepEqual([pattern.file, pattern.line, pattern.column, pattern.severity, pattern.message], [1, 2, 3, 4, 5]);
    assert.equal(lines.at(-1), WATCHING);
  });
});
