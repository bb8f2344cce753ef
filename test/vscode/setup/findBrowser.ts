import { execFileSync, spawnSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';

/** Chromium without its user interface, which costs half a second of CPU for each page even when it is not shown. */
const SHELL = 'chromium-headless-shell';
/** Programs that playwright drives as "chromium", by the names they are installed under. */
const NAMES = [
  SHELL,
  'chromium',
  'chromium-browser',
  'google-chrome',
  'google-chrome-stable',
  'microsoft-edge',
  'chrome',
  'msedge',
];
const PLACES = [
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
  '/Applications/Chromium.app/Contents/MacOS/Chromium',
  'C:\\Program Files\\Google\\Chrome\\Application\\chrome.exe',
  'C:\\Program Files (x86)\\Microsoft\\Edge\\Application\\msedge.exe',
];

/**
 * The path of a Chromium: the one that KARL_BROWSER names, one that is installed, or, on Debian as root, the one that
 * apt installs now (announced first). Elsewhere it throws and says what to install.
 */
export function findBrowser(): string {
  const named = process.env.KARL_BROWSER;
  if (named !== undefined) {
    if (!fs.existsSync(named)) throw new Error(`KARL_BROWSER names ${named}, which does not exist.`);
    return named;
  }
  const found = findInstalled();
  if (found !== undefined) return found;
  if (!fs.existsSync('/usr/bin/apt-get') || process.getuid?.() !== 0) {
    throw new Error(
      'No Chromium was found. Install Chromium, Chrome or Edge (on Debian: sudo apt-get install chromium), or name one with KARL_BROWSER=/path/to/it.',
    );
  }
  console.log('No Chromium was found: installing it with apt-get ...');
  execFileSync('apt-get', ['update', '-qq'], { stdio: 'inherit' });
  // An older Debian has only the whole browser.
  const isOffered = spawnSync('apt-get', ['install', '--simulate', '-qq', SHELL]).status === 0;
  const name = isOffered ? SHELL : 'chromium';
  execFileSync('apt-get', ['install', '-y', '-qq', '--no-install-recommends', name], {
    stdio: 'inherit',
    env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive' },
  });
  const installed = findInstalled();
  if (installed === undefined) throw new Error(`apt-get installed ${name}, but no browser is on the PATH.`);
  return installed;
}

function findInstalled(): string | undefined {
  const folders = (process.env.PATH ?? '').split(path.delimiter);
  const onPath = folders.flatMap((folder) => NAMES.map((name) => path.join(folder, name)));
  return [...onPath, ...PLACES].find((file) => fs.existsSync(file) && fs.statSync(file).isFile());
}
