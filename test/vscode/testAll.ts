// npm test [-- RING...] [-- --grep TEXT]: every ring, or the ones named. The last line is "N passed, N failed".
import { parseArgs } from 'node:util';
import { installMeanwhile } from './harness/installMeanwhile.ts';
import { RINGS, type RingName } from './harness/rings.ts';
import { runRing } from './harness/runRing.ts';
import { addCounts, describeResults, NO_TESTS, type RingResult } from './harness/testCount.ts';
import { build } from './setup/build.ts';

const { values, positionals } = parseArgs({ allowPositionals: true, options: { grep: { type: 'string' } } });
const names = positionals.length === 0 ? (Object.keys(RINGS) as RingName[]) : positionals.map(readName);
const results: RingResult[] = [];
await build();
const untilInstalled = installMeanwhile(names);
for (const name of names) {
  await untilInstalled(name);
  console.log(`\n=== ${name}: ${RINGS[name].what}`);
  const start = Date.now();
  const count = await runRing(RINGS[name], values.grep);
  results.push({ name, count, seconds: Math.round((Date.now() - start) / 1000) });
}
console.log(describeResults(results));
const { passed, failed } = results.map(({ count }) => count).reduce(addCounts, NO_TESTS);
process.exitCode = failed === 0 && passed > 0 ? 0 : 1;

function readName(text: string): RingName {
  if (text in RINGS) return text as RingName;
  throw new Error(`there is no ring ${text}; there are ${Object.keys(RINGS).join(', ')}`);
}
