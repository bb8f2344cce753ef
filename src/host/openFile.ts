import * as vscode from 'vscode';
import { plainText } from './plainText.ts';

/** Opens a file of the workspace at a line, counted from 1. One that is not in the workspace is not opened, and told. */
export async function openFile(name: string, line: number): Promise<void> {
  const uri = await findFile(name);
  if (uri === undefined) {
    void vscode.window.showInformationMessage(plainText(`There is no file ${name} in this workspace.`));
    return;
  }
  const start = new vscode.Position(line - 1, 0);
  await vscode.window.showTextDocument(uri, { preview: true, selection: new vscode.Range(start, start) });
}

/** A model chose the name: what leads out of the folders is not looked for. */
async function findFile(name: string): Promise<vscode.Uri | undefined> {
  for (const { uri } of vscode.workspace.workspaceFolders ?? []) {
    const isWhole = /^(?:[\\/]|[A-Za-z]:)/.test(name);
    const file = isWhole
      ? vscode.Uri.joinPath(uri.with({ path: '/' }), vscode.Uri.file(name).path)
      : vscode.Uri.joinPath(uri, name);
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
