import * as vscode from 'vscode';
import { webviewHtml } from '../protocol/html.ts';
import { parseFromWebview } from '../protocol/parse.ts';
import type { FromWebview, ToWebview, ViewState } from '../protocol/viewState.ts';

/** Snapshots follow each other at this distance at least while text streams, milliseconds. */
const SNAPSHOT_INTERVAL = 50;

/** What the view shows and whom it tells what the user wants. */
export interface ViewOptions {
  readonly extensionUri: vscode.Uri;
  /** Makes the newest state; called at most once for each snapshot. */
  readonly present: () => ViewState;
  readonly onIntent: (intent: FromWebview) => void;
  /** Something came from the page that is no intent. */
  readonly onInvalid: (problem: string) => void;
  /** A new state was made; called also while the view is hidden. */
  readonly onState: (state: ViewState) => void;
}

/** Karl's view: whole snapshots out, short intents in. */
export class KarlView implements vscode.WebviewViewProvider, vscode.Disposable {
  readonly #options: ViewOptions;
  #view: vscode.WebviewView | undefined;
  #timer: NodeJS.Timeout | undefined;
  #subscriptions: vscode.Disposable[] = [];

  constructor(options: ViewOptions) {
    this.#options = options;
  }

  /** Whether the user sees it. */
  get isVisible(): boolean {
    return this.#view?.visible === true;
  }

  resolveWebviewView(view: vscode.WebviewView): void {
    this.#view = view;
    const dist = vscode.Uri.joinPath(this.#options.extensionUri, 'dist');
    view.webview.options = { enableScripts: true, enableForms: false, localResourceRoots: [dist] };
    for (const subscription of this.#subscriptions) subscription.dispose();
    this.#subscriptions = [
      view.webview.onDidReceiveMessage((message: unknown) => this.#receive(message)),
      view.onDidChangeVisibility(() => this.refresh()),
      view.onDidDispose(() => {
        if (this.#view === view) this.#view = undefined;
      }),
    ];
    view.webview.html = webviewHtml({
      nonce: makeNonce(),
      cspSource: view.webview.cspSource,
      scriptUri: view.webview.asWebviewUri(vscode.Uri.joinPath(dist, 'webview.js')).toString(),
      title: 'Karl',
    });
  }

  /** Makes a snapshot soon: now, or when the last one is long enough ago. */
  refresh(): void {
    this.#timer ??= setTimeout(() => {
      this.#timer = undefined;
      const state = this.#options.present();
      this.#options.onState(state);
      if (this.isVisible) this.#post({ type: 'state', state });
    }, SNAPSHOT_INTERVAL);
  }

  /** Posts something beside the snapshots. */
  post(message: Exclude<ToWebview, { type: 'state' }>): void {
    this.#post(message);
  }

  /** Brings the view to the front, with the caret where the user writes, or in the box that finds. */
  async reveal(at: 'focus' | 'find' = 'focus'): Promise<void> {
    await vscode.commands.executeCommand('karl.view.focus');
    this.#post({ type: at });
  }

  dispose(): void {
    clearTimeout(this.#timer);
    for (const subscription of this.#subscriptions) subscription.dispose();
  }

  #receive(message: unknown): void {
    const parsed = parseFromWebview(message);
    if (parsed.ok) this.#options.onIntent(parsed.value);
    else this.#options.onInvalid(parsed.error);
  }

  #post(message: ToWebview): void {
    void this.#view?.webview.postMessage(message);
  }
}

/** 128 unguessable bits: one page's script may run, nothing else. */
function makeNonce(): string {
  return crypto.randomUUID().replaceAll('-', '');
}
