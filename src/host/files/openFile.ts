import * as vscode from 'vscode';
import { t } from '../../core/language.ts';
import { findLink } from './findLink.ts';

/** Opens a file of the workspace at a line, counted from 1. Returns why it is not opened, a sentence. */
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

/**
 * A file of the workspace by its path, whole or relative to a folder. A model may have chosen the name: what leads out
 * of the folders is not looked for. Among several folders a path may begin with the name of its folder.
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

/** Windows: `/C:/a` and `/c:/a` are one. */
function lowerDrive(path: string): string {
  return path.replace(/^\/[A-Z]:/, (drive) => drive.toLowerCase());
}
