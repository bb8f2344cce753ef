/**
 * npm run bench -- blocking [--only TEXT]
 *
 * What may hold up the extension host: for each case the longest block (the longest time in which nothing else could
 * run), the 99.9th percentile of all turns, and the time of the whole. A block of more than 50 ms sets the exit code.
 */
import { parseArgs } from 'node:util';
import { table } from '../tokens/table.ts';
import { CASES } from './cases.ts';
import { measureBlocks } from './meter.ts';

/** No case may hold up the editor longer, milliseconds. */
const MOST_MS = 50;

/** Runs the cases whose names contain `--only`, and prints their table. */
export async function runBlockingBench(args: string[]): Promise<void> {
  const { values } = parseArgs({ args, options: { only: { type: 'string', default: '' } } });
  const rows: string[][] = [];
  let over = 0;
  for (const { name, prepare } of CASES) {
    if (!name.includes(values.only)) continue;
    const { work, end } = await prepare();
    const { longest, p999, total } = await measureBlocks(work);
    await end?.();
    if (longest > MOST_MS) over += 1;
    rows.push([name, longest.toFixed(1), p999.toFixed(1), total.toFixed(0)]);
    console.error(`${name}: ${longest.toFixed(1)}`);
  }
  console.log(table(['case', 'longest block ms', 'p99.9 ms', 'total ms'], rows));
  console.log(`\n${rows.length} cases, ${over} of them with a block of more than ${MOST_MS} ms.`);
  if (over > 0) process.exitCode = 1;
}

await runBlockingBench(process.argv.slice(2));
