import * as vscode from 'vscode';
import type { Conversation } from '../../core/conversation/conversation.ts';
import { t } from '../../core/language.ts';
import { makeRecallTool } from '../../core/session/recallTool.ts';
import type { KarlSettings } from '../../core/session/settings.ts';
import type { Tool } from '../../core/session/tools.ts';
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

/**
 * The tools that settings and trust allow now: none in an untrusted workspace, only recall in a window without a
 * folder.
 */
export function listTools(
  conversation: Conversation,
  settings: KarlSettings,
  workspaceTools: readonly Tool[],
): readonly Tool[] {
  if (!vscode.workspace.isTrusted) return [];
  const own = diskFolders().length === 0 ? [] : workspaceTools;
  const enabled = new Set<string>(settings['tools.enabled']);
  return [...own, makeRecallTool(conversation)].filter((tool) => enabled.has(tool.definition.function.name));
}
