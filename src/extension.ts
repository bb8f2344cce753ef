import { join } from 'node:path';
import type * as vscode from 'vscode';
import { createAdapters } from './adapters.ts';
import { type KarlApi, startHost } from './host/host.ts';

/** The composition root: connects the host with the adapters. */
export function activate(context: vscode.ExtensionContext): KarlApi {
  running = startHost(context, createAdapters(join(context.extensionPath, 'dist')));
  return running;
}

/** VS Code waits for this when a window closes. */
export async function deactivate(): Promise<void> {
  await running?.close();
}

let running: KarlApi | undefined;
