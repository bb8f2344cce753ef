/**
 * npm run bench -- blocking [--only TEXT]
 *
 * What may hold up the extension host: for each case the longest block (the longest time in which nothing else could
 * run), how much of it was garbage collection, and the 99.9th percentile of the turns that were not idle, in processor time
 * of the thread, the longest block by the wall clock, and the time of the whole. With fewer than 1,000 turns the percentile
 * is the longest block: a case that keeps to 16 ms does so in every turn. Each case runs in a process of
 * its own: code that runs for the first time is slow, and counts.
 * A block of more than 50 ms of processor time sets the exit code.
 */
import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { parseArgs, promisify } from 'node:util';
import { table } from '../tokens/table.ts';
import { CASES } from './cases.ts';
import { type Blocks, measureBlocks } from './meter.ts';

/** No case may hold up the editor longer, milliseconds. */
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
  let over = 0;
  for (const { name } of CASES.filter((one) => one.name.includes(values.only))) {
    const { longest, collecting, turns, p999, longestWall, total } = await measureElsewhere(name);
    if (longest > MOST_MS) over += 1;
    const figures = [longest, collecting, p999, longestWall].map((ms) => ms.toFixed(1));
    figures.splice(2, 0, String(turns));
    rows.push([name, ...figures, total.toFixed(0)]);
    console.error(`${name}: ${longest.toFixed(1)}`);
  }
  const columns = [
    'longest block ms',
    'of it garbage collection',
    'turns',
    'p99.9 of them ms',
    'longest by the wall ms',
    'total ms',
  ];
  console.log(table(['case', ...columns], rows));
  console.log(`\n${rows.length} cases, ${over} of them with a block of more than ${MOST_MS} ms.`);
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
