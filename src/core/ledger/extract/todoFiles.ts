import { fileActions, patchText } from '../read/fileActions.ts';
import { changedLines, isPatch } from '../read/patch.ts';
import { baseName, normalizePath } from '../read/paths.ts';
import { hereDocuments } from '../read/shellCommand.ts';
import type { ToolUse } from '../read/toolUse.ts';

/** Files that contain a list of things to do. */
const LIST_FILE =
  /^[\w.-]*(?:to-?dos?|plan|tasks?|checklist|progress|roadmap|backlog)[\w.-]*\.(?:md|mdx|txt|org|rst)$/i;

/** What a tool use writes to a to-do file. */
export interface Written {
  readonly text: string;
  /** The name of the list when the whole file is written: to-dos that are no longer in it end. */
  readonly list?: string;
  /** Text that is removed: a to-do in it that is not written again is off the list. */
  readonly removed?: string;
}

/**
 * What a use writes to a to-do file: the content, an edit's new text, lines of a patch, a here-document; undefined when
 * it writes none.
 */
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
    // `>>` appends to what is there.
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
