import { readdir, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { errorCode } from './storageError.ts';

/** What `replaceFile` writes to: of a write that was cut short it stays behind. */
const TEMPORARY = /\.[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}\.tmp$/;

/** Within this time another window may be taking the lock, milliseconds. */
const TAKING_MS = 30_000;

/**
 * Removes what broken off writes left in a conversation's folder. The caller holds the lock, so that nobody writes but to
 * the `lockFile`.
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
