import * as vscode from 'vscode';
import { spoken } from '../../core/language.ts';
import type { FromWebview } from '../../protocol/fromWebview.ts';
import { webviewHtml } from '../../protocol/html.ts';
import type { ToWebview, ViewState } from '../../protocol/viewState.ts';

/** Where Karl's page is: in a side bar or panel, or in a tab among the editors. */
export type ViewPlace = vscode.WebviewView | vscode.WebviewPanel;

/** The message box, the find box, or what fills the window. */
export type Focus = 'focus' | 'find' | 'contents';

/** Karl's page in one place. */
export class ViewPage implements vscode.Disposable {
  readonly place: ViewPlace;
  /** Posts to the other pages. */
  readonly tellOthers: (message: ToWebview) => void;
  readonly #subscriptions: vscode.Disposable[];
  /** How many user messages have come from the page since it was loaded. */
  #received = 0;
  #isClosed = false;

  constructor(
    place: ViewPlace,
    extensionUri: vscode.Uri,
    onMessage: (message: unknown) => void,
    tellOthers: (message: ToWebview) => void,
  ) {
    this.place = place;
    this.tellOthers = tellOthers;
    const { webview } = place;
    const dist = vscode.Uri.joinPath(extensionUri, 'dist');
    webview.options = { enableScripts: true, enableForms: false, localResourceRoots: [dist] };
    this.#subscriptions = [webview.onDidReceiveMessage(onMessage)];
    webview.html = webviewHtml({
      nonce: makeNonce(),
      cspSource: webview.cspSource,
      scriptUri: webview.asWebviewUri(vscode.Uri.joinPath(dist, 'webview.js')).toString(),
      title: 'Karl',
      place: this.isTab ? 'editor' : 'view',
      ...spoken(),
    });
  }

  /** Whether it is a tab among the editors. */
  get isTab(): boolean {
    return 'viewColumn' in this.place;
  }

  get isVisible(): boolean {
    return this.place.visible;
  }

  /** Counts the page's user messages, from zero when the page is loaded again. */
  receive({ type }: FromWebview): void {
    if (type === 'ready') this.#received = 0;
    else if (type === 'send' || type === 'resend') this.#received += 1;
  }

  show(state: ViewState): void {
    this.post({ type: 'state', state, received: this.#received });
  }

  /** Brings the page to the front and focuses the named part; does nothing if it is closed. */
  async reveal(at: Focus): Promise<void> {
    if (this.#isClosed) return;
    if ('viewColumn' in this.place) this.place.reveal();
    else await vscode.commands.executeCommand('karl.view.focus');
    this.post({ type: at });
  }

  post(message: ToWebview): void {
    void this.place.webview.postMessage(message);
  }

  dispose(): void {
    this.#isClosed = true;
    for (const subscription of this.#subscriptions) subscription.dispose();
  }
}

/** 122 random bits as hexadecimal digits: only scripts with this nonce run in the page. */
function makeNonce(): string {
  return crypto.randomUUID().replaceAll('-', '');
}
