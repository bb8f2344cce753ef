import * as vscode from 'vscode';
import type { UserActions } from '../actions/userActions.ts';
import { requireTrust } from '../settings/trust.ts';
import type { Attachments } from './attachments.ts';

/**
 * Registers "Add Selection to Karl": the selection goes with the next message, in a new conversation if none is open.
 */
export function registerAddSelection(attachments: Attachments, karl: UserActions): vscode.Disposable {
  return vscode.commands.registerCommand('karl.addSelection', async () => {
    const editor = vscode.window.activeTextEditor;
    if (editor === undefined || !requireTrust()) return;
    if (karl.active === undefined) await karl.newConversation();
    attachments.addSelection(editor);
    await karl.openView();
  });
}
