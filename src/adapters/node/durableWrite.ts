import { randomUUID } from 'node:crypto';
import { open, rename, rm } from 'node:fs/promises';
import { dirname } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { errorCode } from './storageError.ts';

/**
 * Replaces a file as a whole: temporary name, fsync, rename, fsync of the folder. Readers see either the old or the new
 * content, even after a power cut. Throws the file system's error, or what `check` throws, which is called just before
 * the rename; then the old file, if any, is left as it was.
 */
export async function replaceFile(
  path: string,
  content: string | Uint8Array,
  check?: () => Promise<void>,
): Promise<void> {
  const temporary = `${path}.${randomUUID()}.tmp`;
  try {
    const file = await open(temporary, 'wx', 0o600);
    try {
      await file.writeFile(content);
      await file.sync();
    } finally {
      await file.close();
    }
    await check?.();
    await renamePatiently(temporary, path);
  } catch (error) {
    await rm(temporary, { force: true });
    throw error;
  }
  await syncFolder(dirname(path));
}

/** On Windows a file that a virus scanner or an indexer has open cannot be replaced for a moment. */
const BUSY: readonly (string | undefined)[] = ['EPERM', 'EACCES', 'EBUSY'];
/** How long each next attempt waits, milliseconds: some three seconds in all. */
const WAITS = [20, 50, 100, 200, 400, 800, 1_500];

/** Renames a file; where the system says that one of the two is in use, it tries again for some seconds. */
export async function renamePatiently(from: string, to: string, move = rename): Promise<void> {
  for (const wait of WAITS) {
    try {
      return await move(from, to);
    } catch (error) {
      if (!BUSY.includes(errorCode(error))) throw error;
    }
    await sleep(wait);
  }
  await move(from, to);
}

/**
 * Makes the names in a folder durable. Does nothing on Windows, which cannot open a folder, and on file systems that
 * refuse it.
 */
export async function syncFolder(path: string): Promise<void> {
  try {
    const folder = await open(path, 'r');
    try {
      await folder.sync();
    } finally {
      await folder.close();
    }
  } catch (error) {
    if (!['EISDIR', 'EPERM', 'EACCES', 'EINVAL', 'ENOTSUP'].includes(errorCode(error) ?? '')) throw error;
  }
}
