/**
 * npm run bench -- blocking [--only TEXT]
 *
 * What may hold up the extension host: for each case the longest block (the longest time in which nothing else could
 * run) and how much of it was garbage collection, in processor time of the thread, the number of turns that were not
 * idle, the longest block by the wall clock, and the time of the whole; below it the 99.9th percentile of the turns of
 * all cases. Each case runs in a process of its own: code that runs for the first time is slow, and counts.
 * A block of more than 50 ms of processor time sets the exit code.
 */
import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { parseArgs, promisify } from 'node:util';
import { table } from '../table.ts';
import { CASES } from './cases.ts';
import { type Blocks, measureBlocks } from './meter.ts';

const MOST_MS = 50;

/** Runs the cases whose names contain `--only`, and prints their table; with `--one` a single case, here. */
async function runBlockingBench(args: string[]): Promise<void> {
  const options = { only: { type: 'string', default: '' }, one: { type: 'string' } } as const;
  const { values } = parseArgs({ args, options });
  if (values.one !== undefined) {
    console.log(JSON.stringify(await measureCase(values.one)));
    return;
  }
  const rows: string[][] = [];
  const all: number[] = [];
  for (const { name } of CASES.filter((one) => one.name.includes(values.only))) {
    const { longest, collecting, turns, longestWall, total } = await measureElsewhere(name);
    for (const turn of turns) all.push(turn);
    const [block, collection, wall] = [longest, collecting, longestWall].map((ms) => ms.toFixed(1));
    rows.push([name, block, collection, turns.length, wall, total.toFixed(0)].map(String));
    console.error(`${name}: ${block}`);
  }
  const columns = ['longest block ms', 'of it garbage collection', 'turns', 'longest by the wall ms', 'total ms'];
  console.log(table(['case', ...columns], rows));
  all.sort((one, other) => one - other);
  const p999 = all[Math.floor(all.length * 0.999)] ?? 0;
  const over = all.filter((turn) => turn > MOST_MS).length;
  console.log(`\n${all.length} turns: p99.9 is ${p999.toFixed(1)} ms; ${over} took more than ${MOST_MS} ms.`);
  if (over > 0) process.exitCode = 1;
}

async function measureElsewhere(name: string): Promise<Blocks> {
  const script = fileURLToPath(import.meta.url);
  const { stdout } = await promisify(execFile)(process.execPath, ['--expose-gc', script, '--one', name]);
  return JSON.parse(stdout) as Blocks;
}

async function measureCase(name: string): Promise<Blocks> {
  const found = CASES.find((one) => one.name === name);
  if (found === undefined) throw new Error(`there is no case ${name}`);
  const { work, end } = await found.prepare();
  const blocks = await measureBlocks(work);
  await end?.();
  return blocks;
}

await runBlockingBench(process.argv.slice(2));
