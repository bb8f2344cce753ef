// Loaded by the extension host, on the desktop or in the server, through extensionTestsPath; bundled to out/suite.
import path from 'node:path';
import { format } from 'node:util';
import Mocha from 'mocha';
import CountingReporter, { retryLimit } from './harness/testCount.ts';

/** Runs the bundled suite beside this file; rejects when a test fails, which VS Code turns into its exit code. */
export function run(): Promise<void> {
  const grep = process.env.KARL_TEST_GREP;
  const retries = Number(process.env.KARL_TEST_RETRIES ?? 0);
  const mocha = new Mocha({
    ui: 'bdd',
    color: false,
    timeout: 300_000,
    retries,
    reporter: CountingReporter,
    reporterOptions: { result: process.env.KARL_TEST_RESULT },
    ...(grep === undefined ? {} : { grep }),
  });
  mocha.rootHooks(retryLimit);
  mocha.addFile(path.join(__dirname, 'suite.cjs'));
  prefixLines(process.env.KARL_TEST_PREFIX);
  return new Promise((resolve, reject) => {
    mocha.run((failures) => {
      if (failures === 0) resolve();
      else reject(new Error(`${failures} tests failed`));
    });
  });
}

/** In the server, mocha's lines and the workbench's own arrive through one channel; a prefix tells them apart. */
function prefixLines(prefix: string | undefined): void {
  if (prefix === undefined) return;
  Mocha.reporters.Base.consoleLog = (...parts: unknown[]) => {
    for (const line of format(...parts).split('\n')) console.log(prefix + line);
  };
}
