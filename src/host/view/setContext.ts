import * as vscode from 'vscode';
import type { ViewState } from '../../protocol/viewState.ts';

/** What was set, by name: VS Code is told only of changes. */
const values = new Map<string, boolean>();

/** Sets a context key for the `when` clauses of the manifest. */
export function setContext(name: 'open' | 'readOnly' | 'busy' | 'thread' | 'focused', value: boolean): void {
  if (values.get(name) === value) return;
  values.set(name, value);
  void vscode.commands.executeCommand('setContext', `karl.${name}`, value);
}

/** Sets the context keys that follow from what the view shows. */
export function setContexts({ conversation, activity }: ViewState): void {
  setContext('open', conversation !== undefined);
  setContext('readOnly', conversation?.readOnly !== undefined);
  setContext('busy', activity.kind !== 'idle');
}
