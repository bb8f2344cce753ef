// npm run bench -- activation [--runs 9]: how long the extension, bundled as it ships, takes to load and to activate.
import { execFileSync } from 'node:child_process';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { root } from '../../vscode/setup/root.ts';
import { median } from '../table.ts';
import type { ActivationRun } from './activateOnce.ts';

/** What the activation of the extension may take, ms: less goes unnoticed when the editor starts. */
const ACTIVATION_LIMIT = 50;

const { values } = parseArgs({ options: { runs: { type: 'string', default: '9' } } });
const runs = Number(values.runs);
if (!Number.isInteger(runs) || runs < 1) throw new Error(`--runs is a whole number from 1, not ${values.runs}`);

execFileSync(process.execPath, [path.join(root, 'esbuild.mjs'), '--production'], { stdio: 'pipe' });
const results = Array.from({ length: runs }, () => measureOnce(path.join(root, 'dist/extension.js')));
const medianOf = (read: (run: ActivationRun) => number) => median(results.map(read));
const worst = Math.max(...results.map((run) => run.loadMs + run.activateMs));
const total = medianOf((run) => run.loadMs + run.activateMs);
const isRead = results.some((run) => run.ranksRead);
const ms = (value: number) => `${value.toFixed(1)} ms`;
console.log(`activation in a fresh Node process, median of ${runs} runs\n`);
console.log(`  load the bundle   ${ms(medianOf((run) => run.loadMs))}  (${results[0]?.kilobytesRead} kB read)`);
console.log(`  activate()        ${ms(medianOf((run) => run.activateMs))}`);
console.log(`  together          ${ms(total)}  (worst ${ms(worst)}; limit ${ms(ACTIVATION_LIMIT)})`);
console.log(`  token ranks read  ${isRead ? 'YES' : 'no'}`);
if (isRead || total > ACTIVATION_LIMIT) process.exitCode = 1;

function measureOnce(bundle: string): ActivationRun {
  const script = path.join(import.meta.dirname, 'activateOnce.ts');
  return JSON.parse(execFileSync(process.execPath, [script, bundle], { encoding: 'utf8' })) as ActivationRun;
}
