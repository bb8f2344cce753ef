// npm run test:file -- FILE [--grep TEXT] [--watch]: the tests of one file, in the ring that it belongs to.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import fs from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { runHostSuite } from './harness/hostRing.ts';
import { build } from './setup/build.ts';
import { root } from './setup/root.ts';

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { grep: { type: 'string' }, watch: { type: 'boolean', default: false } },
});
const [file = ''] = positionals.map((name) => path.relative(root, path.resolve(root, name)).replaceAll('\\', '/'));
if (positionals.length !== 1 || !file.endsWith('.test.ts') || !fs.existsSync(path.join(root, file))) {
  console.error(`there is no test file "${file}"\nusage: npm run test:file -- FILE.test.ts [--grep TEXT] [--watch]`);
  process.exit(1);
}
/** What is tested as it is built; the rest runs from source. */
const needsBuild = file.startsWith('test/vscode/') || file.startsWith('test/bench/');
if (values.watch && needsBuild) {
  console.error('--watch is for tests that run from source: those in test/core, test/adapters and test itself');
  process.exit(1);
}
if (needsBuild) await build();
if (file.startsWith('test/vscode/suite/')) await runInHost();
else await runInNode();

async function runInHost(): Promise<void> {
  const resultFile = path.join(tmpdir(), `karl-count-${process.pid}.json`);
  await runHostSuite({ resultFile, file, ...(values.grep !== undefined && { grep: values.grep }) });
  fs.rmSync(resultFile, { force: true });
}

async function runInNode(): Promise<void> {
  const watch = values.watch ? ['--watch', '--watch-preserve-output'] : [];
  const filter = values.grep === undefined ? [] : ['--grep', values.grep];
  const words = [...watch, path.join(root, 'test/vscode/harness/runMocha.ts'), ...filter, file];
  const child = spawn(process.execPath, words, { cwd: root, stdio: 'inherit' });
  // The terminal sends Ctrl+C to both; what is sent to this process alone goes on.
  process.on('SIGINT', () => undefined);
  process.on('SIGTERM', () => child.kill('SIGTERM'));
  const [code] = await once(child, 'exit');
  process.exitCode = typeof code === 'number' ? code : 1;
}
