import * as vscode from 'vscode';
import { err, ok, reasonOf } from '../../core/result.ts';
import { type Problem, problemLines } from '../../core/session/diagnosticsTool.ts';
import type { EditableFiles } from '../../core/session/workPorts.ts';

/** How long to wait for the diagnostics of a changed file, milliseconds. */
const LONGEST_LOOK = 2_000;
/** Diagnostics that have not changed for this long are complete, milliseconds. */
const QUIET = 500;
/** How long to wait until VS Code reloads a file that a program has changed, and how often to check, milliseconds. */
const LONGEST_RELOAD = 10_000;
const RELOAD_INTERVAL = 50;

/** Files through VS Code: with unsaved changes, in their own encoding, and with edits that can be undone. */
export const EDITOR_FILES: EditableFiles = {
  read: async (file) => {
    const uri = vscode.Uri.file(file);
    try {
      const { type } = await vscode.workspace.fs.stat(uri);
      if (type === vscode.FileType.Directory) return err(`${file} is a folder.`);
    } catch (error) {
      if (error instanceof vscode.FileSystemError && error.code === 'FileNotFound') return ok(undefined);
      return err(`${file}: ${reasonOf(error)}`);
    }
    try {
      const document = await vscode.workspace.openTextDocument(uri);
      return (await isFresh(document))
        ? ok(document.getText())
        : err(`${file} was changed, and the editor has not reloaded it yet. Try again.`);
    } catch (error) {
      return err(`${file}: ${reasonOf(error)}`);
    }
  },
  write: async (file, text) => {
    const uri = vscode.Uri.file(file);
    try {
      const document = await vscode.workspace.openTextDocument(uri).then(undefined, () => undefined);
      if (document === undefined) {
        await vscode.workspace.fs.writeFile(uri, new TextEncoder().encode(text));
        return ok(undefined);
      }
      const edit = new vscode.WorkspaceEdit();
      edit.replace(uri, ...changedPart(document, text));
      const before = document.getText();
      // A save that meets one of VS Code's own (`files.autoSave`) may say that it failed: it is tried once more.
      const isSaved = async () => (await document.save()) || (!document.isDirty && document.getText() === text);
      if ((await vscode.workspace.applyEdit(edit)) && ((await isSaved()) || (await isSaved()))) return ok(undefined);
      // The file may be read-only: restore what is on the disk.
      const back = new vscode.WorkspaceEdit();
      back.replace(uri, ...changedPart(document, before));
      await vscode.workspace.applyEdit(back);
      return err(`${file} could not be saved: it may be read-only, or the disk full.`);
    } catch (error) {
      return err(`${file}: ${reasonOf(error)}`);
    }
  },
};

/**
 * Whether a document matches the disk or has changes of the user. VS Code reloads a file some time after a program has
 * changed it; until then its document is outdated.
 */
async function isFresh(document: vscode.TextDocument): Promise<boolean> {
  const lines = (text: string): string => text.replaceAll('\r\n', '\n');
  for (const end = Date.now() + LONGEST_RELOAD; ; ) {
    if (document.isDirty) return true;
    const bytes = await vscode.workspace.fs.readFile(document.uri);
    const text = await vscode.workspace.decode(bytes, { encoding: document.encoding });
    if (lines(document.getText()) === lines(text)) return true;
    if (Date.now() > end) return false;
    await new Promise((resolve) => setTimeout(resolve, RELOAD_INTERVAL));
  }
}

/** The part of a document that differs from a text, so that cursors, marks and folds in the rest stay in place. */
function changedPart(document: vscode.TextDocument, text: string): [vscode.Range, string] {
  const before = document.getText();
  const shorter = Math.min(before.length, text.length);
  let start = 0;
  while (start < shorter && before[start] === text[start]) start += 1;
  let end = 0;
  while (end < shorter - start && before.at(-1 - end) === text.at(-1 - end)) end += 1;
  const range = new vscode.Range(document.positionAt(start), document.positionAt(before.length - end));
  // VS Code moves a position inside a line break: replace the whole document then.
  const isExact = document.offsetAt(range.start) === start && document.offsetAt(range.end) === before.length - end;
  return isExact
    ? [range, text.slice(start, text.length - end)]
    : [new vscode.Range(document.positionAt(0), document.positionAt(before.length)), text];
}

/** The errors and warnings of a file after VS Code has checked it again; '' if there are none. */
export async function readProblems(file: string, signal: AbortSignal): Promise<string> {
  const uri = vscode.Uri.file(file);
  await quiet(uri, signal);
  return problemLines(problemsIn(uri, vscode.languages.getDiagnostics(uri)));
}

function quiet(uri: vscode.Uri, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const end = (): void => {
      clearTimeout(timer);
      clearTimeout(longest);
      changed.dispose();
      signal.removeEventListener('abort', end);
      resolve();
    };
    let timer = setTimeout(end, QUIET);
    const longest = setTimeout(end, LONGEST_LOOK);
    const changed = vscode.languages.onDidChangeDiagnostics(({ uris }) => {
      if (!uris.some((one) => one.toString() === uri.toString())) return;
      clearTimeout(timer);
      timer = setTimeout(end, QUIET);
    });
    signal.addEventListener('abort', end, { once: true });
  });
}

/** The errors and warnings of all files of the workspace. */
export function listProblems(): readonly Problem[] {
  const all = vscode.languages.getDiagnostics();
  return all
    .filter(([uri]) => vscode.workspace.getWorkspaceFolder(uri) !== undefined)
    .flatMap(([uri, found]) => problemsIn(uri, found));
}

function problemsIn(uri: vscode.Uri, found: readonly vscode.Diagnostic[]): readonly Problem[] {
  return found
    .filter(({ severity }) => severity <= vscode.DiagnosticSeverity.Warning)
    .map(({ severity, range, message, source }) => ({
      path: vscode.workspace.asRelativePath(uri),
      line: range.start.line + 1,
      column: range.start.character + 1,
      severity: severity === vscode.DiagnosticSeverity.Error ? 'error' : 'warning',
      message,
      source,
    }));
}
