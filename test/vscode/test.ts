// npm test [-- RING... | FILE...] [--grep TEXT]: every ring, or the rings or files that are named. The last line is
// "N passed, N failed".
import fs from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { installMeanwhile } from './harness/installMeanwhile.ts';
import { failure, RINGS, type Ring, type RingName, runQuietly, runRing } from './harness/rings.ts';
import { addCounts, describeResults, NO_TESTS, type RingResult } from './harness/testCount.ts';
import { build, root } from './setup/root.ts';

/**
 * Rings that run side by side, since much of each is waiting. All only read `dist`; what is in no lane builds it anew, and
 * runs afterwards.
 */
const LANES: readonly (readonly RingName[])[] = [
  ['check', 'unit', 'host', 'programs'],
  ['webview', 'ui'],
];

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { grep: { type: 'string' }, result: { type: 'string' } },
});
const names = positionals.length === 0 ? Object.keys(RINGS) : positionals;
// What runs from source needs no build.
if (names.some((name) => isRing(name) || /^test\/(?:vscode|bench)\//.test(nameFile(name)))) build();
const untilInstalled = installMeanwhile(names.filter(isRing));
const begun = Date.now();
const lanes = LANES.map((lane) => lane.filter((name) => names.includes(name))).filter((lane) => lane.length > 0);
const together = lanes.length > 1 ? lanes : [];
const early = await Promise.all(together.map((lane) => runEach(lane, runApart)));
const late = await runEach(
  names.filter((name) => !together.flat().some((other) => other === name)),
  runHere,
);
const results = [...early.flat(), ...late];
if (values.result === undefined) console.log(describeResults(results, secondsSince(begun)));
else fs.writeFileSync(values.result, JSON.stringify(results[0]));
const { passed, failed } = results.map(({ count }) => count).reduce(addCounts, NO_TESTS);
process.exitCode = failed === 0 && passed > 0 ? 0 : 1;

/** Runs rings and files one after the other. */
async function runEach<Name extends string>(
  all: readonly Name[],
  run: (name: Name) => Promise<RingResult>,
): Promise<readonly RingResult[]> {
  const done: RingResult[] = [];
  for (const name of all) {
    if (isRing(name)) await untilInstalled(name);
    done.push(await run(name));
  }
  return done;
}

async function runHere(name: string): Promise<RingResult> {
  const ring = isRing(name) ? RINGS[name] : ringOfFile(name);
  console.log(`\n=== ${name}: ${ring.what}`);
  const start = Date.now();
  const count = await runRing(ring, values.grep);
  return { name, count, seconds: secondsSince(start) };
}

/** Runs a ring in a process of its own, whose output is printed as a whole when it has ended. */
async function runApart(name: RingName): Promise<RingResult> {
  const file = path.join(tmpdir(), `karl-ring-${name}-${process.pid}.json`);
  const grep = values.grep === undefined ? [] : ['--grep', values.grep];
  const start = Date.now();
  const { code, output } = await runQuietly(process.execPath, [import.meta.filename, name, ...grep, '--result', file]);
  console.log(output.trimEnd());
  if (fs.existsSync(file)) {
    const result: RingResult = JSON.parse(fs.readFileSync(file, 'utf8'));
    fs.rmSync(file);
    return result;
  }
  return { name, count: failure(`${name} ended with ${code}`), seconds: secondsSince(start) };
}

function secondsSince(start: number): number {
  return Math.round((Date.now() - start) / 1000);
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
