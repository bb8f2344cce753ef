import fs from 'node:fs';
import path from 'node:path';
import { runNpm } from './npm.mjs';

/** TypeScript files run directly from Node 24 on; VS Code's server needs it as well (`module.registerHooks`). */
const REQUIRED_MAJOR = 24;

/**
 * The path of a Node 24 or newer: the one that runs this, or one from the npm registry in `.vscode-test/node24`.
 *
 * @param {string} root the project's folder
 * @returns {string}
 */
export function findNode24(root) {
  if (Number.parseInt(process.versions.node, 10) >= REQUIRED_MAJOR) return process.execPath;
  return installNode(root, REQUIRED_MAJOR);
}

/**
 * The path of a Node of this major version from the npm registry, in `.vscode-test/node<major>`.
 *
 * @param {string} root the project's folder
 * @param {number} major
 * @returns {string}
 */
export function installNode(root, major) {
  const platform = process.platform === 'win32' ? 'win' : process.platform;
  const name = `node-${platform}-${process.arch}`;
  const folder = path.join(root, `.vscode-test/node${major}`);
  const binary = path.join(folder, 'node_modules', name, process.platform === 'win32' ? 'bin/node.exe' : 'bin/node');
  if (!fs.existsSync(binary)) {
    console.log(`This is Node ${process.versions.node}; taking Node ${major} from npm (${name}) ...`);
    // Installed beside and renamed, so that an interrupted or a concurrent run never leaves half a Node.
    const draft = `${folder}.${process.pid}`;
    fs.mkdirSync(draft, { recursive: true });
    fs.writeFileSync(path.join(draft, 'package.json'), '{ "private": true }\n');
    runNpm(draft, ['install', `${name}@${major}`]);
    if (fs.existsSync(binary)) fs.rmSync(draft, { recursive: true });
    else {
      fs.rmSync(folder, { recursive: true, force: true });
      fs.renameSync(draft, folder);
    }
  }
  return binary;
}
