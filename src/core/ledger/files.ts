import type { MessageId } from '../messages/message.ts';
import type { Found } from './fact.ts';
import { type FileAction, isFilePath, isPathArgument, normalizePath } from './filePath.ts';
import type { ToolUse } from './outcome.ts';
import { type CallFields, changeSucceeded } from './outcome.ts';
import { shellActions } from './shell.ts';

/** Argument fields that name a file, in the form of `fieldName`. */
const PATH_FIELDS = (
  'path filepath filename file filepaths paths files targetfile notebookpath absolutepath absfilepath ' +
  'relativepath relativeworkspacepath relpath uri fileuri document target fname resource resourceuri ' +
  'location pathname pathinproject projectpath srcpath'
).split(' ');

/** Fields that, together with a path, mean that the file is written. */
const CONTENT_FIELDS = (
  'content contents filetext newstring newstr newtext oldstring oldstr oldtext patch diff edits ' +
  'replacement replace inserttext newcontent codeedit newsource replacestring insertion newcode ' +
  'updatedcontent text body data search before after old new updated modified oldcode oldcontent repl ' +
  'payload put'
).split(' ');

const OLD_PATH_FIELDS = ['oldpath', 'source', 'sourcepath', 'src', 'from', 'oldname', 'frompath'];
const NEW_PATH_FIELDS = ['newpath', 'destination', 'destinationpath', 'dest', 'to', 'newname', 'topath'];

const CHANGE_NAME =
  /amend|rewrite|write|creat|edit|replac|insert|append|patch|save|modif|update|put|change|apply|undo/i;
const READ_NAME = /slurp|retrieve|dump|read|view|open|cat|get|fetch|load|show|peek|inspect/i;
const DELETE_NAME = /delet|remov|unlink/i;
const RENAME_NAME = /renam|move/i;
/** Tools that search for files or in files, and print what they find. */
const LOOKUP_NAME = /grep|search|glob|list|find|tree|\bls\b|diagnostic|lsp|symbol|browser|upload/i;

/**
 * What a tool use did (or tried to do) to which files: judged by its command, its patch, or the shape of its arguments.
 */
export function fileActions(use: ToolUse): FileAction[] {
  if (use.command !== undefined) {
    return isPatch(use.command) ? patchActions(use.command) : shellActions(use.command);
  }
  const patch = patchText(use);
  if (patch !== undefined) return patchActions(patch);
  return shapeActions(use);
}

/** The patch in a call: as free text, or in one of its fields. */
export function patchText(use: ToolUse): string | undefined {
  if (use.fields.parsed === undefined) return isPatch(use.source) ? use.source : undefined;
  const fields = ['input', 'patch', 'diff', 'patchtext'].map((field) => use.fields.text.get(field)?.[0]);
  return fields.find((value) => value !== undefined && isPatch(value));
}

function shapeActions(use: ToolUse): FileAction[] {
  const { text } = use.fields;
  const from = firstOf(text, OLD_PATH_FIELDS);
  const to = firstOf(text, NEW_PATH_FIELDS);
  if (from !== undefined && to !== undefined && isFilePath(from) && isPathArgument(to)) {
    return RENAME_NAME.test(use.name) ? [{ kind: 'rename', path: to, from }] : [{ kind: 'read', path: from }];
  }
  const kind = kindOf(use);
  if (kind === undefined) return [];
  const paths = PATH_FIELDS.flatMap((field) => text.get(field) ?? []).map(withoutScheme);
  const named = kind === 'read' ? paths.filter(isFilePath) : paths.filter(isPathArgument);
  return [...new Set(named)].map((path) => ({ kind, path }));
}

/** `file:///srv/a.ts` is `/srv/a.ts`. */
function withoutScheme(path: string): string {
  return path.replace(/^file:\/\/(?:localhost)?(?:\/(?=[A-Za-z]:))?/, '');
}

function kindOf(use: ToolUse): FileAction['kind'] | undefined {
  const { text } = use.fields;
  const verb = firstOf(text, ['command', 'action', 'operation']);
  if (verb !== undefined && /^\w+$/.test(verb)) {
    if (/^(?:view|read|open|show|get)$/i.test(verb)) return 'read';
    if (/^(?:create|str_replace|insert|write|edit|replace|append|undo_edit|overwrite)$/i.test(verb)) return 'change';
    if (/^(?:delete|remove)$/i.test(verb)) return 'delete';
  }
  if (DELETE_NAME.test(use.name)) return 'delete';
  if (LOOKUP_NAME.test(use.name)) return undefined;
  if (CONTENT_FIELDS.some((field) => text.has(field))) return 'change';
  return CHANGE_NAME.test(use.name) && !READ_NAME.test(use.name) ? 'change' : 'read';
}

/** The first value of the first of some fields that a call has. */
function firstOf(text: CallFields['text'], fields: readonly string[]): string | undefined {
  return fields.flatMap((field) => text.get(field) ?? [])[0];
}

/** Files that a tool changed, renamed or deleted. A change whose result says that it failed does not count. */
export function findFiles({ uses }: { readonly uses: readonly ToolUse[] }): Found[] {
  return uses.filter(changed).flatMap((use) =>
    fileActions(use)
      .filter(({ kind }) => kind !== 'read')
      .map((action) => changeFact(action, use.at)),
  );
}

function changed(use: ToolUse): boolean {
  const { result } = use;
  return result?.failed === false && (use.command !== undefined || changeSucceeded(result.text));
}

function changeFact({ kind, path, from }: FileAction, at: MessageId): Found {
  const fact = { class: 'file-changed', value: path, key: normalizePath(path), at } as const;
  if (kind === 'delete') return { ...fact, state: 'deleted' };
  return from === undefined ? fact : { ...fact, state: `renamed from ${from}`, replaces: [normalizePath(from)] };
}

const PATCH_LINE =
  /^(?:\*\*\* (Add|Update|Delete) File: (.+)|\*\*\* (Move) to: (.+)|(\+\+\+|---) (?:[ab]\/)?([^\t\n]+)(?:\t.*)?|rename (from|to) (.+))$/;
/** How such a line begins; lines of a patch that begin otherwise are not looked at any further. */
const PATCH_MARKS = ['*** ', '+++ ', '--- ', 'rename '];

/** True for text that is a patch: the `*** Begin Patch` envelope or a unified diff. */
export function isPatch(text: string): boolean {
  return /^\*\*\* (?:Begin Patch|Add File|Update File|Delete File)/m.test(text) || /^--- .+\n\+\+\+ .+\n@@/m.test(text);
}

/** The files that a patch adds, changes, renames or deletes, in order. */
function patchActions(text: string): FileAction[] {
  const actions: FileAction[] = [];
  let old: string | undefined;
  for (const line of text.split('\n')) {
    const match = PATCH_MARKS.some((mark) => line.startsWith(mark)) ? PATCH_LINE.exec(line) : null;
    if (match === null) continue;
    const [, verb, file, moved, target, side, sideFile, renamed, renamedFile] = match;
    if (verb !== undefined && file !== undefined) {
      actions.push({ kind: verb === 'Delete' ? 'delete' : 'change', path: file.trim() });
    } else if (moved !== undefined && target !== undefined) {
      const from = actions.pop();
      actions.push({ kind: 'rename', path: target.trim(), ...(from === undefined ? {} : { from: from.path }) });
    } else if (side !== undefined && sideFile !== undefined) {
      const path = sideFile.trim();
      if (side === '---') old = path;
      else if (path !== '/dev/null') actions.push({ kind: 'change', path });
      else if (old !== undefined) actions.push({ kind: 'delete', path: old });
    } else if (renamed === 'from' && renamedFile !== undefined) {
      old = renamedFile.trim();
    } else if (renamed === 'to' && renamedFile !== undefined) {
      actions.push({ kind: 'rename', path: renamedFile.trim(), ...(old === undefined ? {} : { from: old }) });
    }
  }
  return actions;
}

/** The lines that a patch adds or removes, without their signs. None for text that is not a patch. */
export function changedLines(text: string): string {
  return text
    .split('\n')
    .filter((line) => /^[+-](?![+-]{2})/.test(line) || line.startsWith('@@'))
    .map((line) => (line.startsWith('@@') ? line.replace(/^@@[^@]*@@/, '') : line.slice(1)))
    .join('\n');
}
