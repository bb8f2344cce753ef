import fs from 'node:fs';
import path from 'node:path';
import { runNpm } from './npm.mjs';

/**
 * Installs packages that only one command needs, with their exact versions, into `.vscode-test/<name>`: once, and again
 * when the list changes. Returns the folder, which has the `node_modules`.
 *
 * @param {string} root the project's folder
 * @param {string} name
 * @param {readonly string[]} packages `name@version`
 * @returns {string}
 */
export function installApart(root, name, packages) {
  const folder = path.join(root, '.vscode-test', name);
  const manifest = JSON.stringify({ private: true, description: packages.join(' ') });
  if (readIfThere(path.join(folder, 'wanted.json')) === manifest) return folder;
  console.log(`Installing ${packages.join(', ')} from npm, for this command alone ...`);
  // Installed beside and renamed, so that an interrupted run never leaves half of it.
  const draft = `${folder}.${process.pid}`;
  fs.mkdirSync(draft, { recursive: true });
  fs.writeFileSync(path.join(draft, 'package.json'), manifest);
  runNpm(draft, ['install', ...packages]);
  fs.writeFileSync(path.join(draft, 'wanted.json'), manifest);
  fs.rmSync(folder, { recursive: true, force: true });
  fs.renameSync(draft, folder);
  return folder;
}

function readIfThere(file) {
  return fs.existsSync(file) ? fs.readFileSync(file, 'utf8') : undefined;
}
