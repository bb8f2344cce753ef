// Installing with npm, before anything is installed: plain JavaScript for Node 20.
import { execFileSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';

/**
 * Runs npm in a folder and waits for it; throws when it fails. Install scripts of packages never run.
 * Under `npm run` the same npm is used (npm_execpath), otherwise the one on the PATH.
 *
 * @param {string} folder
 * @param {readonly string[]} parameters
 */
export function runNpm(folder, parameters) {
  const all = [...parameters, '--ignore-scripts', '--no-audit', '--no-fund', '--loglevel=error'];
  // `npm run` tells its children which package they belong to; an npm started for another folder must not see that.
  const env = Object.fromEntries(
    Object.entries(process.env).filter(([name]) => !/^npm_(config_local_prefix|package_|lifecycle_)/.test(name)),
  );
  /** @type {import('node:child_process').ExecFileSyncOptions} */
  const options = { cwd: folder, stdio: ['ignore', 'inherit', 'inherit'], env };
  const cli = process.env.npm_execpath;
  if (cli !== undefined && /\.[cm]?js$/.test(cli)) execFileSync(process.execPath, [cli, ...all], options);
  else execFileSync('npm', all, { ...options, shell: process.platform === 'win32' });
}

/**
 * Runs `npm ci` when node_modules is missing or is not what package-lock.json says.
 *
 * @param {string} root the project's folder
 */
export function installDependencies(root) {
  const installed = readLock(path.join(root, 'node_modules/.package-lock.json'));
  const locked = readLock(path.join(root, 'package-lock.json'));
  if (installed !== undefined && locked !== undefined && findMissing(locked.packages, installed.packages).length === 0)
    return;
  console.log('Installing the packages that package-lock.json names ...');
  runNpm(root, ['ci']);
}

/**
 * The packages of a lock file that are absent or have another version. Optional ones (other platforms) may be absent.
 *
 * @param {Record<string, { version?: string, optional?: boolean, devOptional?: boolean, link?: boolean }>} locked
 * @param {Record<string, { version?: string }>} installed
 */
export function findMissing(locked, installed) {
  return Object.entries(locked)
    .filter(([folder, entry]) => {
      if (folder === '' || entry.link === true) return false;
      const found = installed[folder];
      if (found === undefined) return entry.optional !== true && entry.devOptional !== true;
      return found.version !== entry.version;
    })
    .map(([folder]) => folder);
}

/**
 * Installs what `locks/<name>.json` pins, each package with its version and checksum, into `.vscode-test/<name>`: once,
 * and again when that lock file changes. Returns the folder, which has the `node_modules`.
 *
 * A new version is pinned with `npm install --package-lock-only` beside a package.json that asks for it.
 *
 * @param {string} root the project's folder
 * @param {string} name
 * @param {(draft: string) => void} [prepare] is called once with the folder, which is still a draft
 * @returns {string}
 */
export function installApart(root, name, prepare) {
  const folder = path.join(root, '.vscode-test', name);
  const lock = fs.readFileSync(path.join(root, 'test/vscode/setup/locks', `${name}.json`), 'utf8');
  const pinned = path.join(folder, 'pinned.json');
  const isInstalled = () => fs.existsSync(pinned) && fs.readFileSync(pinned, 'utf8') === lock;
  if (isInstalled()) return folder;
  const { dependencies, optionalDependencies } = JSON.parse(lock).packages[''];
  const wanted = Object.entries({ ...dependencies, ...optionalDependencies }).map((entry) => entry.join('@'));
  console.log(`Installing ${wanted.join(', ')} into .vscode-test/${name} ...`);
  // Installed beside and renamed, so that an interrupted or a concurrent run never leaves half of it.
  const draft = `${folder}.${process.pid}`;
  fs.mkdirSync(draft, { recursive: true });
  fs.writeFileSync(
    path.join(draft, 'package.json'),
    JSON.stringify({ private: true, dependencies, optionalDependencies }),
  );
  fs.writeFileSync(path.join(draft, 'package-lock.json'), lock);
  runNpm(draft, ['ci']);
  prepare?.(draft);
  fs.writeFileSync(path.join(draft, 'pinned.json'), lock);
  if (isInstalled()) fs.rmSync(draft, { recursive: true });
  else {
    fs.rmSync(folder, { recursive: true, force: true });
    fs.renameSync(draft, folder);
  }
  return folder;
}

/** The first release that runs TypeScript files without a flag. */
const RUNS_TYPESCRIPT = [22, 18];

/**
 * The path of a Node that runs TypeScript: this one, or a pinned Node 24. That one becomes the `node` of
 * `node_modules/.bin` too, which npm puts first on the PATH of every script.
 *
 * @param {string} root the project's folder
 * @returns {string}
 */
export function findNode(root) {
  const [major = 0, minor = 0] = process.versions.node.split('.').map(Number);
  if (major > RUNS_TYPESCRIPT[0] || (major === RUNS_TYPESCRIPT[0] && minor >= RUNS_TYPESCRIPT[1]))
    return process.execPath;
  const binary = installNode(root, 24);
  const link = path.join(root, 'node_modules/.bin', path.basename(binary));
  if (!fs.existsSync(link)) fs.linkSync(binary, link);
  return binary;
}

/**
 * The path of a pinned Node of this major version, in `.vscode-test/node<major>`. Throws where npm has none for the
 * platform.
 *
 * @param {string} root the project's folder
 * @param {20 | 22 | 24} major
 * @returns {string}
 */
export function installNode(root, major) {
  const isWindows = process.platform === 'win32';
  const name = `node-${isWindows ? 'win' : process.platform}-${process.arch}`;
  const folder = installApart(root, `node${major}`);
  const binary = path.join(folder, 'node_modules', name, isWindows ? 'bin/node.exe' : 'bin/node');
  if (!fs.existsSync(binary)) throw new Error(`there is no pinned ${name} on npm: install Node ${major} yourself.`);
  return binary;
}

function readLock(file) {
  return fs.existsSync(file) ? JSON.parse(fs.readFileSync(file, 'utf8')) : undefined;
}
