import { constants } from 'node:fs';
import { type FileHandle, lstat, open, stat } from 'node:fs/promises';
import { dirname } from 'node:path';

const { O_NOFOLLOW, O_NONBLOCK }: { readonly O_NOFOLLOW?: number; readonly O_NONBLOCK?: number } = constants;

/**
 * Opens a file to which Karl appends. Whoever may put files beside it must not choose where the text goes: a link is not
 * followed, what is no regular file is refused without waiting for its other end, and so is a folder of somebody else
 * in which everybody may write. The caller closes the file.
 * @param flags as of `open`, e.g. `O_WRONLY | O_APPEND | O_CREAT`
 * @throws the file system's error, or an Error that says what is wrong
 */
export async function openOwnFile(path: string, flags: number): Promise<FileHandle> {
  await checkFolder(dirname(path));
  if (O_NOFOLLOW === undefined && (await isLink(path))) throw new Error(`${path} is a link`);
  const file = await open(path, flags | (O_NOFOLLOW ?? 0) | (O_NONBLOCK ?? 0), 0o600).catch((error: unknown) => {
    throw codeOf(error) === 'ELOOP' ? new Error(`${path} is a link`) : error;
  });
  try {
    if (!(await file.stat()).isFile()) throw new Error(`${path} is not a regular file`);
    return file;
  } catch (error) {
    await file.close();
    throw error;
  }
}

async function checkFolder(folder: string): Promise<void> {
  const user = process.getuid?.();
  const { uid, mode } = await stat(folder);
  if (user !== undefined && uid !== user && (mode & constants.S_IWOTH) !== 0)
    throw new Error(`${folder} belongs to another user, and everybody may write in it`);
}

/** Windows has no flag that refuses a link. */
async function isLink(path: string): Promise<boolean> {
  try {
    return (await lstat(path)).isSymbolicLink();
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return false;
    throw error;
  }
}

function codeOf(error: unknown): unknown {
  return error instanceof Error && 'code' in error ? error.code : undefined;
}
