import assert from 'node:assert/strict';
import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import fs from 'node:fs';
import path from 'node:path';
import { waitFor } from '../harness/workbench.ts';
import { root } from './root.ts';

const readJson = (name: string) => JSON.parse(fs.readFileSync(path.join(root, name), 'utf8'));
const script = path.join(root, 'test/vscode/testFile.ts');

describe('F5 and the tasks of the editor', () => {
  const { scripts } = readJson('package.json');
  const { tasks } = readJson('.vscode/tasks.json') as { tasks: { label: string; script: string }[] };
  const { configurations } = readJson('.vscode/launch.json') as {
    configurations: { program?: string; args: string[]; preLaunchTask?: string }[];
  };

  it('name scripts, tasks and files that there are', () => {
    for (const { script: name } of tasks) assert.ok((name.split(' ')[0] ?? '') in scripts, name);
    for (const { program, args, preLaunchTask } of configurations) {
      if (preLaunchTask !== undefined) assert.ok(tasks.some(({ label }) => label === preLaunchTask));
      for (const word of [program ?? '', ...args]) {
        const file =
          /^(?:--\w+=)?\$\{workspaceFolder\}(.*)$/.exec(word)?.[1] ?? (/^test\/.*/.exec(word)?.[0] && `/${word}`);
        if (file !== undefined) assert.ok(fs.existsSync(`${root}${file}`), word);
      }
    }
  });

  it('run the extension and a test file', () => {
    const [karl, test] = configurations;
    assert.ok(karl?.args.some((word) => word.startsWith('--extensionDevelopmentPath=')));
    // biome-ignore lint/suspicious/noTemplateCurlyInString: the editor's own variable
    assert.ok(test?.args.includes('${relativeFile}'));
  });
});

describe('npm run test:file', () => {
  const file = 'out/first-hour.test.ts';
  const write = (body: string) =>
    fs.writeFileSync(path.join(root, file), `it('one', () => { ${body} });\nit('two', () => {});\n`);
  let watching: ChildProcess | undefined;

  before(() => fs.mkdirSync(path.join(root, 'out'), { recursive: true }));
  after(async () => {
    fs.rmSync(path.join(root, file), { force: true });
    if (watching === undefined) return;
    watching.kill('SIGTERM');
    await once(watching, 'exit');
  });

  it('runs the tests of one file, or those that are named', () => {
    write('');
    const run = (...words: string[]) =>
      spawnSync(process.execPath, [script, ...words], { cwd: root, encoding: 'utf8' });
    assert.match(run(file).stdout, /2 passing/);
    assert.match(run(path.join(root, file), '--grep', 'two').stdout, /1 passing/);
    write('throw new Error("no");');
    const failing = run(file);
    assert.match(failing.stdout, /1 passing[\s\S]*1 failing/);
    assert.equal(failing.status, 1);
  });

  it('says what is wrong with a name', () => {
    const { stderr, status } = spawnSync(process.execPath, [script, 'test/none.test.ts'], { encoding: 'utf8' });
    assert.match(stderr, /no test file "test\/none.test.ts"[\s\S]*usage:/);
    assert.equal(status, 1);
  });

  it('runs them again at every change', async () => {
    write('');
    let output = '';
    watching = spawn(process.execPath, [script, file, '--watch'], { cwd: root });
    watching.stdout?.on('data', (chunk) => (output += String(chunk)));
    const seen = (pattern: RegExp) =>
      waitFor(
        async () => output,
        (text) => pattern.test(text),
      );
    await seen(/2 passing/);
    write('throw new Error("no");');
    await seen(/1 failing/);
  });
});
