import * as vscode from 'vscode';
import type { Attachment, LineRange } from '../../core/chat/attachments.ts';
import { err, ok, type Result, reasonOf } from '../../core/result.ts';
import { t } from '../../language/language.ts';
import { bytesOf, describeBytes } from '../present/rows.ts';

/** Opens a file of the workspace at a line, counted from 1. Returns a sentence if it cannot be opened. */
export async function openFile(name: string, line: number): Promise<string | undefined> {
  const uri = await findFile(name);
  if (uri === undefined) return t('There is no file {0} in this workspace.', name);
  const link = await findLink(uri);
  if (link !== undefined)
    return t('{0} is a link and may lead out of the workspace. Open the file that it leads to.', link);
  const start = new vscode.Position(line - 1, 0);
  await vscode.window.showTextDocument(uri, { preview: true, selection: new vscode.Range(start, start) });
  return undefined;
}

/** Replaces the selection of the visible text editor, and goes there. Returns a sentence if there is none. */
export async function insertAtCursor(text: string): Promise<string | undefined> {
  const { activeTextEditor, visibleTextEditors } = vscode.window;
  const editors = activeTextEditor === undefined ? visibleTextEditors : [activeTextEditor, ...visibleTextEditors];
  const found = editors.find(({ document }) => document.uri.scheme !== 'output');
  const editor = found && (await vscode.window.showTextDocument(found.document, found.viewColumn));
  const isInserted = await editor?.edit((edit) => {
    for (const selection of editor.selections) edit.replace(selection, text);
  });
  return isInserted ? undefined : t('Open a file that you can edit, and put the cursor where the code belongs.');
}

/**
 * Finds a file of the workspace by its path, absolute or relative to a folder. A model may have chosen the name, so paths
 * that lead out of the folders are ignored. With several folders a path may begin with the name of its folder.
 */
export async function findFile(name: string): Promise<vscode.Uri | undefined> {
  const folders = vscode.workspace.workspaceFolders ?? [];
  for (const { uri, name: folder } of folders) {
    const isWhole = /^(?:[\\/]|[A-Za-z]:)/.test(name);
    const file = isWhole
      ? vscode.Uri.joinPath(uri.with({ path: '/' }), vscode.Uri.file(name).path)
      : vscode.Uri.joinPath(
          uri,
          folders.length > 1 && name.startsWith(`${folder}/`) ? name.slice(folder.length + 1) : name,
        );
    if (!lowerDrive(file.path).startsWith(`${lowerDrive(uri.path)}/`)) continue;
    const found = await vscode.workspace.fs.stat(file).then(
      ({ type }) => (type & vscode.FileType.File) !== 0,
      () => false,
    );
    if (found) return file;
  }
  return undefined;
}

/** On Windows, `/C:/a` and `/c:/a` are the same path. */
function lowerDrive(path: string): string {
  return path.replace(/^\/[A-Z]:/, (drive) => drive.toLowerCase());
}

/**
 * The first symbolic link on the way from the workspace folder to one of its files, as a path in that folder. It may lead
 * anywhere. Rejects if a part of the path is missing.
 */
export async function findLink(uri: vscode.Uri): Promise<string | undefined> {
  const folder = vscode.workspace.getWorkspaceFolder(uri)?.uri;
  if (folder === undefined) throw new Error(`${uri.path} is not in the workspace`);
  const names = uri.path.slice(folder.path.length + 1).split('/');
  for (const index of names.keys()) {
    const path = names.slice(0, index + 1).join('/');
    // VS Code only says whether the last part of a path is a link, so ask for each part.
    const { type } = await vscode.workspace.fs.stat(vscode.Uri.joinPath(folder, path));
    if ((type & vscode.FileType.SymbolicLink) !== 0) return path;
  }
  return undefined;
}

/** Largest file and largest image that can be attached, bytes. */
const LARGEST_FILE = 1_000_000;
const LARGEST_IMAGE = 5_000_000;

const IMAGES: Readonly<Record<string, string>> = { png: 'png', jpg: 'jpeg', jpeg: 'jpeg', gif: 'gif', webp: 'webp' };

/** An attachment, or a sentence that says why there is none. */
type Read = Result<Attachment, string>;

/** Reads a file of the workspace; if it is open in an editor, its text there. */
export async function readAttachment(path: string): Promise<Read> {
  try {
    return await readFile(path);
  } catch (error) {
    return err(t('{0} could not be read: {1}', path, reasonOf(error)));
  }
}

async function readFile(path: string): Promise<Read> {
  const uri = await findFile(path);
  if (uri === undefined) return err(t('There is no file {0} in this workspace.', path));
  const link = await findLink(uri);
  if (link !== undefined)
    return err(t('{0} is a link and may lead out of the workspace. Attach the file that it leads to.', link));
  const { size } = await vscode.workspace.fs.stat(uri);
  const open = vscode.workspace.textDocuments.find((document) => document.uri.toString() === uri.toString());
  if (open !== undefined) return textAttachment(path, open.getText());
  const image = IMAGES[path.slice(path.lastIndexOf('.') + 1).toLowerCase()];
  const largest = image === undefined ? LARGEST_FILE : LARGEST_IMAGE;
  if (size > largest) return err(tooLarge(path, size, largest));
  const bytes = await vscode.workspace.fs.readFile(uri);
  if (image !== undefined)
    return imageAttachment(`data:image/${image};base64,${Buffer.from(bytes).toString('base64')}`);
  return bytes.includes(0)
    ? err(t('{0} is a binary file ({1}), not text. It is not attached.', path, describeBytes(size)))
    : textAttachment(path, new TextDecoder().decode(bytes));
}

/** A text, or some lines of it. */
export function textAttachment(path: string, text: string, lines?: LineRange): Read {
  if (text.length > LARGEST_FILE) return err(tooLarge(path, text.length, LARGEST_FILE));
  return ok({ kind: 'file', path, ...(lines !== undefined && { lines }), text });
}

/** An image as a base64 `data:` URL. */
export function imageAttachment(url: string): Read {
  const bytes = bytesOf(url);
  return bytes > LARGEST_IMAGE ? err(imageTooLarge(bytes)) : ok({ kind: 'image', url });
}

/** The sentence for an image that is too large. */
export function imageTooLarge(bytes: number): string {
  return tooLarge(t('The image'), bytes, LARGEST_IMAGE);
}

function tooLarge(what: string, bytes: number, most: number): string {
  return t(
    '{0} has {1}; {2} at most can be attached. Let the agent read the part that matters, or attach a selection.',
    what,
    describeBytes(bytes),
    describeBytes(most),
  );
}
