import * as vscode from 'vscode';
import { speak } from '../core/language.ts';
import type { ViewState } from '../protocol/viewState.ts';
import type { UserActions } from './actions/userActions.ts';
import type { HostAdapters } from './adapters.ts';
import type { ActiveConversation } from './conversations/activeConversation.ts';
import { Host } from './host.ts';

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

/** What the extension gives to those that activate it, its tests among them. */
export interface KarlApi {
  /** Resolves when the conversation that was open last is open again, if there is one. */
  readonly ready: Promise<void>;
  readonly karl: UserActions;
  readonly conversation: () => ActiveConversation['conversation'] | undefined;
  readonly viewState: () => ViewState;
  /** Whether the user sees the view. */
  readonly isViewVisible: () => boolean;
  /** Finishes what is written; nothing works afterwards. */
  readonly close: () => Promise<void>;
}

/**
 * Lets Karl speak VS Code's display language where it has a bundle for it; English otherwise. To be called before
 * anything is said.
 */
export function speakDisplayLanguage(): void {
  const { bundle } = vscode.l10n;
  if (bundle !== undefined) speak(vscode.env.language, bundle);
}
