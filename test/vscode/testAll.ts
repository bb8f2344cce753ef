// npm test [-- RING...] [-- --grep TEXT]: every ring, or the ones named. The last line is "N passed, N failed".
import { parseArgs } from 'node:util';
import { RINGS, type RingName } from './harness/rings.ts';
import { runRing } from './harness/runRing.ts';
import { build } from './setup/build.ts';

const { values, positionals } = parseArgs({ allowPositionals: true, options: { grep: { type: 'string' } } });
const names = positionals.length === 0 ? (Object.keys(RINGS) as RingName[]) : positionals.map(readName);
let passed = 0;
let failed = 0;
const lines: string[] = [];
const failures: string[] = [];
await build();
for (const name of names) {
  console.log(`\n=== ${name}: ${RINGS[name].what}`);
  const start = Date.now();
  const count = await runRing(RINGS[name], values.grep);
  passed += count.passed;
  failed += count.failed;
  failures.push(...count.failures);
  const skipped = count.skipped > 0 ? `, ${count.skipped} skipped` : '';
  const seconds = Math.round((Date.now() - start) / 1000);
  lines.push(`${name.padEnd(8)} ${count.passed} passed, ${count.failed} failed${skipped} (${seconds} s)`);
}
for (const failure of failures) console.log(`FAILED ${failure}`);
console.log(`\n${lines.join('\n')}`);
console.log(`${passed} passed, ${failed} failed`);
process.exitCode = failed === 0 && passed > 0 ? 0 : 1;

function readName(text: string): RingName {
  if (text in RINGS) return text as RingName;
  throw new Error(`there is no ring ${text}; there are ${Object.keys(RINGS).join(', ')}`);
}
