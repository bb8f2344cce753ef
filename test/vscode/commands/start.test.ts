import assert from 'node:assert/strict';
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import fs from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { waitFor } from '../harness/tries.ts';
import { root } from '../setup/root.ts';

interface Started {
  readonly child: ChildProcess;
  readonly output: () => string;
  readonly exitCode: Promise<number | null>;
  readonly temporary: string;
}

describe('npm start', () => {
  let folder: string;
  let running: ChildProcess[] = [];

  before(() => {
    folder = fs.mkdtempSync(path.join(tmpdir(), 'karl-start-'));
  });
  afterEach(async () => {
    for (const child of running.filter((one) => one.exitCode === null && one.signalCode === null)) {
      child.kill('SIGTERM');
      await once(child, 'exit');
    }
    running = [];
  });
  after(() => {
    fs.rmSync(folder, { recursive: true, force: true });
  });

  /** Starts what `npm start` starts, or only what runs after the installation; its temporary files go into a folder of the test. */
  function start(
    name: string,
    parameters: readonly string[],
    run: { readonly vscode?: string; readonly direct?: boolean } = {},
  ): Started {
    const temporary = fs.mkdtempSync(path.join(folder, name));
    const door = run.direct === true ? [] : [path.join(root, 'test/vscode/setup/run.mjs')];
    const child = spawn(process.execPath, [...door, 'test/vscode/start.ts', ...parameters], {
      cwd: root,
      env: { ...process.env, KARL_VSCODE: run.vscode ?? 'server', TMPDIR: temporary },
    });
    running.push(child);
    let output = '';
    child.stdout.on('data', (chunk) => (output += String(chunk)));
    child.stderr.on('data', (chunk) => (output += String(chunk)));
    const exitCode = once(child, 'exit').then(([code]) => code as number | null);
    return { child, output: () => output, exitCode, temporary };
  }

  it('saves a picture when Karl is ready, ends with 0 and leaves nothing behind', async () => {
    const file = path.join(folder, 'karl.png');
    const { exitCode, output, temporary } = start('picture', ['--screenshot', file, '--theme', 'light']);
    assert.equal(await exitCode, 0, output());
    assert.deepEqual([...fs.readFileSync(file).subarray(1, 4).toString()], ['P', 'N', 'G']);
    assert.deepEqual(karlFolders(temporary), []);
  });

  it('fails without a picture when Karl is not ready in time, and leaves nothing behind', async () => {
    const file = path.join(folder, 'late.png');
    const { exitCode, temporary } = start('late', ['--screenshot', file, '--timeout', '0.001']);
    assert.notEqual(await exitCode, 0);
    assert.equal(fs.existsSync(file), false);
    assert.deepEqual(karlFolders(temporary), []);
  });

  it('serves VS Code on the loopback interface to whoever has the token, until it is told to end', async () => {
    const { child, exitCode, output, temporary } = start('serve', []);
    const url = new URL(await waitForUrl(output, exitCode));
    assert.equal(url.hostname, '127.0.0.1');
    // The right token becomes a cookie and the page is asked for again.
    assert.equal((await fetch(url, { redirect: 'manual' })).status, 302);
    url.searchParams.set('tkn', 'another');
    assert.equal((await fetch(url, { redirect: 'manual' })).status, 403);
    child.kill('SIGTERM');
    assert.equal(await exitCode, 0, output());
    await assert.rejects(fetch(url));
    assert.deepEqual(karlFolders(temporary), []);
  });

  it('leaves no server behind when it is killed', async () => {
    const { child, exitCode, output } = start('killed', [], { direct: true });
    const url = await waitForUrl(output, exitCode);
    child.kill('SIGKILL');
    await exitCode;
    await waitFor(
      () =>
        fetch(url, { redirect: 'manual' }).then(
          () => 'up',
          () => 'down',
        ),
      (state) => state === 'down',
    );
  });

  it('hands a desktop VS Code the extension, a workspace and a profile of its own', async () => {
    const code = path.join(folder, 'code');
    fs.writeFileSync(code, '#!/bin/sh\necho "sample=$KARL_OPEN_SAMPLE"\nfor word in "$@"; do echo "$word"; done\n', {
      mode: 0o755,
    });
    const { exitCode, output, temporary } = start('desktop', [], { vscode: code });
    assert.equal(await exitCode, 0, output());
    const lines = output().split('\n');
    assert.ok(lines.includes('sample=1'));
    assert.ok(lines.includes(`--extensionDevelopmentPath=${root}`));
    assert.ok(lines.some((line) => line.startsWith(`--user-data-dir=${temporary}`)));
    assert.ok(lines.some((line) => line.startsWith(temporary) && line.endsWith('shipping-rates')));
    assert.deepEqual(karlFolders(temporary), []);
  });
});

function karlFolders(folder: string): string[] {
  return fs.readdirSync(folder).filter((name) => name.startsWith('karl-'));
}

async function waitForUrl(output: () => string, ended: Promise<unknown>): Promise<string> {
  let running = true;
  void ended.then(() => {
    running = false;
  });
  while (running) {
    const url = /http:\S+/.exec(output())?.[0];
    if (url !== undefined) return url;
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
  throw new Error(`no address was printed:\n${output()}`);
}
