import { fileActions, patchText } from '../read/fileActions.ts';
import { changedLines, isPatch } from '../read/patch.ts';
import { baseName, normalizePath } from '../read/paths.ts';
import { hereDocuments } from '../read/shellCommand.ts';
import type { ToolUse } from '../read/toolUse.ts';

/** Files that hold a list of what is to be done. */
const LIST_FILE =
  /^[\w.-]*(?:to-?dos?|plan|tasks?|checklist|progress|roadmap|backlog)[\w.-]*\.(?:md|mdx|txt|org|rst)$/i;

/** What a tool use writes into a file of to-dos. */
export interface Written {
  readonly text: string;
  /** The file, when it is written as a whole: what it no longer has ends. */
  readonly list?: string;
  /** Text that goes: a to-do of it that is not written again is off the list. */
  readonly removed?: string;
}

/** What a use writes into a file of to-dos: its contents, an edit's new text, lines of a patch, a here-document. */
export function writtenList(use: ToolUse): Written | undefined {
  const path = fileActions(use).find(
    ({ kind, path: file }) => kind === 'change' && LIST_FILE.test(baseName(file)),
  )?.path;
  if (path === undefined) return undefined;
  const list = `file ${normalizePath(path)}`;
  const patch = use.command !== undefined && isPatch(use.command) ? use.command : patchText(use);
  if (patch !== undefined) return { text: changedLines(side(patch, '+')), removed: changedLines(side(patch, '-')) };
  if (use.command !== undefined) {
    const text = hereDocuments(use.command).join('\n');
    // `>>` adds to what is there.
    return />>/.test(use.command) || text === '' ? { text } : { text, list };
  }
  const first = (names: readonly string[]): string | undefined =>
    names.map((name) => use.fields.text.get(name)?.[0]).find((value) => value !== undefined);
  const old = first(['oldstring', 'oldstr', 'oldtext']);
  const text = first(['content', 'contents', 'newstring', 'newstr', 'newtext', 'filetext']);
  if (text === undefined) return undefined;
  return old === undefined || old === '' ? { text, list } : { text, removed: old };
}

function side(patch: string, sign: '+' | '-'): string {
  return patch
    .split('\n')
    .filter((line) => line.startsWith(sign))
    .join('\n');
}
