import fs from 'node:fs';
import path from 'node:path';
import { runNpm } from './npm.mjs';
import { restoreGate } from './proposedApiGate.ts';

/** The npm package that carries VS Code's server; its version 4.x is VS Code 1.x. */
const PACKAGE = 'code-server@4.139.1';

/**
 * Packages of the server that Karl's tests do not touch (its agent host, its own sign-in, Windows): 250 MB, or native
 * code that would have to be compiled.
 */
const NOT_NEEDED = [
  '@devcontainers/cli',
  '@github/copilot-sdk',
  '@microsoft/mxc-sdk',
  '@vscode/deviceid',
  '@vscode/sandbox-runtime',
  '@vscode/sqlite3',
  '@vscode/windows-process-tree',
  '@vscode/windows-registry',
  'kerberos',
  'ssh2',
];

/**
 * Installs VS Code's server from the npm registry into `.vscode-test/` (once) and returns its folder, the one with
 * `out/server-main.js`. Nothing is compiled: the two native modules it cannot start or log without get stand-ins.
 */
export function installServer(root: string): string {
  const home = path.join(root, '.vscode-test', PACKAGE.replace('@', '-'));
  const inHome = 'node_modules/code-server/lib/vscode';
  if (!fs.existsSync(home)) {
    console.log(`Installing VS Code's server from npm (${PACKAGE}, about 400 MB, once) ...`);
    const draft = `${home}.${process.pid}`;
    fs.mkdirSync(draft, { recursive: true });
    fs.writeFileSync(path.join(draft, 'package.json'), '{ "private": true }\n');
    runNpm(draft, ['install', PACKAGE]);
    prepareServer(path.join(draft, inHome));
    // A finished folder appears at once or not at all; whoever finishes second throws its copy away.
    if (fs.existsSync(home)) fs.rmSync(draft, { recursive: true });
    else fs.renameSync(draft, home);
  }
  const server = path.join(home, inHome);
  restoreGate(server);
  return server;
}

function prepareServer(server: string): void {
  editJson(path.join(server, 'package.json'), (manifest) => {
    for (const name of NOT_NEEDED) delete record(manifest.dependencies)[name];
    for (const name of ['kerberos@2.1.1', 'koffi']) delete record(manifest.overrides)[name];
  });
  runNpm(server, ['install', '--omit=dev']);
  const modules = path.join(server, 'node_modules/@vscode');
  fs.copyFileSync(path.join(import.meta.dirname, 'spdlogStandIn.cjs'), path.join(modules, 'spdlog/index.js'));
  fs.writeFileSync(path.join(modules, 'native-watchdog/index.js'), 'exports.start = () => {};\n');
  // Without a gallery the editor looks nothing up on the network.
  editJson(path.join(server, 'product.json'), (product) => delete product.extensionsGallery);
}

function editJson(file: string, edit: (value: Record<string, unknown>) => void): void {
  const value = record(JSON.parse(fs.readFileSync(file, 'utf8')));
  edit(value);
  fs.writeFileSync(file, JSON.stringify(value, null, 1));
}

function record(value: unknown): Record<string, unknown> {
  if (typeof value !== 'object' || value === null) throw new Error('expected a JSON object');
  return value as Record<string, unknown>;
}
