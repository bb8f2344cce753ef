import type * as vscode from 'vscode';
import type { HostAdapters } from './adapters.ts';
import { Host } from './host.ts';
import type { KarlApi } from './karlApi.ts';

/** Builds the extension and starts it. Returns at once; `ready` resolves when the last conversation is open. */
export function startHost(context: vscode.ExtensionContext, adapters: HostAdapters): KarlApi {
  const host = new Host(context, adapters);
  context.subscriptions.push(host);
  const ready = host.start();
  return {
    ready,
    karl: host.karl,
    conversation: () => host.karl.active?.conversation,
    viewState: () => host.present([])[0],
    isViewVisible: () => host.view.isVisible,
    close: () => host.close(),
  };
}
