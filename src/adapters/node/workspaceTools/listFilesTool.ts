import { stat } from 'node:fs/promises';
import type { Tool, ToolOutcome } from '../../../core/session/tools.ts';
import { LONGEST_GLOB, readGlob } from './glob.ts';
import { describeParameters, type Parameter, readArguments, type WorkspaceToolLimits } from './toolArguments.ts';
import { SKIPPED_FOLDERS, Walk, type WalkEntry, walkFolder } from './walkFolder.ts';
import { findStartPlaces, type WorkspaceFolder, type WorkspacePath } from './workspacePath.ts';

const PARAMETERS: Readonly<Record<string, Parameter>> = {
  path: { type: 'string', description: 'Folder in the workspace; the whole workspace when absent' },
  depth: { type: 'integer', description: 'How many levels to list; 2 when absent' },
  pattern: {
    type: 'string',
    most: LONGEST_GLOB,
    description:
      'Only files that match these globs, e.g. *.{ts,tsx} or src/**/*.test.ts; lists all levels unless depth is given',
  },
};

/** The number of levels listed unless the model says otherwise: enough to see what a project consists of. */
const DEFAULT_DEPTH = 2;
const ALL_LEVELS = 100;

/** The tool `list_files`: the names below a folder. */
export function makeListFilesTool(folders: () => readonly WorkspaceFolder[], limits: WorkspaceToolLimits): Tool {
  return {
    definition: {
      type: 'function',
      function: {
        name: 'list_files',
        description: `Lists files and folders of the workspace. ${SKIPPED_FOLDERS.join(', ')} and what .gitignore names are passed over unless path names them. At most ${limits.entries} entries.`,
        parameters: describeParameters(PARAMETERS),
      },
    },
    run: async (args, signal) => {
      const read = readArguments(PARAMETERS, args);
      if (!read.ok) return { text: read.error, failed: true };
      const pattern = read.value.text('pattern');
      const depth = read.value.integer('depth') ?? (pattern === undefined ? DEFAULT_DEPTH : ALL_LEVELS);
      const places = await findStartPlaces(folders(), read.value.text('path'));
      if (!places.ok) return { text: places.error, failed: true };
      return listPlaces(places.value, depth, pattern, limits, signal);
    },
  };
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
  const fits = pattern === undefined ? undefined : readGlob(pattern);
  for (const place of places) {
    if (!(await isFolder(place.real))) return { text: `${place.shown} is a file. Use read_file.`, failed: true };
    for await (const entry of walkFolder(place, depth, walk)) {
      if (fits === undefined || (entry.kind === 'file' && fits(entry.place.shown))) lines.push(describeEntry(entry));
    }
  }
  if (signal.aborted) return { text: 'Cancelled.', failed: true };
  if (walk.ended !== undefined) {
    if (lines.length === 0) lines.push('No file was found so far.');
    lines.push(`[Stopped: ${walk.ended}. Give a path below, a smaller depth or a pattern.]`);
  } else if (lines.length === 0)
    lines.push(pattern === undefined ? 'Nothing is listed here.' : `No file matches ${pattern}.`);
  return { text: lines.join('\n'), failed: false };
}

async function isFolder(path: string): Promise<boolean> {
  return (await stat(path).catch(() => undefined))?.isDirectory() === true;
}

/** Names may contain line ends; here each entry is one line. */
function describeEntry({ kind, place }: WalkEntry): string {
  const name = place.shown.replace(/[\r\n]/gu, '?');
  switch (kind) {
    case 'file':
      return name;
    case 'folder':
      return `${name}/`;
    case 'skipped':
      return `${name}/ (not listed)`;
    case 'link':
      return `${name} (symbolic link)`;
    case 'special':
      return `${name} (no regular file)`;
    case 'unreadable':
      return `${name} (cannot be read)`;
  }
}
