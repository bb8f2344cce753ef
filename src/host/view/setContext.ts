import * as vscode from 'vscode';
import type { ViewState } from '../../protocol/viewState.ts';

/** Tells the manifest's conditions what there is. */
export function setContext(name: 'open' | 'readOnly' | 'busy' | 'thread', value: boolean): void {
  void vscode.commands.executeCommand('setContext', `karl.${name}`, value);
}

/** Tells them what is shown. */
export function setContexts({ conversation, activity }: ViewState): void {
  setContext('open', conversation !== undefined);
  setContext('readOnly', conversation?.readOnly !== undefined);
  setContext('busy', activity.kind !== 'idle');
}
