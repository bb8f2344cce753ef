import * as vscode from 'vscode';
import type { ViewState } from '../../protocol/viewState.ts';

/** The current values, so that VS Code is told only about changes. */
const values = new Map<string, boolean>();

/** The context keys of the manifest; `compressed` and `undone` complete steps of the walkthrough. */
type Key = 'open' | 'readOnly' | 'busy' | 'thread' | 'focused' | 'compressed' | 'undone';

/** Sets a context key for the `when` clauses of the manifest. */
export function setContext(name: Key, value: boolean): void {
  if (values.get(name) === value) return;
  values.set(name, value);
  void vscode.commands.executeCommand('setContext', `karl.${name}`, value);
}

/** Sets the context keys that follow from a snapshot. */
export function setContexts({ conversation, activity, entries }: ViewState): void {
  const runs = entries.flatMap((entry) => (entry.kind === 'compressions' ? entry.runs : []));
  setContext('open', conversation !== undefined);
  setContext('readOnly', conversation?.readOnly !== undefined);
  setContext('busy', activity.kind !== 'idle');
  setContext(
    'compressed',
    runs.some(({ isManual }) => isManual !== true),
  );
  setContext(
    'undone',
    runs.some(({ undone, isManual }) => undone && isManual !== true),
  );
}
