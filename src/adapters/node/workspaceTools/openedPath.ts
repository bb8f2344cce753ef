import { constants } from 'node:fs';
import { type FileHandle, lstat, open, readdir, readlink, realpath } from 'node:fs/promises';
import { errorCode } from '../storageError.ts';

/** Linux gives the path of an open file, whatever has its name by now. */
const OPEN_FILES = '/proc/self/fd';

/**
 * The real path of an open file; `undefined` when its name leads elsewhere by now. On other systems the name is
 * resolved again and must lead to the very file that is open.
 */
export async function findOpenedPath(handle: FileHandle, name: string): Promise<string | undefined> {
  if (process.platform === 'linux') {
    try {
      return await readlink(`${OPEN_FILES}/${handle.fd}`);
    } catch (error) {
      // No /proc here.
      if (errorCode(error) !== 'ENOENT') throw error;
    }
  }
  const [real, opened] = [await realpath(name), await handle.stat()];
  const there = await lstat(real);
  const same = there.ino === opened.ino && there.dev === opened.dev && (await realpath(name)) === real;
  return same ? real : undefined;
}

/**
 * The entries of a folder, given its real path. Only this very folder is read: if it is replaced meanwhile, e.g. by a
 * link, the result is `undefined`. Throws the file system's error.
 */
export async function readRealFolder(path: string) {
  if (process.platform !== 'linux') {
    const entries = await readdir(path, { withFileTypes: true });
    return { entries, real: await realpath(path) };
  }
  const folder = await open(path, constants.O_RDONLY | constants.O_DIRECTORY | constants.O_NOFOLLOW);
  try {
    const real = await findOpenedPath(folder, path);
    if (real === undefined) return undefined;
    return { entries: await readdir(`${OPEN_FILES}/${folder.fd}`, { withFileTypes: true }), real };
  } finally {
    await folder.close();
  }
}
