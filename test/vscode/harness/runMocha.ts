// node runMocha.ts [--grep TEXT] [--result FILE] [--jobs N] [--retries N] PATTERN...: runs the test files that match.
import fs from 'node:fs';
import path from 'node:path';
import { parseArgs } from 'node:util';
import Mocha from 'mocha';
import { root } from '../setup/root.ts';
import { whenInterrupted } from './interruption.ts';
import { mochaHooks } from './rootHooks.ts';
import { closeSharedEditor } from './sharedEditor.ts';
import { gatherResults, writeTestCount } from './testCount.ts';

/** Generous: it ends what hangs, and judges no speed. */
const TEST_TIMEOUT = 600_000;

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    grep: { type: 'string' },
    result: { type: 'string' },
    jobs: { type: 'string', default: '1' },
    retries: { type: 'string', default: '0' },
  },
});
const jobs = Number(values.jobs);
const mocha = new Mocha({
  ui: 'bdd',
  parallel: jobs > 1,
  jobs,
  timeout: TEST_TIMEOUT,
  retries: Number(values.retries),
  // For the processes that run side by side.
  require: [path.join(import.meta.dirname, 'rootHooks.ts')],
  ...(values.grep === undefined ? {} : { grep: values.grep }),
});
whenInterrupted(closeSharedEditor);
for (const file of fs.globSync([...positionals], { cwd: root }).sort()) mocha.addFile(path.resolve(root, file));
// Processes that run side by side load their own files.
if (jobs === 1) {
  mocha.rootHooks(mochaHooks);
  await mocha.loadFilesAsync();
}
const runner = mocha.run((failures) => {
  if (values.result !== undefined) writeTestCount(values.result, runner, told);
  process.exit(failures === 0 ? 0 : 1);
});
const told = gatherResults(runner);
