// npm run soak [-- --minutes N] [--seed S] [--only TEXT]: the test files with random or hostile cases (those whose paths
// contain the text) in rounds, each with its own seed, for an hour or N minutes, but at least one round. A table at the
// end shows the results.
import fs from 'node:fs';
import { parseArgs } from 'node:util';
import { table } from '../bench/table.ts';
import { runRing } from '../vscode/harness/rings.ts';
import { root } from '../vscode/setup/root.ts';
import { SEED } from './seed.ts';

const { values } = parseArgs({
  options: {
    minutes: { type: 'string', default: '60' },
    seed: { type: 'string', default: String(SEED) },
    only: { type: 'string' },
  },
});
const minutes = readNumber('minutes', values.minutes);
const first = readNumber('seed', values.seed);
const { only = '' } = values;
const results = fs
  .globSync('test/**/*.test.ts', { cwd: root })
  .filter((file) => file.includes(only) && /\bcases\(|KARL_SEED/.test(fs.readFileSync(`${root}/${file}`, 'utf8')))
  .sort()
  .map((file) => ({ file, rounds: 0, passed: 0, failed: 0, ms: 0, failedSeeds: [] as number[] }));
if (results.length === 0) throw new Error(`no file with "${only}" in its path has random or hostile cases`);

const end = Date.now() + minutes * 60_000;
for (let seed = first; seed === first || Date.now() < end; seed += 1) {
  // The tests read it; each file runs in a process of its own.
  process.env.KARL_SEED = String(seed);
  for (const result of results) {
    const { file } = result;
    console.log(`\n=== ${file}, seed ${seed}`);
    const start = Date.now();
    const { passed, failed } = await runRing({ what: file, steps: [{ kind: 'mocha', patterns: [file] }] });
    result.rounds += 1;
    result.passed += passed;
    result.failed += failed;
    result.ms += Date.now() - start;
    if (failed > 0) result.failedSeeds.push(seed);
  }
}

console.log(`\nseeds from ${first} on; KARL_SEED=<seed> npx mocha FILE repeats one\n`);
console.log(
  table(
    ['file', 'rounds', 'passed', 'failed', 'seconds', 'seeds that failed'],
    results.map(({ file, rounds, passed, failed, ms, failedSeeds }) => [
      file,
      ...[rounds, passed, failed, Math.round(ms / 1000)].map(String),
      failedSeeds.join(' '),
    ]),
  ),
);
process.exitCode = results.some(({ failed }) => failed > 0) ? 1 : 0;

function readNumber(option: string, text: string): number {
  const number = Number(text);
  if (text.trim() === '' || !(number >= 0)) throw new Error(`--${option} must be a number of 0 or more, not "${text}"`);
  return number;
}
