import { execFileSync } from 'node:child_process';

/**
 * Runs npm in a folder and waits for it; throws when it fails. Install scripts of packages never run.
 * Under `npm run` the same npm is used (npm_execpath), otherwise the one on the PATH.
 *
 * @param {string} folder
 * @param {string[]} parameters
 */
export function runNpm(folder, parameters) {
  const all = [...parameters, '--ignore-scripts', '--no-audit', '--no-fund', '--loglevel=error'];
  const options = { cwd: folder, stdio: ['ignore', 'inherit', 'inherit'], env: withoutParentNpm(process.env) };
  const cli = process.env.npm_execpath;
  if (cli !== undefined && /\.[cm]?js$/.test(cli)) execFileSync(process.execPath, [cli, ...all], options);
  else execFileSync('npm', all, { ...options, shell: process.platform === 'win32' });
}

/** `npm run` tells its children which package they belong to; an npm started for another folder must not see that. */
function withoutParentNpm(env) {
  return Object.fromEntries(
    Object.entries(env).filter(([name]) => !/^npm_(config_local_prefix|package_|lifecycle_)/.test(name)),
  );
}
