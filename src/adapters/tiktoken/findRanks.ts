import { existsSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { packRanks } from './packRanks.ts';
import { isRanks } from './ranksFile.ts';

/**
 * Finds the rank file for a program that was not told where it is: the one beside the running module (a bundle in
 * `dist`); else, when run from source, the one of the last build; else one that is packed now and kept in
 * `node_modules/.cache`.
 * @returns the file's path.
 * @throws Error saying where the file must be, when there is none: the module was bundled or moved without it.
 */
export function findRanks(): string {
  for (const place of ['./ranks.bin', '../../../dist/ranks.bin']) {
    const file = fileURLToPath(new URL(place, import.meta.url));
    if (existsSync(file) && isRanks(readFileSync(file))) return file;
  }
  const dataFolder = dirname(findTables());
  const file = join(dataFolder, '../../.cache/karl/ranks-1.bin');
  if (!existsSync(file)) packRanks(file);
  return file;
}

function findTables(): string {
  try {
    return createRequire(import.meta.url).resolve('js-tiktoken/lite');
  } catch (cause) {
    const folder = fileURLToPath(new URL('.', import.meta.url));
    const message = `ranks.bin is not in ${folder}: copy it there from the package of the engine, or keep the package out of the bundle.`;
    throw new Error(message, { cause });
  }
}
