import fs from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { runTests, TestRunFailedError } from '@vscode/test-electron';
import * as esbuild from 'esbuild';
import { chooseEditor } from '../setup/chooseEditor.ts';
import { root } from '../setup/root.ts';
import { copySampleWorkspace } from './editor.ts';

const OUT = path.join(root, 'out/suite');

/**
 * Runs test/vscode/suite in a real extension host: on the desktop, or in the server through a shim of the same shape.
 * Returns what it ended with; 0 when every test passed.
 */
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
  try {
    return await runTests({
      vscodeExecutablePath:
        choice.kind === 'desktop' ? choice.executable : path.join(root, 'test/vscode/setup/serverShim.ts'),
      extensionDevelopmentPath: root,
      extensionTestsPath: path.join(OUT, 'index.cjs'),
      launchArgs: [copySampleWorkspace(folder), '--disable-extensions', `--user-data-dir=${path.join(folder, 'user')}`],
      extensionTestsEnv: {
        KARL_TEST_RESULT: run.result,
        KARL_TEST_RETRIES: String(run.retries),
        ...(run.grep === undefined ? {} : { KARL_TEST_GREP: run.grep }),
      },
    });
  } catch (error) {
    if (error instanceof TestRunFailedError) return error.code ?? 1;
    throw error;
  } finally {
    fs.rmSync(folder, { recursive: true, force: true, maxRetries: 10, retryDelay: 200 });
  }
}

/** One bundle for each suite file: the extension host of VS Code 1.105 reads no TypeScript. */
async function bundleSuite(pattern: string): Promise<void> {
  fs.rmSync(OUT, { recursive: true, force: true });
  const suites = fs.globSync(pattern, { cwd: root });
  const entries = ['test/vscode/index.ts', ...suites].map((file) => ({
    in: path.join(root, file),
    out: path.basename(file, '.ts'),
  }));
  await esbuild.build({
    entryPoints: entries,
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
