import type { Dirent } from 'node:fs';
import { dirname, join, relative, sep } from 'node:path';
import ignore, { type Ignore } from 'ignore';
import { giveWay } from '../../../core/steps.ts';
import { withFile } from '../durableWrite.ts';
import { SLICES } from '../slices.ts';
import { errorCode } from '../storageError.ts';
import { isQuick } from './glob.ts';
import { openTextFile, readRealFolder } from './openTextFile.ts';
import type { WorkspaceToolLimits } from './toolArguments.ts';
import { isUnsafeName, isWithin, OWN_FAMILY, type WorkspacePath } from './workspacePath.ts';

/** Folders with third-party code or a tool's data. Like what Git ignores, they are skipped unless asked for by name. */
export const SKIPPED_FOLDERS: readonly string[] = ['node_modules', '.git', '.hg', '.svn', '.venv', '__pycache__'];

/** A depth that no folder reaches. */
export const ALL_LEVELS = 100;

/**
 * An entry of a folder. Files can be opened by their `place`; links are named but never followed. `ignored`: a file that
 * Git ignores; `skipped`: a folder that it ignores, or with other people's code.
 */
export interface WalkEntry {
  readonly kind: 'file' | 'folder' | 'ignored' | 'skipped' | 'link' | 'special' | 'unreadable';
  readonly place: WorkspacePath;
}

/** The walks of one tool call: how long they may take, and why they ended. */
export class Walk {
  readonly signal: AbortSignal;
  readonly #deadline: number;
  readonly #mostVisited: number;
  readonly #isFull: () => string | undefined;
  #visited = 0;
  /** Why the walk ended early; undefined if it did not. */
  ended: string | undefined;

  /** `isFull` returns why nothing more is wanted, if so. */
  constructor(limits: WorkspaceToolLimits, signal: AbortSignal, isFull: () => string | undefined) {
    this.signal = signal;
    this.#deadline = Date.now() + limits.totalMs;
    this.#mostVisited = limits.visited;
    this.#isFull = isFull;
  }

  /** The remaining time. Milliseconds. */
  get leftMs(): number {
    return this.#deadline - Date.now();
  }

  /** Call this for each entry. */
  mayGoOn(): boolean {
    this.#visited += 1;
    const isLong = this.#visited > this.#mostVisited || this.leftMs < 0;
    this.ended = this.#isFull() ?? (isLong ? 'the search took too long' : this.ended);
    return this.ended === undefined && !this.signal.aborted;
  }
}

/**
 * Lists what is below a folder in alphabetical order, files and folders mixed; `depth` 1: its own entries only. Never
 * follows a link, nor enters a folder that is skipped.
 */
export async function* walkFolder(
  start: WorkspacePath,
  depth: number,
  walk: Pick<Walk, 'mayGoOn'>,
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
    if (!walk.mayGoOn()) return;
    const place = {
      ...start,
      shown: start.shown === '.' ? entry.name : `${start.shown}/${entry.name}`,
      real: join(start.real, entry.name),
    };
    const known = kindOf(entry);
    const ignored = (known === 'file' || known === 'folder') && isIgnored(rules, place.real, known === 'folder');
    const kind = !ignored ? known : known === 'folder' ? 'skipped' : 'ignored';
    yield { kind, place };
    await giveWay(SLICES);
    if (kind === 'folder' && depth > 1) yield* walkFolder(place, depth - 1, walk, rules);
  }
}

/** `undefined` for what is no folder, cannot be read, or was replaced by a link out of the workspace. */
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

/** The rules of one `.gitignore`, for everything below its folder. */
interface IgnoreRules {
  /** The real path of the folder. */
  readonly folder: string;
  readonly rules: Ignore;
}

/** The size of the largest file that is read as rules. Bytes. */
const LARGEST = 1_000_000;

/** The rules of the `.gitignore` in a folder; undefined when there is none that may be read. */
async function readIgnoreRules({ real, folder }: Omit<WorkspacePath, 'shown'>): Promise<IgnoreRules | undefined> {
  const opened = await openTextFile({ shown: '.gitignore', real: join(real, '.gitignore'), folder });
  if (!opened.ok) return undefined;
  const { bytes, encoding } = opened.value;
  return withFile(opened.value.handle, async (handle) => {
    if (bytes > LARGEST) return undefined;
    const text = new TextDecoder(encoding).decode(await handle.readFile());
    // Rules that would take long to match are left out.
    return { folder: real, rules: ignore().add(text.split(/\r?\n/).filter(isQuick)) };
  });
}

/**
 * The rules of the folders above a place, outermost first. None if they ignore the place itself, which was then asked
 * for by name.
 */
async function rulesAbove(place: Omit<WorkspacePath, 'shown'>): Promise<IgnoreRules[]> {
  const above: IgnoreRules[] = [];
  const inner = relative(place.folder, dirname(place.real));
  if (place.real === place.folder || inner.startsWith('..')) return above;
  let real = place.folder;
  for (const name of ['', ...inner.split(sep).filter((part) => part !== '')]) {
    real = join(real, name);
    const rules = await readIgnoreRules({ real, folder: place.folder });
    if (rules !== undefined) above.push(rules);
  }
  const isIgnoredHere = isIgnored(above, place.real, true) || isIgnored(above, place.real, false);
  return isIgnoredHere ? [] : above;
}

/** Whether Git ignores a file or folder: the innermost `.gitignore` with a rule for it decides. */
function isIgnored(all: readonly IgnoreRules[], real: string, isFolder: boolean): boolean {
  for (const { folder, rules } of all.toReversed()) {
    const path = relative(folder, real).split(sep).join('/');
    const { ignored, unignored } = rules.test(isFolder ? `${path}/` : path);
    if (ignored || unignored) return ignored;
  }
  return false;
}
