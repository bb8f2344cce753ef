import * as vscode from 'vscode';

/** Tells the manifest's conditions what there is. */
export function setContext(name: 'open' | 'readOnly' | 'busy' | 'thread', value: boolean): void {
  void vscode.commands.executeCommand('setContext', `karl.${name}`, value);
}
