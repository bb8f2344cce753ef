import { execFileSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';

/** The project's folder. */
export const root = path.resolve(import.meta.dirname, '../../..');

/** Written by `build` alone; every build begins with its removal. */
const STAMP = path.join(root, 'dist/.built');

/** What a build reads; folders, so that a file that is gone counts too. */
const SOURCES = ['src/**', 'esbuild.mjs', 'package.json', 'package-lock.json', 'tsconfig.json', 'test/vscode/setup/*'];

/**
 * Builds `dist/` for tests and `npm start`, unless nothing has changed since it did that last. Throws when the build
 * fails; its own message is on the terminal then.
 */
export function build(): void {
  const changed = Math.max(
    ...fs.globSync(SOURCES, { cwd: root }).map((file) => fs.statSync(path.join(root, file)).mtimeMs),
  );
  if (fs.existsSync(STAMP) && fs.statSync(STAMP).mtimeMs > changed) return;
  // What is changed while it builds may not be in it.
  const begun = new Date();
  execFileSync(process.execPath, [path.join(root, 'esbuild.mjs')], { cwd: root, stdio: 'inherit' });
  fs.writeFileSync(STAMP, '');
  fs.utimesSync(STAMP, begun, begun);
}
