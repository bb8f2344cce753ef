// Part of `npm run check`: the engine as an npm package, and what is installed, by checksum, licence and known vulnerabilities.
import { spawnSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { publint } from 'publint';
import { formatMessage } from 'publint/utils';
import { NOTICES } from './notices.ts';
import { packageEngine } from './packageEngine.ts';
import { build, root } from './root.ts';

interface LockedPackage {
  readonly version?: string;
  readonly integrity?: string;
  readonly resolved?: string;
  readonly license?: string;
}

/** Licences of what is shipped: they ask for no more than their text, which `THIRD-PARTY-NOTICES.txt` has. */
const PERMISSIVE =
  /^\(?(?:MIT|ISC|0BSD|BSD-[23]-Clause|Apache-2\.0|BlueOak-1\.0\.0|MPL-2\.0 OR Apache-2\.0|CC-BY-4\.0)\)?$/;

const read = (file: string): string => fs.readFileSync(path.join(root, file), 'utf8');
const complaints = [...checkLocks(), ...(await lintEngine())];
const shipped = listShipped();
complaints.push(...checkLicences(), ...audit());
for (const complaint of complaints) console.error(complaint);
process.exitCode = complaints.length === 0 ? 0 : 1;

/** Every package that is installed, for the tests too, has its checksum in a lock file, which names no registry. */
function checkLocks(): string[] {
  return ['package-lock.json', ...fs.globSync('test/vscode/setup/locks/*.json', { cwd: root })].flatMap((file) =>
    Object.entries(readLock(file)).flatMap(([folder, { integrity, resolved }]) => {
      if (folder === '') return [];
      if (resolved !== undefined) return [`${file}: ${folder} names a registry`];
      return integrity === undefined ? [`${file}: ${folder} has no checksum`] : [];
    }),
  );
}

/** Lays the engine's npm package out and has publint look at it. */
async function lintEngine(): Promise<string[]> {
  if (!fs.existsSync(path.join(root, 'dist/engine.mjs'))) build();
  const { messages, pkg } = await publint({ pkgDir: packageEngine(), strict: true });
  return messages.map((message) => `dist/npm: ${formatMessage(message, pkg)}`);
}

/** The packages whose code is in a bundle, with their licence. */
function listShipped(): ReadonlyMap<string, string> {
  const notices = [NOTICES, `engine.${NOTICES}`].map((file) => read(`dist/${file}`)).join('\n');
  const headings = notices.matchAll(/^-{80}\n\n((?:@\S+\/)?[^\s/]+) \d\S* \((.+)\)$/gm);
  return new Map([...headings].map(([, name = '', licence = '']) => [name, licence]));
}

/** Prints how many of the installed packages have which licence. */
function checkLicences(): string[] {
  const counts = new Map<string, number>();
  for (const [folder, { license = 'none stated' }] of Object.entries(readLock('package-lock.json')))
    if (folder !== '') counts.set(license, (counts.get(license) ?? 0) + 1);
  const list = [...counts].toSorted(([, a], [, b]) => b - a).map(([licence, count]) => `${count} ${licence}`);
  console.log(`licences: ${list.join(', ')}; shipped: ${[...shipped].map((entry) => entry.join(' ')).join(', ')}`);
  if (shipped.size === 0) return ['no package was found in the notices of the bundles'];
  return [...shipped].flatMap(([name, licence]) =>
    PERMISSIVE.test(licence) ? [] : [`${name} is shipped, and its licence is ${licence}`],
  );
}

/** Asks the registry for known vulnerabilities, and complains about those in what is shipped. */
function audit(): string[] {
  const { stdout } = spawnSync('npm', ['audit', '--json', '--fetch-retries=0', '--fetch-timeout=10000'], {
    cwd: root,
    encoding: 'utf8',
    shell: process.platform === 'win32',
  });
  const { vulnerabilities, message } = parse(stdout) as {
    readonly vulnerabilities?: Readonly<Record<string, { readonly severity: string }>>;
    readonly message?: string;
  };
  if (vulnerabilities === undefined) {
    console.log(`npm audit is skipped: ${message ?? 'the registry cannot be asked'}`);
    return [];
  }
  const found = Object.entries(vulnerabilities).map(([name, { severity }]) => ({ name, severity }));
  console.log(`npm audit: ${found.length} packages with known vulnerabilities`);
  for (const { name, severity } of found) console.log(`  ${name}: ${severity}${shipped.has(name) ? ', shipped' : ''}`);
  return found
    .filter(({ name }) => shipped.has(name))
    .map(({ name }) => `${name} is shipped, and has a known vulnerability`);
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    // npm itself could not run, or printed no report.
    return {};
  }
}

function readLock(file: string): Readonly<Record<string, LockedPackage>> {
  return JSON.parse(read(file)).packages;
}
