import type { Dirent } from 'node:fs';
import { join } from 'node:path';
import type { Pace } from '../pace.ts';
import { errorCode } from '../storageError.ts';
import { type IgnoreRules, isIgnored, readIgnoreRules, rulesAbove } from './gitignore.ts';
import { readRealFolder } from './openedPath.ts';
import { isUnsafeName, OWN_FAMILY } from './pathRules.ts';
import { isWithin, type WorkspacePath } from './workspacePath.ts';

/**
 * Folders with other people's code or a tool's own data: passed over unless they are asked for by name, as is what Git
 * ignores.
 */
export const SKIPPED_FOLDERS: readonly string[] = ['node_modules', '.git', '.hg', '.svn', '.venv', '__pycache__'];

/** An entry that was met: the `place` of a file can be opened like any other; a link is named but never followed. */
export interface WalkEntry {
  readonly kind: 'file' | 'folder' | 'skipped' | 'link' | 'special' | 'unreadable';
  readonly place: WorkspacePath;
}

/** How far a walk may go. */
export interface WalkBounds {
  /** Folders below the start; 1 = its own entries only. */
  readonly depth: number;
  /** Called for each entry; false ends the walk. */
  readonly mayGoOn: () => boolean;
  /** The walk gives way after each entry; the time spent on an entry by the caller counts too. */
  readonly pace: Pace;
}

/**
 * Lists what is below a folder, in alphabetical order, files and folders mixed. Never follows a link. Files that Git
 * ignores are left out, folders that it ignores are named and not entered.
 */
export async function* walkFolder(
  start: WorkspacePath,
  bounds: WalkBounds,
  above?: readonly IgnoreRules[],
): AsyncGenerator<WalkEntry> {
  const own = await readIgnoreRules(start);
  const rules = [...(above ?? (await rulesAbove(start))), ...(own === undefined ? [] : [own])];
  const listed = await listFolder(start);
  if (listed === undefined) {
    yield { kind: 'unreadable', place: start };
    return;
  }
  for (const entry of listed) {
    if (!bounds.mayGoOn()) return;
    const place = {
      ...start,
      shown: start.shown === '.' ? entry.name : `${start.shown}/${entry.name}`,
      real: join(start.real, entry.name),
    };
    const known = kindOf(entry);
    const ignored = (known === 'file' || known === 'folder') && isIgnored(rules, place.real, known === 'folder');
    const kind = ignored && known === 'folder' ? 'skipped' : known;
    if (!ignored || known === 'folder') yield { kind, place };
    await bounds.pace.giveWay();
    if (kind === 'folder' && bounds.depth > 1) yield* walkFolder(place, { ...bounds, depth: bounds.depth - 1 }, rules);
  }
}

/** `undefined` for anything that is not a folder, cannot be read, or was replaced by a link out of the workspace. */
async function listFolder({ real, folder }: WorkspacePath): Promise<Dirent[] | undefined> {
  try {
    const read = await readRealFolder(real);
    if (read === undefined || !isWithin(folder, read.real)) return undefined;
    return read.entries.sort((a, b) => (a.name < b.name ? -1 : 1));
  } catch (error) {
    if (errorCode(error) === undefined) throw error;
    return undefined;
  }
}

function kindOf(entry: Dirent): WalkEntry['kind'] {
  if (entry.isSymbolicLink()) return 'link';
  if (OWN_FAMILY === 'windows' && isUnsafeName(entry.name)) return 'special';
  if (entry.isDirectory()) return SKIPPED_FOLDERS.includes(entry.name) ? 'skipped' : 'folder';
  return entry.isFile() ? 'file' : 'special';
}
