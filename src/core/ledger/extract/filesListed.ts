import type { Found } from '../found.ts';
import { fileActions, LOOKUP_NAME } from '../read/fileActions.ts';
import { isFilePath, normalizePath } from '../read/paths.ts';
import type { Reading } from '../read/reading.ts';
import { wholeLines } from '../read/scanLines.ts';
import { parseShell } from '../read/shellCommand.ts';
import type { ToolUse } from '../read/toolUse.ts';

/** A listing is read up to here, and at most this many of its files are taken. */
const LONGEST_LISTING = 12_000;
const MOST_LISTED = 20;

/** Programs that print names of files, or lines with the file in front. */
const LISTERS = /^(?:grep|egrep|rg|ag|ack|find|fd|ls|tree|git|locate|gofmt)$/;

/** `src/a.ts:12: text`, `M  src/a.ts`, ` src/a.ts | 12 ++--`, `-rw-r--r-- … a.ts`, or the name alone. */
const LISTED =
  /^(?:[ MADRCU?!]{1,2}[ \t]+|[ \t*+|├└│─`-]{0,16}|[dl-][rwxsStT-]{9}[^\n]{0,80}\s)([^\s:|'"`()<>,;]{2,300})(?=$|:|\s*\||\s*\(|-\d+-)/gm;

/** `src/a.ts` or **src/a.ts:12** in a report: a path with a folder, marked as code or as important. */
const MENTIONED = /(?:`|\*\*)([^`*\s]{3,200}?)(?::\d[\d:,-]*)?(?:`|\*\*)/g;

/**
 * Files that a lookup found, that a command named without printing them, or that the model or a tool's report marks as
 * code. They were seen, not read: `soft`, state `listed`.
 */
export function findFilesListed(reading: Reading): Found[] {
  return [
    ...facts(mentionedIn(reading.model ?? ''), reading.at, 'model'),
    ...reading.uses.flatMap((use) => facts(new Set([...namedInCommand(use), ...seenIn(use)]), use.at, 'tool')),
    ...reading.uses.flatMap(changedInGit),
  ];
}

/** `git status` and `git diff --stat` tell what is changed, whoever changed it: a hint, not an edit of this conversation. */
function changedInGit(use: ToolUse): Found[] {
  if (use.result === undefined || use.result.failed || use.command === undefined) return [];
  if (!/\bgit\b[^\n|;&]{0,80}\b(?:status|diff|show|commit|pull|merge)\b/.test(use.command)) return [];
  const paths = new Set<string>();
  for (const [, status = '', stat = ''] of wholeLines(use.result.text, LONGEST_LISTING).matchAll(GIT_CHANGED)) {
    const path = status || stat;
    if (isFilePath(path)) paths.add(path);
    if (paths.size >= MOST_LISTED) break;
  }
  return facts(paths, use.at, 'tool').map((fact) => ({ ...fact, class: 'file-changed', state: 'in git' }));
}

/** ` M src/a.ts`, `modified:   src/a.ts`, ` src/a.ts | 12 ++--`. */
const GIT_CHANGED =
  /^(?:[ \t]{0,8}(?:[MADRCU]{1,2}|\?\?|(?:modified|new file|deleted|renamed|geändert|neue Datei|modifié|modificado):)[ \t]+([^\s|]{2,300})$|[ \t]{0,4}([^\s|]{2,300})[ \t]+\|[ \t]+\d{1,6}[ \t]+[+-]{1,80}$)/gm;

function facts(paths: ReadonlySet<string>, at: number, by: Found['by']): Found[] {
  return [...paths].map((path) => ({
    class: 'file-read',
    value: path,
    key: normalizePath(path),
    state: 'listed',
    strength: 'soft',
    at,
    by,
  }));
}

/** The paths in a tool's result: those of a listing, or those that a report marks. A printed file has none of its own. */
function seenIn(use: ToolUse): Iterable<string> {
  if (use.result === undefined) return [];
  if (lists(use)) return listedIn(use.result.text);
  return use.command === undefined && use.fromCall && fileActions(use).length === 0 ? mentionedIn(use.result.text) : [];
}

function mentionedIn(text: string): Set<string> {
  const paths = new Set<string>();
  for (const [, path = ''] of wholeLines(text, LONGEST_LISTING).matchAll(MENTIONED)) {
    if (path.includes('/') && isFilePath(path)) paths.add(path);
    if (paths.size >= MOST_LISTED) break;
  }
  return paths;
}

function lists(use: ToolUse): boolean {
  if (use.command === undefined) return LOOKUP_NAME.test(use.name);
  return parseShell(use.command).some(({ words }) => LISTERS.test(words[0] ?? ''));
}

/** Words of a command that are paths with a folder, or plain names of files. */
function namedInCommand(use: ToolUse): string[] {
  if (use.result === undefined) return [];
  if (use.command === undefined) {
    return LOOKUP_NAME.test(use.name) ? (use.fields.text.get('path') ?? []).filter(isFilePath) : [];
  }
  return parseShell(use.command)
    .flatMap(({ words }) => words.slice(1))
    .filter((word) => !word.startsWith('-') && !word.startsWith('s/') && isFilePath(word))
    .slice(0, MOST_LISTED);
}

function listedIn(output: string): string[] {
  const paths = new Set<string>();
  for (const match of wholeLines(output, LONGEST_LISTING).matchAll(LISTED)) {
    // Context lines of a search: `src/a.ts-12-text`.
    const path = (match[1] ?? '').replace(/(\.\w{1,10})-\d+(?:-.*)?$/, '$1');
    if (isFilePath(path) && !/^\.?node_modules\//.test(path)) paths.add(path);
    if (paths.size >= MOST_LISTED) break;
  }
  return [...paths];
}
