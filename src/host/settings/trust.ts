import * as vscode from 'vscode';
import { t } from '../../core/language.ts';

/**
 * True in a trusted workspace (a window without a folder counts as one). Otherwise says what is off and offers the
 * way on: in an untrusted folder no model is asked and no tool runs.
 */
export function requireTrust(): boolean {
  if (vscode.workspace.isTrusted) return true;
  const manage = t('Manage Trust');
  const text = t(
    'This folder is not trusted: Karl shows and compresses conversations here, but asks no model and runs no tool.',
  );
  void vscode.window.showWarningMessage(text, manage).then((choice) => {
    if (choice === manage) void vscode.commands.executeCommand('workbench.trust.manage');
  });
  return false;
}
