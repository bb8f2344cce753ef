import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import type { Conversation } from '../../../src/core/conversation/conversation.ts';
import type { KarlApi } from '../../../src/host/host.ts';
import type { CompressionState } from '../../../src/protocol/entries.ts';

/** Activates Karl in this window and waits until it is ready. */
export async function activateKarl(): Promise<KarlApi> {
  const extension = vscode.extensions.getExtension<KarlApi>('karl-budget.karl');
  assert.ok(extension !== undefined, 'the extension is not known');
  const api = await extension.activate();
  await api.ready;
  return api;
}

/** Opens the sample as a new conversation. */
export async function openSample(api: KarlApi): Promise<Conversation> {
  await vscode.commands.executeCommand('karl.openSample');
  const conversation = api.conversation();
  assert.ok(conversation !== undefined, 'no conversation is open');
  // Until the worker has its tables everything is an estimate.
  await until(() => conversation.budget().used.source === 'counted');
  return conversation;
}

/** Brings the view in sight: what can be told there is. */
export async function showView(api: KarlApi): Promise<void> {
  await api.karl.openView();
  await until(() => api.isViewVisible(), 'the view');
}

/** The compressions that the view shows, oldest first. */
export function shownCompressions(api: KarlApi): readonly CompressionState[] {
  return api.viewState().entries.flatMap((entry) => (entry.kind === 'compressions' ? entry.runs : []));
}

/** Waits until a condition holds; fails after a generous time. */
export async function until(
  holds: () => boolean | Promise<boolean>,
  what = 'the condition',
  timeout = 60_000,
): Promise<void> {
  const end = Date.now() + timeout;
  while (!(await holds())) {
    assert.ok(Date.now() < end, `${what} did not come to hold in ${timeout} ms`);
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}

/** Changes a setting of Karl for a test; `restoreSettings` takes it back. */
export async function setSetting(name: string, value: unknown): Promise<void> {
  changed.add(name);
  await vscode.workspace.getConfiguration('karl').update(name, value, targetOf(name));
}

/**
 * A server is the user's own choice: one that the workspace names is asked about, and its hooks and gateway do not
 * count.
 */
function targetOf(name: string): vscode.ConfigurationTarget {
  return name === 'baseUrl' || name.startsWith('hooks.') || name.startsWith('gateway.')
    ? vscode.ConfigurationTarget.Global
    : vscode.ConfigurationTarget.Workspace;
}

/** Takes back what `setSetting` changed. */
export async function restoreSettings(): Promise<void> {
  for (const name of changed) {
    await vscode.workspace.getConfiguration('karl').update(name, undefined, targetOf(name));
  }
  changed.clear();
}

const changed = new Set<string>();
