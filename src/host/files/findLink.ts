import * as vscode from 'vscode';

/**
 * The first link on the way from the workspace's folder down to a file of it, as a path in that folder: it may lead
 * anywhere. Rejects when a part of the way is missing.
 */
export async function findLink(uri: vscode.Uri): Promise<string | undefined> {
  const folder = vscode.workspace.getWorkspaceFolder(uri)?.uri;
  if (folder === undefined) throw new Error(`${uri.path} is not in the workspace`);
  const names = uri.path.slice(folder.path.length + 1).split('/');
  for (const index of names.keys()) {
    const path = names.slice(0, index + 1).join('/');
    // VS Code says of a path only whether its last part is a link: each part is asked for by itself.
    const { type } = await vscode.workspace.fs.stat(vscode.Uri.joinPath(folder, path));
    if ((type & vscode.FileType.SymbolicLink) !== 0) return path;
  }
  return undefined;
}
