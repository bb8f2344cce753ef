import fs from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { format } from 'node:util';
import { runTests, TestRunFailedError } from '@vscode/test-electron';
import * as esbuild from 'esbuild';
import { chooseEditor } from '../setup/chooseEditor.ts';
import { root } from '../setup/root.ts';
import { copySampleWorkspace, launchBrowser, toRemote, windowUrl } from './editor.ts';
import { whenInterrupted } from './interruption.ts';
import { startServer } from './server.ts';

const OUT = path.join(root, 'out/suite');
const SUITE = path.join(OUT, 'index.cjs');
/** Any text that the workbench itself never starts a line with. */
const PREFIX = '\u200bkarl|';
/** Lines of the workbench that are shown when the suite never ends. */
const KEPT_LINES = 40;
const SUITE_TIMEOUT = 8 * 60_000;

/** Runs test/vscode/suite in a real extension host. Returns what it ended with; 0 when every test passed. */
export async function runHostSuite(run: {
  /** Where the count of the tests is written. */
  readonly result: string;
  readonly grep: string | undefined;
  readonly retries: number;
  readonly file: string | undefined;
}): Promise<number> {
  await bundleSuite(run.file ?? 'test/vscode/suite/**/*.test.ts');
  const choice = await chooseEditor();
  const folder = fs.mkdtempSync(path.join(tmpdir(), 'karl-suite-'));
  const env = {
    KARL_TEST_RESULT: run.result,
    KARL_TEST_RETRIES: String(run.retries),
    ...(run.grep === undefined ? {} : { KARL_TEST_GREP: run.grep }),
  };
  try {
    const workspace = copySampleWorkspace(folder);
    if (choice.kind === 'server') return await runInServer(workspace, env);
    return await runTests({
      vscodeExecutablePath: choice.executable,
      extensionDevelopmentPath: root,
      extensionTestsPath: SUITE,
      launchArgs: [workspace, '--disable-extensions', `--user-data-dir=${path.join(folder, 'user')}`],
      extensionTestsEnv: env,
    });
  } catch (error) {
    if (error instanceof TestRunFailedError) return error.code ?? 1;
    throw error;
  } finally {
    fs.rmSync(folder, { recursive: true, force: true, maxRetries: 10, retryDelay: 200 });
  }
}

/** Runs the suite in VS Code's server with a headless browser, and prints what mocha prints. */
async function runInServer(workspace: string, env: Readonly<Record<string, string>>): Promise<number> {
  const server = await startServer({
    extension: { kind: 'development' },
    builtins: 'few',
    env: { ...env, KARL_TEST_PREFIX: PREFIX },
  });
  const stop = whenInterrupted(() => server.stop());
  const noise: string[] = [];
  try {
    const browser = await launchBrowser();
    const page = await browser.newPage({ viewport: { width: 900, height: 600 } });
    // VS Code calls these two when it runs an extension's tests in a browser.
    const ended = new Promise<number>((resolve) => page.exposeFunction('codeAutomationExit', resolve));
    await page.exposeFunction('codeAutomationLog', (level: string, parts: unknown[]) => {
      const line = format(...parts);
      if (line.startsWith(PREFIX)) console.log(line.slice(PREFIX.length));
      else noise.push(`[${level}] ${line}`);
    });
    await page.goto(windowUrl(server, workspace, [['extensionTestsPath', toRemote(SUITE)]]));
    const code = await Promise.race([ended, delay(SUITE_TIMEOUT, undefined, { ref: false })]);
    if (code === undefined) console.error(`${noise.slice(-KEPT_LINES).join('\n')}\nthe suite did not end`);
    await browser.close();
    return code ?? 124;
  } finally {
    await server.stop();
    stop();
  }
}

/** One bundle of all suite files: the extension host of VS Code 1.105 reads no TypeScript. */
async function bundleSuite(pattern: string): Promise<void> {
  fs.rmSync(OUT, { recursive: true, force: true });
  fs.mkdirSync(OUT, { recursive: true });
  const files = fs.globSync(pattern, { cwd: root }).toSorted();
  const all = path.join(OUT, 'suite.ts');
  fs.writeFileSync(all, files.map((file) => `import ${JSON.stringify(path.join(root, file))};\n`).join(''));
  await esbuild.build({
    entryPoints: { index: path.join(root, 'test/vscode/index.ts'), suite: all },
    outdir: OUT,
    outExtension: { '.js': '.cjs' },
    bundle: true,
    platform: 'node',
    format: 'cjs',
    target: 'node22',
    external: ['vscode', 'mocha'],
    sourcemap: 'inline',
    logLevel: 'warning',
    define: { 'import.meta.dirname': '__dirname' },
  });
}
