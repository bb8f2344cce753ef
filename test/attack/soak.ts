// npm run soak [-- --minutes N] [--seed S] [--only NAME]: the random attacks in rounds, each with its own seed, for an
// hour or N minutes, but at least one round. A table at the end shows the results.
import { parseArgs } from 'node:util';
import { table } from '../bench/table.ts';
import { runRing } from '../vscode/harness/rings.ts';
import { ATTACKS } from './attacks.ts';
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
const { only } = values;
const results = Object.entries(ATTACKS)
  .filter(([name]) => only === undefined || name === only)
  .map(([name, patterns]) => ({ name, patterns, rounds: 0, passed: 0, failed: 0, ms: 0, failedSeeds: [] as number[] }));
if (results.length === 0) throw new Error(`there is no attack ${only}; there are ${Object.keys(ATTACKS).join(', ')}`);

const end = Date.now() + minutes * 60_000;
for (let seed = first; seed === first || Date.now() < end; seed += 1) {
  // The tests read it; each file runs in a process of its own.
  process.env.KARL_SEED = String(seed);
  for (const result of results) {
    console.log(`\n=== ${result.name}, seed ${seed}`);
    const start = Date.now();
    const { patterns } = result;
    const { passed, failed } = await runRing({ what: result.name, steps: [{ kind: 'mocha', patterns }] });
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
    ['attack', 'rounds', 'passed', 'failed', 'seconds', 'seeds that failed'],
    results.map(({ name, rounds, passed, failed, ms, failedSeeds }) => [
      name,
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
