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

const readJson = (name: string) => JSON.parse(fs.readFileSync(path.join(root, name), 'utf8'));

interface Matcher {
  readonly pattern: { readonly regexp: string } & Readonly<Record<string, unknown>>;
  readonly background: {
    readonly activeOnStart: boolean;
    readonly beginsPattern: string;
    readonly endsPattern: string;
  };
}
interface Task {
  readonly label: string;
  readonly type: string;
  readonly command: string;
  readonly isBackground?: boolean;
  readonly problemMatcher: Matcher | readonly string[];
}
interface Configuration {
  readonly program?: string;
  readonly args: readonly string[];
  readonly outFiles?: readonly string[];
  readonly preLaunchTask?: string;
}

/** The problem matchers of VS Code itself that a task may name: those of extensions would have to be installed. */
const BUILT_IN = ['$tsc', '$tsc-watch'];

describe('F5 and the tasks of the editor', () => {
  const { scripts } = readJson('package.json');
  const { tasks } = readJson('.vscode/tasks.json') as { tasks: Task[] };
  const { configurations } = readJson('.vscode/launch.json') as { configurations: Configuration[] };
  const [karl, test] = configurations;
  const beforeF5 = tasks.find(({ label }) => label === karl?.preLaunchTask);

  it('name scripts, tasks, files and problem matchers that exist', () => {
    for (const { label, type, command, problemMatcher } of tasks) {
      const script = /^npm (?:run )?(\S+)/.exec(command)?.[1];
      const program = /^node .*?(\S+\.js)/.exec(command)?.[1];
      assert.ok(type === 'shell', label);
      assert.ok(script === undefined ? fs.existsSync(path.join(root, program ?? '?')) : script in scripts, label);
      if (Array.isArray(problemMatcher)) for (const name of problemMatcher) assert.ok(BUILT_IN.includes(name), name);
    }
    for (const { program, args, outFiles = [], preLaunchTask } of configurations) {
      if (preLaunchTask !== undefined) assert.ok(tasks.some(({ label }) => label === preLaunchTask));
      for (const word of [program ?? '', ...args, ...outFiles.map((files) => files.replace(/\/\*.*$/, ''))]) {
        const file =
          /^(?:--\w+=)?\$\{workspaceFolder\}(.*)$/.exec(word)?.[1] ?? (/^test\/.*/.exec(word)?.[0] && `/${word}`);
        if (file !== undefined) assert.ok(fs.existsSync(`${root}${file}`), word);
      }
    }
  });

  it('run the extension and a test file', () => {
    assert.ok(karl?.args.some((word) => word.startsWith('--extensionDevelopmentPath=')));
    // biome-ignore lint/suspicious/noTemplateCurlyInString: the editor's own variable
    assert.ok(test?.args.includes('${relativeFile}'));
  });

  it('start with a build that tells the editor when to go on: all is built, and changes are watched', async () => {
    assert.ok(beforeF5?.isBackground === true && !Array.isArray(beforeF5.problemMatcher));
    const { background } = beforeF5.problemMatcher as Matcher;
    assert.equal(background.activeOnStart, true, 'what is installed first says nothing of a build');
    // Not the files that tests are running, and without their largest one, which takes seconds.
    const dist = fs.mkdtempSync(path.join(tmpdir(), 'karl-built-'));
    fs.copyFileSync(path.join(root, 'dist/ranks.bin'), path.join(dist, 'ranks.bin'));
    const env = { ...process.env, KARL_DIST: dist };
    const child = spawn(beforeF5.command, { cwd: root, env, shell: true, detached: true });
    // A file of a package: a change in `src` would have every other test build anew.
    const touched = path.join(root, 'node_modules/marked/lib/marked.esm.js');
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
      assert.ok(fs.existsSync(path.join(dist, path.basename(readJson('package.json').main))));
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
    assert.ok(beforeF5 !== undefined);
    const { pattern } = beforeF5.problemMatcher as Matcher;
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
