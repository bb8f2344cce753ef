import { createHash } from 'node:crypto';
import { lstat, open, readdir, readFile, rmdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { withFile } from '../durableWrite.ts';
import { errorCode } from '../storageError.ts';

/** Removes a folder that contains only empty folders; rejects if there is anything else. */
export async function removeEmptyFolders(folder: string): Promise<void> {
  for (const entry of await readdir(folder, { withFileTypes: true }))
    if (entry.isDirectory()) await removeEmptyFolders(join(folder, entry.name));
  await rmdir(folder);
}

/** The result of a read, or undefined where there is no such file: it, or a folder above it, is gone. */
async function unlessGone<Value>(reading: Promise<Value>): Promise<Value | undefined> {
  return reading.catch((error: unknown) => {
    if (errorCode(error) !== 'ENOENT' && errorCode(error) !== 'ENOTDIR') throw error;
    return undefined;
  });
}

/** The status of a file without following a link; undefined when there is none. */
export const lstatOf = (file: string) => unlessGone(lstat(file));

/** A mark that changes whenever the file does; undefined when there is no file. */
export async function markOf(file: string): Promise<string | undefined> {
  const found = await unlessGone(stat(file));
  return found?.isFile() === true ? `${found.ino} ${found.size} ${found.mtimeMs} ${found.ctimeMs}` : undefined;
}

/**
 * The hash of a file; null when there is none. '' where reading it is not needed to know that it differs from what is
 * wanted: no file is wanted, it is none, or it has more than `most` bytes.
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

/** Writes a file durably; an existing one keeps its mode. */
export async function writeInPlace(file: string, content: Uint8Array, mode: number): Promise<void> {
  await withFile(await open(file, 'w', mode), async (handle) => {
    await handle.writeFile(content);
    await handle.sync();
  });
}
