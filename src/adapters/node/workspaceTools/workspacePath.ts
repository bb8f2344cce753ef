import { lstat, realpath } from 'node:fs/promises';
import { basename, dirname, join, posix, relative, sep, win32 } from 'node:path';
import { err, ok, type Result } from '../../../core/result.ts';
import { errorCode, unlessMissing } from '../storageError.ts';

/** A place in the workspace: the name that the model may use, and the real path. */
export interface WorkspacePath {
  readonly shown: string;
  readonly real: string;
  /** The real path of the folder that contains it. */
  readonly folder: string;
}

/**
 * Finds a place in the workspace. The error is a sentence for the model. Refuses everything that leads out of the
 * folders: by `..`, by an absolute path, by another machine's name or by a symbolic link anywhere on the way. The real
 * path decides, so case and short names make no difference.
 */
export async function findInWorkspace(
  folders: readonly WorkspaceFolder[],
  wanted: string,
): Promise<Result<WorkspacePath, string>> {
  const place = refusePath(wanted, OWN_FAMILY) ?? placeInFolder(folders, wanted, OWN_FAMILY);
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
    if (code === 'ELOOP') return err(`${wanted} is a loop of symbolic links.`);
    return err(`${wanted} cannot be read (${code ?? String(error)}).`);
  }
}

/** Names of files and folders that decide what runs automatically or what Karl may do. No tool writes them. */
const KEPT_NAMES = /^(?:\.git|\.vscode|\.karl|\.idea|[^/]*\.code-workspace)$/i;

/**
 * Finds the place of a file to write, which need not exist: its real path must be inside the workspace and not protected
 * from tools. The error is a sentence for the model.
 */
export async function findToWrite(
  folders: readonly WorkspaceFolder[],
  wanted: string,
): Promise<Result<WorkspacePath, string>> {
  const placed = refusePath(wanted, OWN_FAMILY) ?? placeInFolder(folders, wanted, OWN_FAMILY);
  if (typeof placed === 'string') return err(placed.replace('can be read', 'can be changed'));
  try {
    const root = await realpath(placed.folder.path);
    const real = await realPathToBe(placed.target);
    if (!isWithin(root, real))
      return err(`${wanted} leads out of the workspace (by a symbolic link). It is not written.`);
    if (real === root) return err(`${wanted} is a folder.`);
    const kept = keptName(root, real);
    if (kept !== undefined)
      return err(
        `${wanted} cannot be written by tools: ${kept} decides what runs automatically. Ask the user to change it.`,
      );
    return ok({ shown: placed.shown, real, folder: root });
  } catch (error) {
    return err(`${wanted} cannot be written (${errorCode(error) ?? String(error)}).`);
  }
}

/** The name that protects a real path below a folder from tools that write; undefined when none does. */
export function keptName(folder: string, real: string): string | undefined {
  return relative(folder, real)
    .split(sep)
    .find((name) => KEPT_NAMES.test(name));
}

/** The real path that a file has or would have: that of the nearest existing folder plus the names below it. */
export async function realPathToBe(target: string): Promise<string> {
  try {
    return await realpath(target);
  } catch (error) {
    if (errorCode(error) !== 'ENOENT' || dirname(target) === target) throw error;
    // A write would follow a dangling link.
    if ((await unlessMissing(lstat(target))) !== undefined) throw error;
    return join(await realPathToBe(dirname(target)), basename(target));
  }
}

/** Whether a real path is the folder or is inside it. */
export function isWithin(folder: string, path: string): boolean {
  return path === folder || path.startsWith(folder.endsWith(sep) ? folder : folder + sep);
}

/** How a system reads paths. Windows has drives, shares, devices, streams and two separators. */
export type PathFamily = 'posix' | 'windows';

/** The family of this machine. */
export const OWN_FAMILY: PathFamily = process.platform === 'win32' ? 'windows' : 'posix';

/** A folder of the workspace. With several folders, a path begins with the name of its folder. */
export interface WorkspaceFolder {
  readonly name: string;
  readonly path: string;
}

/** Where a path leads, before links are followed. */
export interface PlacedPath {
  readonly folder: WorkspaceFolder;
  readonly target: string;
  /** In the form in which the model may name it. */
  readonly shown: string;
}

/** Names that Windows takes for devices, whatever extension follows (docs: "Naming Files, Paths, and Namespaces"). */
const DEVICE = /^(?:con|prn|aux|nul|conin\$|conout\$|com[0-9¹²³]|lpt[0-9¹²³])$/iu;

/** Characters that Windows does not allow in a name; a colon would name a stream or a drive. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what is refused
const NO_NAME = /[<>"|?*:\x00-\x1f]/u;

/** Why the text of a path is refused, a sentence for the model; `undefined` when it may be looked up. Pure. */
export function refusePath(wanted: string, family: PathFamily): string | undefined {
  if (wanted.includes('\0')) return 'A path must not contain a NUL character.';
  if (/^[\\/]{2}/u.test(wanted)) return `${wanted} names another machine or a device. Only the workspace can be read.`;
  if (/^[a-z][a-z0-9+.-]{1,20}:\/\//iu.test(wanted)) return `${wanted} is a URL. Give a path in the workspace.`;
  if (family === 'posix') return undefined;
  const parts = wanted.replace(/^[a-z]:(?=[\\/])/iu, '').split(/[\\/]/u);
  return parts.some((part) => isUnsafeName(part))
    ? `${wanted} names a device, a stream, a drive or no file at all. Only files can be read.`
    : undefined;
}

/** Whether Windows would read a name as something other than the file of that name. */
export function isUnsafeName(name: string): boolean {
  if (name === '' || name === '.' || name === '..') return false;
  // Windows drops trailing dots and spaces: `.. ` is the parent folder, `a.txt.` another file.
  if (NO_NAME.test(name) || /[. ]$/u.test(name)) return true;
  return DEVICE.test((name.split('.', 1)[0] ?? '').trimEnd());
}

/** Finds the folder that contains a path by its text alone; a sentence for the model if none does. Pure. */
export function placeInFolder(
  folders: readonly WorkspaceFolder[],
  wanted: string,
  family: PathFamily,
): PlacedPath | string {
  const paths = family === 'windows' ? win32 : posix;
  const [first] = folders;
  if (first === undefined) return 'No folder is open, so there are no files to read.';
  const place = (folder: WorkspaceFolder, target: string): PlacedPath | string => {
    const inner = paths.relative(folder.path, target);
    const isInside = inner !== '..' && !inner.startsWith(`..${paths.sep}`) && !paths.isAbsolute(inner);
    if (isInside) return { folder, target, shown: showPath(folder, inner.split(paths.sep).join('/')) };
    return `${wanted} is outside the workspace. Only ${folders.map(({ name }) => name).join(', ')} can be read.`;
  };
  const showPath = ({ name }: WorkspaceFolder, inner: string): string => {
    if (folders.length === 1) return inner === '' ? '.' : inner;
    return inner === '' ? name : `${name}/${inner}`;
  };
  if (paths.isAbsolute(wanted)) {
    const places = folders.map((folder) => place(folder, paths.resolve(wanted)));
    return places.find((found) => typeof found !== 'string') ?? places[0] ?? wanted;
  }
  if (folders.length === 1) return place(first, paths.resolve(first.path, wanted));
  const separator = family === 'windows' ? /[\\/]/u : '/';
  const [head, ...rest] = wanted.replace(/^(\.[\\/])+/u, '').split(separator);
  const folder = folders.find(({ name }) => name === head);
  if (folder === undefined)
    return `With several folders open, a path begins with one of ${folders.map(({ name }) => `${name}/`).join(', ')}.`;
  return place(folder, paths.resolve(folder.path, paths.join('.', ...rest)));
}

/** The start of a listing or search: the requested place, or every folder of the workspace. */
export async function findStartPlaces(
  folders: readonly WorkspaceFolder[],
  wanted: string | undefined,
): Promise<Result<readonly WorkspacePath[], string>> {
  const everywhere = wanted === undefined || ['', '.', './'].includes(wanted);
  const names = everywhere && folders.length > 1 ? folders.map(({ name }) => name) : [everywhere ? '.' : wanted];
  const places: WorkspacePath[] = [];
  for (const name of names) {
    const place = await findInWorkspace(folders, name);
    if (!place.ok) return place;
    places.push(place.value);
  }
  return ok(places);
}
