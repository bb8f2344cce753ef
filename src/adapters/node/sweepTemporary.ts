import { readdir, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { errorCode } from './storageError.ts';

/** The temporary file of `replaceFile`: it stays when a write is cut short. */
const TEMPORARY = /\.[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}\.tmp$/;

/** For this long another window may still be taking the lock, milliseconds. */
const TAKING_MS = 30_000;

/**
 * Removes what interrupted writes left in a conversation's folder. The caller holds the lock, so nobody writes to
 * anything but the `lockFile`.
 */
export async function sweepTemporary(folder: string, lockFile: string): Promise<void> {
  for (const name of await readdir(folder)) {
    const path = join(folder, name);
    if (TEMPORARY.test(name) && !(name.startsWith(lockFile) && (await isYoung(path)))) await rm(path, { force: true });
  }
}

async function isYoung(path: string): Promise<boolean> {
  try {
    return Date.now() - (await stat(path)).mtimeMs < TAKING_MS;
  } catch (error) {
    if (errorCode(error) === 'ENOENT') return false;
    throw error;
  }
}
