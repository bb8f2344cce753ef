// npm run bench -- activation [--runs 9] [--json]: how long the extension, bundled as it ships, takes to load and to activate.
import { execFileSync } from 'node:child_process';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { root } from '../../vscode/setup/root.ts';
import type { ActivationRun } from './activateOnce.ts';

/** What the activation of the extension may take, ms: less goes unnoticed when the editor starts. */
const ACTIVATION_LIMIT = 50;

const { values } = parseArgs({ options: { runs: { type: 'string', default: '9' }, json: { type: 'boolean' } } });
const runs = Number(values.runs);
if (!Number.isInteger(runs) || runs < 1) throw new Error(`--runs is a whole number from 1, not ${values.runs}`);

execFileSync(process.execPath, [path.join(root, 'esbuild.mjs'), '--production'], { stdio: 'pipe' });
const results = Array.from({ length: runs }, () => measureOnce(path.join(root, 'dist/extension.js')));
const median = (read: (run: ActivationRun) => number) =>
  results.map(read).sort((a, b) => a - b)[Math.floor(runs / 2)] ?? Number.NaN;
const table = {
  runs,
  loadMs: median((run) => run.loadMs),
  activateMs: median((run) => run.activateMs),
  totalMs: median((run) => run.loadMs + run.activateMs),
  worstMs: Math.max(...results.map((run) => run.loadMs + run.activateMs)),
  limitMs: ACTIVATION_LIMIT,
  kilobytesRead: Math.max(...results.map((run) => run.kilobytesRead)),
  ranksRead: results.some((run) => run.ranksRead),
};
if (values.json) console.log(JSON.stringify(table, null, 2));
else {
  const ms = (value: number) => `${value.toFixed(1)} ms`;
  console.log(`activation in a fresh Node process, median of ${runs} runs\n`);
  console.log(`  load the bundle   ${ms(table.loadMs)}  (${table.kilobytesRead} kB read)`);
  console.log(`  activate()        ${ms(table.activateMs)}`);
  console.log(`  together          ${ms(table.totalMs)}  (worst ${ms(table.worstMs)}; limit ${ms(ACTIVATION_LIMIT)})`);
  console.log(`  token ranks read  ${table.ranksRead ? 'YES' : 'no'}`);
}
if (table.ranksRead || table.totalMs > ACTIVATION_LIMIT) process.exitCode = 1;

function measureOnce(bundle: string): ActivationRun {
  const script = path.join(import.meta.dirname, 'activateOnce.ts');
  return JSON.parse(execFileSync(process.execPath, [script, bundle], { encoding: 'utf8' })) as ActivationRun;
}
