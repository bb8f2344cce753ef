import * as vscode from 'vscode';
import { t } from '../../core/language.ts';
import type { ToolFolder } from '../adapters.ts';
import { describeUntrusted } from '../settings/trust.ts';

/** The folders of this window that lie on a disk. */
export function diskFolders(): readonly ToolFolder[] {
  const folders = vscode.workspace.workspaceFolders ?? [];
  return folders.filter((folder) => folder.uri.scheme === 'file').map(({ name, uri }) => ({ name, path: uri.fsPath }));
}

/** Why Karl has no tools that read files, a sentence; undefined when a trusted folder is open. */
export function describeMissingTools(): string | undefined {
  if (!vscode.workspace.isTrusted) return describeUntrusted();
  return diskFolders().length === 0 ? t('No folder is open: Karl cannot read files.') : undefined;
}
