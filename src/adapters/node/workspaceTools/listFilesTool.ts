import { stat } from 'node:fs/promises';
import * as z from 'zod/mini';
import { integer, makeTool, text } from '../../../core/session/makeTool.ts';
import { failed, type Tool, type ToolOutcome } from '../../../core/session/tools.ts';
import { LONGEST_GLOB, readGlob } from './glob.ts';
import type { WorkspaceToolLimits } from './toolArguments.ts';
import { ALL_LEVELS, SKIPPED_FOLDERS, Walk, type WalkEntry, walkFolder } from './walkFolder.ts';
import { findStartPlaces, type WorkspaceFolder, type WorkspacePath } from './workspacePath.ts';

/** Default levels: enough to see the structure of a project. */
const DEFAULT_DEPTH = 2;

/** The tool `list_files`: the names below a folder. */
export function makeListFilesTool(folders: () => readonly WorkspaceFolder[], limits: WorkspaceToolLimits): Tool {
  return makeTool({
    name: 'list_files',
    description: `Lists files and folders of the workspace. ${SKIPPED_FOLDERS.join(', ')} and what .gitignore names are skipped unless path names them. At most ${limits.entries} entries.`,
    parameters: {
      path: z.optional(text('Folder in the workspace; the whole workspace when absent')),
      depth: z.optional(integer('How many levels to list; 2 when absent')),
      pattern: z.optional(
        text(
          'Only files that match these globs, e.g. *.{ts,tsx} or src/**/*.test.ts; lists all levels unless depth is given',
          LONGEST_GLOB,
        ),
      ),
    },
    run: async ({ path, pattern, depth = pattern === undefined ? DEFAULT_DEPTH : ALL_LEVELS }, signal) => {
      const places = await findStartPlaces(folders(), path);
      return places.ok ? listPlaces(places.value, depth, pattern, limits, signal) : failed(places.error);
    },
  });
}

async function listPlaces(
  places: readonly WorkspacePath[],
  depth: number,
  pattern: string | undefined,
  limits: WorkspaceToolLimits,
  signal: AbortSignal,
): Promise<ToolOutcome> {
  const lines: string[] = [];
  const walk = new Walk(limits, signal, () =>
    lines.length >= limits.entries ? `more than ${limits.entries} entries` : undefined,
  );
  const glob = pattern === undefined ? undefined : readGlob(pattern);
  if (glob?.ok === false) return failed(glob.error);
  for (const place of places) {
    if (!(await isFolder(place.real))) return failed(`${place.shown} is a file. Use read_file.`);
    for await (const entry of walkFolder(place, depth, walk)) {
      const isWanted =
        glob === undefined ? entry.kind !== 'ignored' : entry.kind === 'file' && glob.value(entry.place.shown);
      // One line per entry, though names may contain line ends.
      if (isWanted) lines.push(entry.place.shown.replace(/[\r\n]/gu, '?') + MARKS[entry.kind]);
    }
  }
  if (signal.aborted) return failed('Cancelled.');
  if (walk.ended !== undefined) {
    if (lines.length === 0) lines.push('No file was found so far.');
    lines.push(`[Stopped: ${walk.ended}. Give a deeper path, a smaller depth or a pattern.]`);
  } else if (lines.length === 0)
    lines.push(pattern === undefined ? 'Nothing is listed here.' : `No file matches ${pattern}.`);
  return { text: lines.join('\n'), failed: false };
}

async function isFolder(path: string): Promise<boolean> {
  return (await stat(path).catch(() => undefined))?.isDirectory() === true;
}

/** What follows the name of an entry that is listed. */
const MARKS: Readonly<Record<WalkEntry['kind'], string>> = {
  file: '',
  ignored: '',
  folder: '/',
  skipped: '/ (not listed)',
  link: ' (symbolic link)',
  special: ' (not a regular file)',
  unreadable: ' (cannot be read)',
};
