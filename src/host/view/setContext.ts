import * as vscode from 'vscode';
import type { ViewState } from '../../protocol/viewState.ts';

/** Sets a context key for the `when` clauses of the manifest. */
export function setContext(name: 'open' | 'readOnly' | 'busy' | 'thread' | 'focused', value: boolean): void {
  void vscode.commands.executeCommand('setContext', `karl.${name}`, value);
}

/** Sets the context keys that follow from what the view shows. */
export function setContexts({ conversation, activity }: ViewState): void {
  setContext('open', conversation !== undefined);
  setContext('readOnly', conversation?.readOnly !== undefined);
  setContext('busy', activity.kind !== 'idle');
}
