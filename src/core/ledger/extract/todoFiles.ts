import type { Found } from '../found.ts';
import { fileActions, patchText } from '../read/fileActions.ts';
import { changedLines, isPatch } from '../read/patch.ts';
import { baseName, normalizePath } from '../read/paths.ts';
import { hereDocuments } from '../read/shellCommand.ts';
import type { ToolUse } from '../read/toolUse.ts';

/** Files that hold a list of what is to be done. */
export const LIST_FILE =
  /^[\w.-]*(?:to-?dos?|plan|tasks?|checklist|progress|roadmap|backlog)[\w.-]*\.(?:md|mdx|txt|org|rst)$/i;

/** What a tool use writes into files. */
export interface Written {
  readonly text: string;
  /** The file, when it is a list of to-dos that is written as a whole: what it no longer has ends. */
  readonly list?: string;
  /** Text that goes: a to-do of it that is not written again is off the list. */
  readonly removed?: string;
}

/** What a use writes: contents of files, new text of edits, lines of patches, here-documents. */
export function writtenText(use: ToolUse): Written | undefined {
  const patch = use.command !== undefined && isPatch(use.command) ? use.command : patchText(use);
  if (patch !== undefined) return { text: changedLines(side(patch, '+')), removed: changedLines(side(patch, '-')) };
  if (use.command !== undefined) {
    if (!use.command.includes('<<')) return undefined;
    const file = listFile(use);
    const text = hereDocuments(use.command).join('\n');
    // `>>` adds to what is there.
    return file === undefined || />>/.test(use.command) ? { text } : { text, list: file };
  }
  const { text } = use.fields;
  const first = (names: readonly string[]): string | undefined =>
    names.map((name) => text.get(name)?.[0]).find((value) => value !== undefined);
  const old = first(['oldstring', 'oldstr', 'oldtext']);
  const written = first(['content', 'contents', 'newstring', 'newstr', 'newtext', 'filetext']);
  if (written === undefined) return undefined;
  const file = listFile(use);
  if (old !== undefined && old !== '') return { text: written, removed: old };
  return file === undefined ? { text: written } : { text: written, list: file };
}

function side(patch: string, sign: '+' | '-'): string {
  return patch
    .split('\n')
    .filter((line) => line.startsWith(sign))
    .join('\n');
}

function listFile(use: ToolUse): string | undefined {
  const path = fileActions(use).find(
    (action) => action.kind === 'change' && LIST_FILE.test(baseName(action.path)),
  )?.path;
  return path === undefined ? undefined : `file ${normalizePath(path)}`;
}

/** The to-dos of a writing, as facts of its list; those that an edit takes out end with the first that it leaves. */
export function asWritten(written: Written, boxes: (text: string) => Found[]): Found[] {
  const found = boxes(written.text);
  if (written.list !== undefined)
    return found.map((fact) => ({ ...fact, ...(written.list === undefined ? {} : { list: written.list }) }));
  const [first, ...others] = found;
  if (written.removed === undefined || first === undefined) return found;
  const kept = new Set(found.map((fact) => fact.key));
  const gone = boxes(written.removed).flatMap((fact) => (kept.has(fact.key) ? [] : [fact.key]));
  return gone.length === 0 ? found : [{ ...first, replaces: gone }, ...others];
}
