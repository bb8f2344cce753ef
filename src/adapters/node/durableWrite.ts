import { randomUUID } from 'node:crypto';
import { open, rename, rm } from 'node:fs/promises';
import { dirname } from 'node:path';
import { errorCode } from './storageError.ts';

/**
 * Replaces a file whole: temporary name, fsync, rename, fsync of the folder. Readers see the old or the new content,
 * also after a power cut. Throws the file system's error, or what `check` throws, which is called last of all; nothing is
 * left behind then but possibly the old file.
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
    await rename(temporary, path);
  } catch (error) {
    await rm(temporary, { force: true });
    throw error;
  }
  await syncFolder(dirname(path));
}

/** Makes names in a folder durable. Windows cannot open a folder, and some file systems refuse: there it does nothing. */
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
