import * as vscode from 'vscode';
import type { WorkspaceFolder } from '../../adapters/node/workspaceTools/workspacePath.ts';
import { t } from '../../language/language.ts';

/** The sentence that says what is off in an untrusted folder. */
export function describeUntrusted(): string {
  return t(
    'This folder is not trusted: Karl shows and compresses conversations here, but asks no model and runs no tool.',
  );
}

/**
 * True in a trusted workspace, including a window without a folder. Otherwise tells the user what is off, with a button
 * that manages trust.
 */
export function requireTrust(): boolean {
  if (vscode.workspace.isTrusted) return true;
  const manage = t('Manage Trust');
  void vscode.window.showWarningMessage(describeUntrusted(), manage).then((choice) => {
    if (choice === manage) void vscode.commands.executeCommand('workbench.trust.manage');
  });
  return false;
}

/** The folders of this window that are on a disk. */
export function diskFolders(): readonly WorkspaceFolder[] {
  const folders = vscode.workspace.workspaceFolders ?? [];
  return folders.filter((folder) => folder.uri.scheme === 'file').map(({ name, uri }) => ({ name, path: uri.fsPath }));
}

/** Why Karl has no tools that read files, a sentence; undefined if a trusted folder is open. */
export function describeMissingTools(): string | undefined {
  if (!vscode.workspace.isTrusted) return describeUntrusted();
  return diskFolders().length === 0 ? t('No folder is open: Karl cannot read files.') : undefined;
}
