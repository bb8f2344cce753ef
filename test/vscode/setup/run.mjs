// Where `npm start` and `npm test` begin: node test/vscode/setup/run.mjs <script> [arguments]
//
// Runs on Node 20 with nothing installed. It installs what package-lock.json names, and a Node that runs TypeScript
// where this one does not, and hands the script to that.
import { spawn } from 'node:child_process';
import { constants } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { findNode, installDependencies } from './install.mjs';

const root = path.resolve(path.dirname(fileURLToPath(import.meta.url)), '../../..');
const [script, ...rest] = process.argv.slice(2);
if (script === undefined) throw new Error('usage: node test/vscode/setup/run.mjs <script> [arguments]');

installDependencies(root);
const node = findNode(root);
const child = spawn(node, [path.join(root, script), ...rest], {
  cwd: root,
  stdio: 'inherit',
  env: {
    ...process.env,
    // Programs that the script starts by name (npm, vsce) find the same Node first.
    PATH: `${path.dirname(node)}${path.delimiter}${process.env.PATH ?? ''}`,
    // Browsers and Biome write caches and crash reports: not into the user's home.
    XDG_CACHE_HOME: path.join(root, '.vscode-test/cache'),
    XDG_CONFIG_HOME: path.join(root, '.vscode-test/config'),
    // Every Node of the run keeps what it has compiled: a script starts in half of the time.
    NODE_COMPILE_CACHE: path.join(root, '.vscode-test/cache/node'),
  },
});
// The terminal sends Ctrl+C to both processes; the child decides when to end. What is sent to this one alone goes on.
process.on('SIGINT', () => undefined);
for (const signal of ['SIGTERM', 'SIGHUP']) process.on(signal, () => child.kill(signal));
child.on('error', (error) => {
  console.error(error.message);
  process.exitCode = 1;
});
child.on('exit', (code, signal) => {
  process.exitCode = code ?? 128 + constants.signals[signal];
});
