// node runMocha.ts [--grep TEXT] [--result FILE] [--jobs N] PATTERN...: runs the test files that match, under this Node.
import fs from 'node:fs';
import { parseArgs } from 'node:util';
import Mocha from 'mocha';
import { root } from '../setup/root.ts';
import { savePicturesOf } from './failurePictures.ts';
import { whenInterrupted } from './interruption.ts';
import { closeSharedEditor } from './sharedEditor.ts';
import { gatherFailures, writeTestCount } from './testCount.ts';

/** Generous: it ends what hangs, it judges no speed. */
const TEST_TIMEOUT = 300_000;

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { grep: { type: 'string' }, result: { type: 'string' }, jobs: { type: 'string', default: '1' } },
});
const jobs = Number(values.jobs);
const mocha = new Mocha({
  ui: 'bdd',
  parallel: jobs > 1,
  jobs,
  timeout: TEST_TIMEOUT,
  ...(values.grep === undefined ? {} : { grep: values.grep }),
});
whenInterrupted(closeSharedEditor);
for (const file of fs.globSync([...positionals], { cwd: root }).sort()) mocha.addFile(`${root}/${file}`);
// Side by side, each process loads its own files; an editor is shared only by the files of one process.
if (jobs === 1) {
  mocha.rootHooks({
    async afterEach(this: Mocha.Context) {
      if (this.currentTest?.state === 'failed') await savePicturesOf(this.currentTest.fullTitle());
    },
    afterAll: closeSharedEditor,
  });
  await mocha.loadFilesAsync();
}
const runner = mocha.run((failures) => {
  if (values.result !== undefined) writeTestCount(values.result, runner, failed);
  process.exit(failures === 0 ? 0 : 1);
});
const failed = gatherFailures(runner);
