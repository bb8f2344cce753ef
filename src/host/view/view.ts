import * as vscode from 'vscode';
import { type FromWebview, parseFromWebview } from '../../protocol/fromWebview.ts';
import type { ToWebview, ViewState } from '../../protocol/viewState.ts';
import { Soon } from '../conversations/system.ts';
import { type Focus, ViewPage, type ViewPlace } from './viewPage.ts';

/** How long after a change its snapshot is made, with everything that has changed by then, milliseconds. */
const SNAPSHOT_INTERVAL = 50;
/** How long the view keeps what it shows while another conversation is opened, milliseconds; what takes longer is seen. */
const LONGEST_CHANGE = 500;

/** The type of the tab, by which VS Code recognizes it after a reload. */
const TAB = 'karl.editor';

/** Posts something other than a snapshot to a page. */
export type Post = (message: Exclude<ToWebview, { type: 'state' }>) => void;

/** The page that asks for something. */
export interface AskingPage {
  readonly post: Post;
  /** Brings it to the front, with the focus in what is named, if it is still open. */
  readonly reveal: (at: Focus) => Promise<void>;
}

/** What the view shows, and who is told what the user wants. */
interface ViewOptions {
  readonly extensionUri: vscode.Uri;
  /** Makes the newest state as each of these pages shows it, one state at least; called once for each snapshot. */
  readonly present: (pages: readonly object[]) => readonly [ViewState, ...ViewState[]];
  /** Whether another conversation is just being opened: there is none to be shown. */
  readonly isChanging: () => boolean;
  /** `page` is the one that asks; `tellOthers` posts to the others. */
  readonly onIntent: (intent: FromWebview, page: AskingPage, tellOthers: Post) => void;
  /** A page sent something that is no intent. */
  readonly onInvalid: (problem: string) => void;
  /** A new state was made; called while the view is hidden, too. */
  readonly onState: (state: ViewState) => void;
}

/** Karl's view, in a side bar or the panel and as a tab among the editors: whole snapshots out, short intents in. */
export class KarlView implements vscode.WebviewViewProvider, vscode.WebviewPanelSerializer, vscode.Disposable {
  readonly #options: ViewOptions;
  #pages: readonly ViewPage[] = [];
  readonly #hidden = new vscode.EventEmitter<void>();
  /** Fires when the user no longer sees it anywhere, and may fire again while that is so. */
  readonly onDidHide = this.#hidden.event;
  readonly #soon = new Soon(() => this.#show(), SNAPSHOT_INTERVAL);
  /** Since when another conversation is being opened, milliseconds. */
  #changingSince: number | undefined;

  constructor(options: ViewOptions) {
    this.#options = options;
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

  /** Makes a snapshot within `SNAPSHOT_INTERVAL`, one for all calls until then. */
  refresh(): void {
    this.#soon.ask();
  }

  /**
   * Brings the view to the front, with the focus in what is named. The tab is taken when it is the only page in sight.
   */
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
    this.#changingSince = this.#options.isChanging() ? (this.#changingSince ?? Date.now()) : undefined;
    if (Date.now() < (this.#changingSince ?? 0) + LONGEST_CHANGE) {
      this.refresh();
      return;
    }
    const pages = this.#pages.filter((page) => page.isVisible);
    if (pages.length === 0) {
      setContext('focused', false);
      this.#hidden.fire();
    }
    const states = this.#options.present(pages);
    this.#options.onState(states[0]);
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
    panel.iconPath = vscode.Uri.joinPath(this.#options.extensionUri, 'media/icon.png');
    const page = this.#open(panel);
    panel.onDidChangeViewState(() => this.refresh());
    panel.onDidDispose(() => {
      this.#close(page);
      this.refresh();
    });
  }

  #open(place: ViewPlace): ViewPage {
    const page = new ViewPage(place, this.#options.extensionUri, (message) => this.#receive(message, page));
    this.#pages = [...this.#pages.filter((other) => other.place !== place), page];
    return page;
  }

  #close(page: ViewPage): void {
    page.dispose();
    this.#pages = this.#pages.filter((other) => other !== page);
  }

  #receive(message: unknown, page: ViewPage): void {
    const parsed = parseFromWebview(message);
    const tellOthers: Post = (told) => {
      for (const other of this.#pages) if (other !== page) other.post(told);
    };
    if (!parsed.ok) {
      this.#options.onInvalid(parsed.error);
      return;
    }
    page.receive(parsed.value);
    this.#options.onIntent(parsed.value, page, tellOthers);
  }
}

/** Lets the user choose a place for the view: the secondary side bar, the panel, another container. */
async function moveView(): Promise<void> {
  await vscode.commands.executeCommand('karl.view.focus');
  await vscode.commands.executeCommand('workbench.action.moveFocusedView', 'karl.view');
}

/** What was set, by name: VS Code is told only of changes. */
const values = new Map<string, boolean>();

/** What the manifest asks for; `compressed` and `undone` complete steps of the walkthrough. */
type Key = 'open' | 'readOnly' | 'busy' | 'thread' | 'focused' | 'compressed' | 'undone';

/** Sets a context key for the `when` clauses of the manifest. */
export function setContext(name: Key, value: boolean): void {
  if (values.get(name) === value) return;
  values.set(name, value);
  void vscode.commands.executeCommand('setContext', `karl.${name}`, value);
}

/** Sets the context keys that follow from what the view shows. */
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
