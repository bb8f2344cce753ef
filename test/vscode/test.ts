// npm test [-- RING... | FILE...] [--grep TEXT]: every ring, or the rings or files that are named. The last line is
// "N passed, N failed".
import fs from 'node:fs';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { drives, RINGS, type Ring, type RingName, type RingOptions, run, runRing, TIMES } from './harness/rings.ts';
import { addCounts, describeResults, NO_TESTS, type RingResult } from './harness/testCount.ts';
import { build, root } from './setup/root.ts';

const { values, positionals } = parseArgs({ allowPositionals: true, options: { grep: { type: 'string' } } });
const names = positionals.length === 0 ? Object.keys(RINGS) : positionals;
const files = names.filter((name) => !isRing(name)).map((name): [string, Ring] => [name, ringOfFile(name)]);
const results: RingResult[] = [];
const begun = Date.now();
// What runs from source needs no build.
if (names.some((name) => isRing(name) || nameFile(name).startsWith('test/vscode/'))) build();
// What could not be installed is tried again, or refused with the reason, by the first test that needs it.
const untilInstalled = names.some((name) => isRing(name) && drives(name))
  ? run(process.execPath, ['test/vscode/setup/installAll.ts'])
  : undefined;
for (const { busy, waiting } of TIMES) {
  const isNamed = (name: RingName) => names.includes(name);
  const [beside, shown] = [busy.filter(isNamed), waiting.filter(isNamed)];
  await Promise.all([runRings(beside, shown.length > 0), runRings(shown, false)]);
}
for (const [name, ring] of files) {
  console.log(`\n=== ${name}`);
  results.push(await measure(name, ring));
}
console.log(describeResults(results, Math.round((Date.now() - begun) / 1000)));
const { passed, failed } = results.map(({ count }) => count).reduce(addCounts, NO_TESTS);
process.exitCode = failed === 0 && passed > 0 ? 0 : 1;

/** Runs rings one after the other; those that run beside others are printed when they have ended. */
async function runRings(rings: readonly RingName[], isBeside: boolean): Promise<void> {
  for (const name of rings) {
    if (drives(name)) await untilInstalled;
    const title = `\n=== ${name}: ${RINGS[name].what}`;
    if (!isBeside) console.log(title);
    let printed = '';
    const beside = (text: string) => (printed += text);
    results.push(await measure(name, RINGS[name], isBeside ? { beside } : {}));
    if (isBeside) console.log(`${title}, beside others\n${printed}`);
  }
}

async function measure(name: string, ring: Ring, options: RingOptions = {}): Promise<RingResult> {
  const start = Date.now();
  const count = await runRing(ring, { grep: values.grep, ...options });
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
