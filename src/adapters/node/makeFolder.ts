import { mkdir } from 'node:fs/promises';
import { dirname } from 'node:path';

/**
 * Makes a folder and the missing ones above it; rejects when that cannot be done. Node's own `recursive` never ends
 * where a folder exists and yet reports ENOENT for anything made in it, as /proc does.
 */
export async function makeFolder(path: string): Promise<void> {
  if (await makeOne(path)) return;
  const above = dirname(path);
  if (above !== path) await makeFolder(above);
  await mkdir(path).catch(acceptExisting);
}

/** False when the folder above is missing. */
async function makeOne(path: string): Promise<boolean> {
  try {
    await mkdir(path);
    return true;
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return false;
    acceptExisting(error);
    return true;
  }
}

/** Another window may have been faster; if a file is there instead, whoever writes into the folder will report it. */
function acceptExisting(error: unknown): void {
  if (codeOf(error) !== 'EEXIST') throw error;
}

function codeOf(error: unknown): unknown {
  return error instanceof Error && 'code' in error ? error.code : undefined;
}
