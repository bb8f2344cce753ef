import * as vscode from 'vscode';

/** Opens the settings at one setting, or at those whose names begin with the text. */
export async function openSetting(query: string): Promise<void> {
  // In a remote window the settings of its machine have a page of their own.
  const page = vscode.env.remoteName === undefined ? 'openSettings' : 'openRemoteSettings';
  await vscode.commands.executeCommand(`workbench.action.${page}`, { query });
}
