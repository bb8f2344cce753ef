import { realpath } from 'node:fs/promises';
import { sep } from 'node:path';
import { err, ok, type Result } from '../../../core/result.ts';
import { errorCode } from '../storageError.ts';
import { OWN_FAMILY, placeInFolder, refusePath, type WorkspaceFolder } from './pathRules.ts';

/** A place in the workspace: the name that the model may use, and the real path. */
export interface WorkspacePath {
  readonly shown: string;
  readonly real: string;
  /** The real path of the folder that contains it. */
  readonly folder: string;
}

/**
 * Finds a place in the workspace. The error is a sentence for the model. Everything that leads out of the folders is
 * refused, be it by `..`, by an absolute path, by another machine's name or by a symbolic link anywhere on the way (the
 * real path decides, so case and short names make no difference).
 */
export async function findInWorkspace(
  folders: readonly WorkspaceFolder[],
  wanted: string,
): Promise<Result<WorkspacePath, string>> {
  const refusal = refusePath(wanted, OWN_FAMILY);
  if (refusal !== undefined) return err(refusal);
  const place = placeInFolder(folders, wanted, OWN_FAMILY);
  if (typeof place === 'string') return err(place);
  const { folder, target, shown } = place;
  try {
    const [root, real] = [await realpath(folder.path), await realpath(target)];
    if (!isWithin(root, real)) return err(`${wanted} leads out of the workspace (by a symbolic link). It is not read.`);
    return ok({ shown, real, folder: root });
  } catch (error) {
    const code = errorCode(error);
    if (code === 'ENOENT' || code === 'ENOTDIR')
      return err(`${wanted} does not exist. Use list_files to see what there is.`);
    if (code === 'ELOOP') return err(`${wanted} is a circle of symbolic links.`);
    return err(`${wanted} cannot be read (${code ?? String(error)}).`);
  }
}

/** Whether a real path is the folder or is inside it. */
export function isWithin(folder: string, path: string): boolean {
  return path === folder || path.startsWith(folder.endsWith(sep) ? folder : folder + sep);
}
