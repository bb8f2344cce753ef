import type { Tool, ToolOutcome } from '../../../core/session/tools.ts';
import { Pace } from '../slices.ts';
import { LONGEST_GLOB, readGlob } from './glob.ts';
import { type LineMatch, LineMatcher, type LinePattern } from './lineMatcher.ts';
import { decoderOf, openTextFile } from './openTextFile.ts';
import { describeParameters, type Parameter, readArguments, type WorkspaceToolLimits } from './toolArguments.ts';
import { SKIPPED_FOLDERS, walkFolder } from './walkFolder.ts';
import { findStartPlaces, type WorkspaceFolder, type WorkspacePath } from './workspacePath.ts';

const PARAMETERS: Readonly<Record<string, Parameter>> = {
  query: {
    type: 'string',
    description: 'Text to find, or a JavaScript regular expression with is_regex',
    required: true,
  },
  is_regex: { type: 'boolean', description: 'The query is a regular expression; false when absent' },
  case_sensitive: { type: 'boolean', description: 'false when absent' },
  path: { type: 'string', description: 'Folder or file in the workspace; the whole workspace when absent' },
  include: { type: 'string', most: LONGEST_GLOB, description: 'Only files that match these globs, e.g. *.{ts,tsx}' },
};

const LONGEST_QUERY = 1_000;
const ALL_LEVELS = 100;

/** The tool `search_text`: lines that contain a text or match a regular expression. */
export function makeSearchTextTool(folders: () => readonly WorkspaceFolder[], limits: WorkspaceToolLimits): Tool {
  return {
    definition: {
      type: 'function',
      function: {
        name: 'search_text',
        description: `Finds lines in the text files of the workspace. ${SKIPPED_FOLDERS.join(', ')}, what .gitignore names, binary and huge files are passed over. At most ${limits.matches} matches.`,
        parameters: describeParameters(PARAMETERS),
      },
    },
    run: async (args, signal) => {
      const read = readArguments(PARAMETERS, args);
      if (!read.ok) return { text: read.error, failed: true };
      const pattern = makePattern(
        read.value.text('query') ?? '',
        read.value.flag('is_regex'),
        read.value.flag('case_sensitive'),
      );
      if (typeof pattern === 'string') return { text: pattern, failed: true };
      const places = await findStartPlaces(folders(), read.value.text('path'));
      if (!places.ok) return { text: places.error, failed: true };
      const include = read.value.text('include');
      return searchPlaces({ places: places.value, pattern, include, limits, signal });
    },
  };
}

function makePattern(query: string, isRegex: boolean, caseSensitive: boolean): LinePattern | string {
  if (query === '') return 'The query must not be empty.';
  if (query.length > LONGEST_QUERY) return `The query must have at most ${LONGEST_QUERY} characters.`;
  const source = isRegex ? query : query.replace(/[\\^$.*+?()[\]{}|/]/gu, '\\$&');
  if (!isRegex && /[\r\n]/u.test(query)) return 'The query must be one line: lines are searched one by one.';
  try {
    new RegExp(source, 'u');
  } catch (error) {
    return `The query is no regular expression: ${error instanceof Error ? error.message : String(error)}`;
  }
  return { source, ignoreCase: !caseSensitive };
}

interface Search {
  readonly places: readonly WorkspacePath[];
  readonly pattern: LinePattern;
  readonly include: string | undefined;
  readonly limits: WorkspaceToolLimits;
  readonly signal: AbortSignal;
}

async function searchPlaces({ places, pattern, include, limits, signal }: Search): Promise<ToolOutcome> {
  const matcher = new LineMatcher(pattern);
  const report: SearchReport = { lines: [], files: 0, huge: 0, slow: [], ended: '' };
  const deadline = Date.now() + limits.totalMs;
  let visited = 0;
  const mayGoOn = (): boolean => {
    visited += 1;
    if (report.lines.length >= limits.matches) report.ended = `more than ${limits.matches} matches`;
    else if (visited > limits.visited || Date.now() > deadline) report.ended = 'the search took too long';
    return report.ended === '' && !signal.aborted;
  };
  const fits = include === undefined ? undefined : readGlob(include);
  try {
    for await (const place of listFiles(places, mayGoOn)) {
      if (fits?.(place.shown) === false) continue;
      await searchFile({ place, matcher, report, limits, deadline, signal });
      if (!mayGoOn()) break;
    }
  } finally {
    matcher.dispose();
  }
  if (signal.aborted) return { text: 'Cancelled.', failed: true };
  return { text: describeSearch(report, limits), failed: false };
}

/** The files at these places and below. */
async function* listFiles(places: readonly WorkspacePath[], mayGoOn: () => boolean): AsyncGenerator<WorkspacePath> {
  const pace = new Pace();
  for (const place of places) {
    for await (const entry of walkFolder(place, { depth: ALL_LEVELS, mayGoOn, pace })) {
      if (entry.kind === 'file') yield entry.place;
      // A place that cannot be listed because it is not a folder: it is the one file to search.
      if (entry.kind === 'unreadable' && entry.place === place) yield place;
    }
  }
}

interface FileSearch {
  readonly place: WorkspacePath;
  readonly matcher: LineMatcher;
  readonly report: SearchReport;
  readonly limits: WorkspaceToolLimits;
  readonly deadline: number;
  readonly signal: AbortSignal;
}

async function searchFile({ place, matcher, report, limits, deadline, signal }: FileSearch): Promise<void> {
  const file = await openTextFile(place);
  if (!file.ok) return;
  const { handle, bytes, encoding } = file.value;
  try {
    if (bytes > limits.wholeFileBytes) {
      report.huge += 1;
      return;
    }
    const text = decoderOf(encoding).decode(await handle.readFile());
    const timeoutMs = Math.max(1, Math.min(limits.fileMs, deadline - Date.now()));
    const outcome = await matcher.match({ text, most: limits.matches - report.lines.length, timeoutMs, signal });
    report.files += 1;
    if (outcome.kind === 'matches')
      report.lines.push(...outcome.matches.map((match) => ({ place: place.shown, ...match })));
    else report.slow.push(place.shown);
    if (report.slow.length >= MOST_SLOW_FILES)
      report.ended = 'the regular expression takes too long; simplify it, e.g. without nested repetition';
  } finally {
    await handle.close();
  }
}

/** Once an expression had to be stopped on this many files, the fault is the expression's. */
const MOST_SLOW_FILES = 3;

/** What a search has found so far. */
export interface SearchReport {
  readonly lines: (LineMatch & { readonly place: string })[];
  /** The number of files searched. */
  files: number;
  /** The number of files that were too large. */
  huge: number;
  /** Files on which the regular expression had to be stopped. */
  readonly slow: string[];
  /** Why the search ended before the last file; empty if it did not. */
  ended: string;
}

/** The longest part of a line that is shown around a match. */
const SHOWN_CHARACTERS = 300;

/** The result for the model: one line for each match, then what was passed over and how to get more. */
export function describeSearch(report: SearchReport, limits: WorkspaceToolLimits): string {
  const { lines, files, huge, slow, ended } = report;
  const shown: string[] = [];
  let room = limits.characters;
  for (const { place, line, text } of lines) {
    const entry = `${place}:${line}: ${shorten(text.trim())}`;
    room -= entry.length + 1;
    if (room < 0) break;
    shown.push(entry);
  }
  const notes = [
    lines.length === 0
      ? `No line matches (${files} files searched).`
      : `${shown.length} matches in ${files} files searched.`,
    ...(huge > 0 ? [`${huge} huge files were not searched.`] : []),
    ...(slow.length > 0
      ? [`Not searched to the end, since the expression took too long: ${slow.slice(0, 5).join(', ')}.`]
      : []),
    ...(ended === '' && shown.length === lines.length
      ? []
      : [`Stopped: ${ended === '' ? 'the answer is full' : ended}. Narrow it with path or include.`]),
  ];
  return [...shown, `[${notes.join(' ')}]`].join('\n');
}

function shorten(text: string): string {
  return text.length <= SHOWN_CHARACTERS ? text : `${text.slice(0, SHOWN_CHARACTERS)}…`;
}
