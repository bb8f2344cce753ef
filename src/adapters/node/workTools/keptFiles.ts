import { createHash } from 'node:crypto';
import { lstat, open, readdir, readFile, rmdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { errorCode } from '../storageError.ts';

/** Removes a folder in which there are nothing but folders; rejects where there is more. */
export async function removeEmptyFolders(folder: string): Promise<void> {
  for (const entry of await readdir(folder, { withFileTypes: true }))
    if (entry.isDirectory()) await removeEmptyFolders(join(folder, entry.name));
  await rmdir(folder);
}

/** What is at a path, not following a link; undefined when there is nothing. */
export async function lstatOf(file: string) {
  try {
    return await lstat(file);
  } catch (error) {
    if (errorCode(error) === 'ENOENT' || errorCode(error) === 'ENOTDIR') return undefined;
    throw error;
  }
}

/** Tells whether a file has changed; undefined when there is none. */
export async function markOf(file: string): Promise<string | undefined> {
  try {
    const found = await stat(file);
    const { size, mtimeMs, ctimeMs, ino } = found;
    return found.isFile() ? `${ino} ${size} ${mtimeMs} ${ctimeMs}` : undefined;
  } catch (error) {
    if (errorCode(error) === 'ENOENT' || errorCode(error) === 'ENOTDIR') return undefined;
    throw error;
  }
}

/**
 * The hash of a file; null when there is none, and '' for what need not be read, or is larger than the
 * most bytes, to differ from what is wanted.
 */
export async function hashNow(file: string, wanted: string | null, most: number): Promise<string | null> {
  const found = await lstatOf(file);
  if (found === undefined || (wanted === null && found.isDirectory())) return null;
  return wanted === null || !found.isFile() || found.size > most ? '' : hashOf(await readFile(file));
}

/** The name under which content is kept. */
export function hashOf(content: Uint8Array): string {
  return createHash('sha256').update(content).digest('hex');
}

/** Keeps the mode of a file that is there. */
export async function writeInPlace(file: string, content: Uint8Array, mode: number): Promise<void> {
  const handle = await open(file, 'w', mode);
  try {
    await handle.writeFile(content);
    await handle.sync();
  } finally {
    await handle.close();
  }
}
