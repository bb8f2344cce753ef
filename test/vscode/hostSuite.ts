// node hostSuite.ts --result FILE [--grep TEXT] [--retries N]: runs the extension-host suite.
import { parseArgs } from 'node:util';
import { runHostSuite } from './harness/hostRing.ts';

const { values } = parseArgs({
  options: { result: { type: 'string' }, grep: { type: 'string' }, retries: { type: 'string', default: '0' } },
});
if (values.result === undefined) throw new Error('--result FILE is needed');
await runHostSuite({
  resultFile: values.result,
  retries: Number(values.retries),
  ...(values.grep === undefined ? {} : { grep: values.grep }),
});
