import assert from 'node:assert/strict';
import { mkdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import OpenAI from 'openai';
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

export async function openSample(api: KarlApi): Promise<Conversation> {
  await vscode.commands.executeCommand('karl.openSample');
  const conversation = api.conversation();
  assert.ok(conversation !== undefined, 'no conversation is open');
  // Until the worker has its tables everything is an estimate.
  await until(() => conversation.budget().used.source === 'counted');
  return conversation;
}

/** Every conversation that can be opened. */
export async function listConversations({ conversations }: KarlApi) {
  const listed = await conversations.choices();
  return listed.ok ? listed.value : assert.fail(JSON.stringify(listed.error));
}

/** Brings the view in sight: what can be told there is. */
export async function showView(api: KarlApi): Promise<void> {
  await vscode.commands.executeCommand('karl.openView');
  await until(() => api.isViewVisible(), 'the view');
}

/** The compressions that the view shows, oldest first. */
export function shownCompressions(api: KarlApi): readonly CompressionState[] {
  return api.viewState().entries.flatMap((entry) => (entry.kind === 'compression' ? [entry.run] : []));
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

/** Waits for what may ask with a dialog, and gives the dialog this command for as long. */
export async function untilEnded<Value>(work: PromiseLike<Value>, command: string): Promise<Value> {
  let hasEnded = false;
  const end = () => {
    hasEnded = true;
  };
  work.then(end, end);
  await until(async () => {
    await vscode.commands.executeCommand(command);
    return hasEnded;
  }, 'the end of what asks');
  return await work;
}

/** Takes the first choice of a dialog, or leaves it. */
export const ACCEPT = 'workbench.action.acceptSelectedQuickOpenItem';
export const LEAVE = 'workbench.action.closeQuickOpen';

export function workspaceFolder(): string {
  return vscode.workspace.workspaceFolders?.[0]?.uri.fsPath ?? assert.fail('no folder is open');
}

/** Writes into the workspace that a model has the window of the sample. */
export async function writeProfile(id: string): Promise<void> {
  await mkdir(path.join(workspaceFolder(), '.karl'), { recursive: true });
  const profiles = [{ id, contextWindow: 16_384, completionReserve: 1536 }];
  await writeFile(path.join(workspaceFolder(), '.karl/model-profiles.json'), JSON.stringify(profiles));
}

/** Gives Karl a server and a model for a test. */
export async function useServer({ baseUrl }: { readonly baseUrl: string }, model: string): Promise<void> {
  await setSetting('baseUrl', baseUrl);
  await setSetting('model', model);
}

/** What an OpenAI library is set up with, as the gateway's settings are copied; the gateway is started for it. */
export async function copyClient(headers: Readonly<Record<string, string>> = {}): Promise<OpenAI> {
  await vscode.commands.executeCommand('karl.copyGatewaySettings', 'Another agent or program');
  const text = await vscode.env.clipboard.readText();
  const [, baseURL, apiKey] =
    /^OPENAI_BASE_URL=(\S+)\nOPENAI_API_KEY=(\S+)\nOPENAI_MODEL=scripted\n$/.exec(text) ?? assert.fail(text);
  return new OpenAI({ baseURL, apiKey, maxRetries: 0, defaultHeaders: headers });
}

/** Changes a setting of Karl for a test, where it is another; `restoreSettings` takes it back. */
export async function setSetting(name: string, value: unknown): Promise<void> {
  if (changed.has(name) && isDeepStrictEqual(changed.get(name), value)) return;
  changed.set(name, value);
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

/** What `useServer` changes: each change costs as much as a short test. */
export const SERVER: readonly string[] = ['baseUrl', 'model'];

/** Takes back what `setSetting` changed, except for what the next test of a suite sets anyway. */
export async function restoreSettings(kept: readonly string[] = []): Promise<void> {
  for (const name of changed.keys()) {
    if (kept.includes(name)) continue;
    await vscode.workspace.getConfiguration('karl').update(name, undefined, targetOf(name));
    changed.delete(name);
  }
}

const changed = new Map<string, unknown>();
