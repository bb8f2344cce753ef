// npm test [-- RING... | FILE...] [--grep TEXT]: every ring, or the rings or files that are named. The last line is
// "N passed, N failed".
import fs from 'node:fs';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { installMeanwhile } from './harness/installMeanwhile.ts';
import { RINGS, type Ring, type RingName, runRing } from './harness/rings.ts';
import { addCounts, describeResults, NO_TESTS, type RingResult } from './harness/testCount.ts';
import { build, root } from './setup/root.ts';

const { values, positionals } = parseArgs({ allowPositionals: true, options: { grep: { type: 'string' } } });
const names = positionals.length === 0 ? Object.keys(RINGS) : positionals;
const rings = names.map((name): readonly [string, Ring] => [name, isRing(name) ? RINGS[name] : ringOfFile(name)]);
const results: RingResult[] = [];
const begun = Date.now();
// What runs from source needs no build.
if (names.some((name) => isRing(name) || /^test\/(?:vscode|bench)\//.test(nameFile(name)))) build();
const untilInstalled = installMeanwhile(names.filter(isRing));
const isBeside = ([, { beside }]: readonly [string, Ring]) => beside !== undefined && names.includes(beside);
for (const [name, ring] of rings.filter((one) => !isBeside(one))) {
  if (isRing(name)) await untilInstalled(name);
  const others = rings.filter(([, { beside }]) => beside === name);
  console.log(`\n=== ${name}: ${ring.what}`);
  const printed = others.map(() => '');
  const running = others.map(([other, its], at) => run(other, its, (text) => (printed[at] += text)));
  results.push(await run(name, ring));
  for (const [at, [other, { what }]] of others.entries()) {
    const result = await running[at];
    console.log(`\n=== ${other}, which ran beside ${name}: ${what}\n${printed[at]}`);
    if (result !== undefined) results.push(result);
  }
}
console.log(describeResults(results, Math.round((Date.now() - begun) / 1000)));
const { passed, failed } = results.map(({ count }) => count).reduce(addCounts, NO_TESTS);
process.exitCode = failed === 0 && passed > 0 ? 0 : 1;

async function run(name: string, ring: Ring, take?: (printed: string) => void): Promise<RingResult> {
  const start = Date.now();
  const count = await runRing(ring, values.grep, take);
  return { name, count, seconds: Math.round((Date.now() - start) / 1000) };
}

function isRing(name: string): name is RingName {
  return name in RINGS;
}

/** The tests of one file, which are not tried again. */
function ringOfFile(name: string): Ring {
  const file = nameFile(name);
  if (!file.endsWith('.test.ts') || !fs.existsSync(path.join(root, file))) {
    console.error(`there is no ring and no test file "${name}"; rings are ${Object.keys(RINGS).join(', ')}`);
    process.exit(1);
  }
  const isSuite = file.startsWith('test/vscode/suite/');
  return {
    what: 'one file',
    steps: [isSuite ? { kind: 'host', retries: 0, file } : { kind: 'mocha', patterns: [file] }],
  };
}

/** The path of a file in the project's folder, with slashes. */
function nameFile(name: string): string {
  return path.relative(root, path.resolve(root, name)).replaceAll('\\', '/');
}
