import { execFileSync } from 'node:child_process';
import path from 'node:path';

/** The project's folder. */
export const root = path.resolve(import.meta.dirname, '../../..');

/** Builds `dist/`. Throws when the build fails; its own message is on the terminal then. */
export function build(): void {
  execFileSync(process.execPath, [path.join(root, 'esbuild.mjs')], { cwd: root, stdio: 'inherit' });
}
