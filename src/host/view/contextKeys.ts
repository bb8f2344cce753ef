import * as vscode from 'vscode';
import type { ViewState } from '../../protocol/viewState.ts';

/** What was set, by name: VS Code is told only of changes. */
const values = new Map<string, boolean>();

/** What the manifest asks for; `compressed` and `undone` complete steps of the walkthrough. */
type Key = 'open' | 'readOnly' | 'busy' | 'thread' | 'focused' | 'compressed' | 'undone';

/** Sets a context key for the `when` clauses of the manifest. */
export function setContext(name: Key, value: boolean): void {
  if (values.get(name) === value) return;
  values.set(name, value);
  void vscode.commands.executeCommand('setContext', `karl.${name}`, value);
}

/** Sets the context keys that follow from what the view shows. */
export function setContexts({ conversation, activity, entries }: ViewState): void {
  const runs = entries.flatMap((entry) => (entry.kind === 'compressions' ? entry.runs : []));
  setContext('open', conversation !== undefined);
  setContext('readOnly', conversation?.readOnly !== undefined);
  setContext('busy', activity.kind !== 'idle');
  setContext(
    'compressed',
    runs.some(({ isManual, agent }) => isManual !== true && agent === undefined),
  );
  setContext(
    'undone',
    runs.some(({ undone, isManual }) => undone && isManual !== true),
  );
}
