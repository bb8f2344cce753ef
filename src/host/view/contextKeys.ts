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
  const compressions = runs.filter(({ isManual }) => isManual !== true);
  const undone = compressions.some((run) => run.undone);
  setContext(
    'compressed',
    compressions.some(({ agent }) => agent === undefined),
  );
  setContext('undone', undone);
}
