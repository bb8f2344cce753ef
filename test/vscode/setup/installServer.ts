import fs from 'node:fs';
import path from 'node:path';
import { installApart, runNpm } from './install.mjs';
import { restoreGate } from './proposedApiGate.ts';

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
 * Installs VS Code's server into `.vscode-test/` (400 MB, once) and returns its folder, the one with
 * `out/server-main.js`. It comes in the npm package code-server, whose version 4.x is VS Code 1.x. Nothing is compiled:
 * the two native modules it cannot start or log without get stand-ins.
 */
export function installServer(root: string): string {
  const inHome = 'node_modules/code-server/lib/vscode';
  const home = installApart(root, 'code-server', (draft) => prepareServer(path.join(draft, inHome)));
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
