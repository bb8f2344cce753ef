import * as vscode from 'vscode';
import { parseFromWebview } from '../../protocol/fromWebview.ts';
import { performIntent } from '../actions/intents.ts';
import { Soon } from '../conversations/system.ts';
import type { Host } from '../host.ts';
import { setContext } from './contextKeys.ts';
import { type Focus, ViewPage, type ViewPlace } from './viewPage.ts';

/** The delay between a change and its snapshot, which includes everything that has changed by then, milliseconds. */
const SNAPSHOT_INTERVAL = 50;
/** How long the view keeps its content while another conversation is opened, milliseconds. */
const LONGEST_CHANGE = 500;

/** The type by which VS Code recognizes the tab after a reload. */
const TAB = 'karl.editor';

/** Karl's view, in a side bar or the panel and as a tab among the editors: whole snapshots out, short intents in. */
export class KarlView implements vscode.WebviewViewProvider, vscode.WebviewPanelSerializer, vscode.Disposable {
  readonly #host: Host;
  #pages: readonly ViewPage[] = [];
  readonly #hidden = new vscode.EventEmitter<void>();
  /** Fires when the view is hidden everywhere, possibly more than once. */
  readonly onDidHide = this.#hidden.event;
  readonly #soon = new Soon(() => this.#show(), SNAPSHOT_INTERVAL);
  /** When the opening of another conversation began, milliseconds. */
  #changingSince: number | undefined;

  constructor(host: Host) {
    this.#host = host;
  }

  /** Registers the view, its tab and its commands. */
  register(): vscode.Disposable {
    return vscode.Disposable.from(
      vscode.window.registerWebviewViewProvider('karl.view', this),
      vscode.window.registerWebviewPanelSerializer(TAB, this),
      vscode.commands.registerCommand('karl.openInEditor', () => this.openTab()),
      vscode.commands.registerCommand('karl.moveView', () => moveView()),
      this,
    );
  }

  /** Whether the user sees it anywhere. */
  get isVisible(): boolean {
    return this.#pages.some((page) => page.isVisible);
  }

  resolveWebviewView(view: vscode.WebviewView): void {
    const page = this.#open(view);
    view.onDidChangeVisibility(() => this.refresh());
    view.onDidDispose(() => this.#close(page));
  }

  /** After a reload of the window. */
  async deserializeWebviewPanel(panel: vscode.WebviewPanel): Promise<void> {
    this.#openTab(panel);
  }

  /** Opens the tab, or goes to it. */
  openTab(): void {
    const open = this.#tab();
    if (open !== undefined) {
      open.reveal();
      return;
    }
    this.#openTab(vscode.window.createWebviewPanel(TAB, 'Karl', vscode.ViewColumn.Active));
  }

  /** Makes one snapshot for all calls within `SNAPSHOT_INTERVAL`. */
  refresh(): void {
    this.#soon.ask();
  }

  /** Brings the view to the front and focuses the named part. Uses the tab if it is the only visible page. */
  async reveal(at: Focus = 'focus'): Promise<void> {
    const shown = () => this.#pages.filter((page) => page.isVisible);
    const [first, ...others] = shown();
    if (first?.isTab === true && others.length === 0) return await first.reveal(at);
    await vscode.commands.executeCommand('karl.view.focus');
    shown()
      .find((page) => !page.isTab)
      ?.post({ type: at });
  }

  dispose(): void {
    this.#soon.dispose();
    this.#hidden.dispose();
    for (const page of this.#pages) page.dispose();
  }

  #show(): void {
    this.#changingSince = this.#host.conversations.isChanging ? (this.#changingSince ?? Date.now()) : undefined;
    if (Date.now() < (this.#changingSince ?? 0) + LONGEST_CHANGE) {
      this.refresh();
      return;
    }
    const pages = this.#pages.filter((page) => page.isVisible);
    if (pages.length === 0) {
      setContext('focused', false);
      this.#hidden.fire();
    }
    const states = this.#host.present(pages);
    this.#host.noteState(states[0]);
    for (const [index, page] of pages.entries()) {
      const state = states[index];
      if (state !== undefined) page.show(state);
    }
  }

  #tab(): vscode.WebviewPanel | undefined {
    for (const { place } of this.#pages) if ('viewColumn' in place) return place;
    return undefined;
  }

  #openTab(panel: vscode.WebviewPanel): void {
    panel.iconPath = vscode.Uri.joinPath(this.#host.context.extensionUri, 'media/icon.png');
    const page = this.#open(panel);
    panel.onDidChangeViewState(() => this.refresh());
    panel.onDidDispose(() => {
      this.#close(page);
      this.refresh();
    });
  }

  #open(place: ViewPlace): ViewPage {
    const page = new ViewPage(
      place,
      this.#host.context.extensionUri,
      (message) => this.#receive(message, page),
      (message) => {
        for (const other of this.#pages) if (other !== page) other.post(message);
      },
    );
    this.#pages = [...this.#pages.filter((other) => other.place !== place), page];
    return page;
  }

  #close(page: ViewPage): void {
    page.dispose();
    this.#pages = this.#pages.filter((other) => other !== page);
  }

  #receive(message: unknown, page: ViewPage): void {
    const parsed = parseFromWebview(message);
    if (!parsed.ok) {
      this.#host.log.note(parsed.error);
      return;
    }
    page.receive(parsed.value);
    this.#host.log.run(performIntent(parsed.value, this.#host, page));
  }
}

/** Lets the user move the view to the secondary side bar, the panel or another container. */
async function moveView(): Promise<void> {
  await vscode.commands.executeCommand('karl.view.focus');
  await vscode.commands.executeCommand('workbench.action.moveFocusedView', 'karl.view');
}
