import { execFileSync } from 'node:child_process';
import fs from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { createVSIX } from '@vscode/vsce';
import { root } from './root.ts';

/**
 * What VS Code and the marketplaces show of the extension, for people who have never heard of it. VS Code draws
 * pictures there from https addresses only (not from the package, nor `data:`): they come with the address of a
 * published repository.
 */
export const EXTENSION_PAGE = 'media/extension-page.md';

/** What is beside the bundles in a package; `.vscodeignore` says what of it is packed. */
const BESIDE = ['.vscodeignore', 'package.json', 'package.nls*.json', 'l10n', 'media', 'CHANGELOG.md', 'LICENSE'];

/** Builds for production and packs Karl into a .vsix file in the folder; returns its path. */
export async function packageExtension(folder: string): Promise<string> {
  const read = (name: string): string => fs.readFileSync(path.join(root, name), 'utf8');
  const { version, repository } = JSON.parse(read('package.json'));
  const file = path.join(folder, `karl-${version}.vsix`);
  // vsce looks at every file beside the manifest, also at those of node_modules and .vscode-test, which takes half a minute.
  const packed = fs.mkdtempSync(path.join(tmpdir(), 'karl-packed-'));
  try {
    const dist = path.join(packed, 'dist');
    const ranks = path.join(root, 'dist/ranks.bin');
    // The build takes over what it would need seconds for, unless that is outdated.
    if (fs.existsSync(ranks)) fs.cpSync(ranks, path.join(dist, 'ranks.bin'), { preserveTimestamps: true });
    const env = { ...process.env, KARL_DIST: dist };
    execFileSync(process.execPath, ['esbuild.mjs', '--production'], { cwd: root, stdio: 'inherit', env });
    for (const name of fs.globSync(BESIDE, { cwd: root }))
      fs.cpSync(path.join(root, name), path.join(packed, name), { recursive: true });
    const readmePath = 'dist/README.md';
    const page = read(EXTENSION_PAGE);
    fs.writeFileSync(path.join(packed, readmePath), repository === undefined ? withoutPaths(page) : page);
    await createVSIX({
      cwd: packed,
      packagePath: file,
      readmePath,
      preRelease: isPreRelease(version),
      // The bundles carry their dependencies.
      dependencies: false,
      // Without a published address no relative link can be made absolute.
      allowMissingRepository: true,
      rewriteRelativeLinks: repository !== undefined,
    });
  } finally {
    fs.rmSync(packed, { recursive: true });
  }
  return file;
}

/**
 * A page for readers who do not have the files beside it: pictures from those are left out, links to them become text.
 */
export function withoutPaths(markdown: string): string {
  const absolute = String.raw`(?!\w+:|#)`;
  return markdown
    .replace(new RegExp(String.raw`^!\[[^\]]*\]\(${absolute}[^)]*\)\n\n?`, 'gm'), '')
    .replace(new RegExp(String.raw`\[([^\]]*)\]\(${absolute}[^)]*\)`, 'g'), '$1');
}

/** The marketplaces know only three numbers: an odd minor number is a pre-release, an even one a release. */
export function isPreRelease(version: string): boolean {
  return Number(version.split('.')[1]) % 2 === 1;
}
