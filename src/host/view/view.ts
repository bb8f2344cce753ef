import * as vscode from 'vscode';
import { spoken } from '../../language/language.ts';
import { type FromWebview, parseFromWebview } from '../../protocol/fromWebview.ts';
import { webviewHtml } from '../../protocol/html.ts';
import type { ToWebview, ViewState } from '../../protocol/viewState.ts';
import { soon } from '../conversations/system.ts';
import type { WindowLog } from '../log/windowLog.ts';

/** The delay between a change and its snapshot, which includes everything that has changed by then, milliseconds. */
const SNAPSHOT_INTERVAL = 50;
/** How long the view keeps its content while another conversation is opened, milliseconds. */
const LONGEST_CHANGE = 500;

/** The type by which VS Code recognizes the tab after a reload. */
const TAB = 'karl.editor';

/** What the view shows, and what is done for it. */
interface ViewParts {
  readonly extensionUri: vscode.Uri;
  readonly log: Pick<WindowLog, 'note' | 'run'>;
  /** Whether one conversation was closed and the next is not open yet. */
  readonly isChanging: () => boolean;
  /** Makes the state for each page; without pages, one that shows the end. */
  readonly present: (pages: readonly ViewPage[]) => readonly ViewState[];
  readonly perform: (intent: FromWebview, page: ViewPage) => Promise<void>;
}

/** Karl's view, in a side bar or the panel and as a tab among the editors: whole snapshots out, short intents in. */
export class KarlView implements vscode.WebviewViewProvider, vscode.WebviewPanelSerializer, vscode.Disposable {
  readonly #parts: ViewParts;
  #pages: readonly ViewPage[] = [];
  readonly #hidden = new vscode.EventEmitter<void>();
  /** Fires when the view is hidden everywhere, possibly more than once. */
  readonly onDidHide = this.#hidden.event;
  readonly #soon = soon(() => this.#show(), SNAPSHOT_INTERVAL);
  /** Counts down to the next attempt of a request. */
  readonly #countdown = soon(() => this.refresh(), 1000);
  /** When the opening of another conversation began, milliseconds. */
  #changingSince: number | undefined;

  constructor(parts: ViewParts) {
    this.#parts = parts;
  }

  /** Registers the view and its tab. */
  register(): vscode.Disposable {
    return vscode.Disposable.from(
      vscode.window.registerWebviewViewProvider('karl.view', this),
      vscode.window.registerWebviewPanelSerializer(TAB, this),
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
    const open = this.#pages.map(({ place }) => place).find((place) => 'viewColumn' in place);
    if (open === undefined) this.#openTab(vscode.window.createWebviewPanel(TAB, 'Karl', vscode.ViewColumn.Active));
    else open.reveal();
  }

  /** Makes one snapshot for all calls within `SNAPSHOT_INTERVAL`. */
  readonly refresh = (): void => this.#soon.ask();

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

  /** Lets the user move the view to the secondary side bar, the panel or another container. */
  async move(): Promise<void> {
    await vscode.commands.executeCommand('karl.view.focus');
    await vscode.commands.executeCommand('workbench.action.moveFocusedView', 'karl.view');
  }

  dispose(): void {
    this.#soon.dispose();
    this.#countdown.dispose();
    this.#hidden.dispose();
    for (const page of this.#pages) page.dispose();
  }

  #show(): void {
    this.#changingSince = this.#parts.isChanging() ? (this.#changingSince ?? Date.now()) : undefined;
    if (Date.now() < (this.#changingSince ?? 0) + LONGEST_CHANGE) return void this.refresh();
    const pages = this.#pages.filter((page) => page.isVisible);
    if (pages.length === 0) {
      setContext('focused', false);
      this.#hidden.fire();
    }
    const states = this.#parts.present(pages);
    for (const [index, state] of states.entries()) pages[index]?.post({ type: 'state', state });
    if (states[0]?.activity.kind === 'retrying') this.#countdown.ask();
  }

  #openTab(panel: vscode.WebviewPanel): void {
    panel.iconPath = vscode.Uri.joinPath(this.#parts.extensionUri, 'media/icon.png');
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
      this.#parts.extensionUri,
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
    if (parsed.ok) this.#parts.log.run(this.#parts.perform(parsed.value, page));
    else this.#parts.log.note(parsed.error);
  }
}

/** The current values, so that VS Code is told only about changes. */
const values = new Map<string, boolean>();

/** Sets a context key for the `when` clauses of the manifest; `compressed` and `undone` complete steps of the walkthrough. */
export function setContext(
  name: 'open' | 'readOnly' | 'busy' | 'thread' | 'focused' | 'compressed' | 'undone',
  value: boolean,
): void {
  if (values.get(name) === value) return;
  values.set(name, value);
  void vscode.commands.executeCommand('setContext', `karl.${name}`, value);
}

/** Sets the context keys that follow from a snapshot. */
export function setContexts({ conversation, activity, entries }: ViewState): void {
  const runs = entries.flatMap((entry) => (entry.kind === 'compression' ? [entry.run] : []));
  setContext('open', conversation !== undefined);
  setContext('readOnly', conversation?.readOnly !== undefined);
  setContext('busy', activity.kind !== 'idle');
  const compressions = runs.filter(({ isManual }) => isManual !== true);
  const undone = compressions.some((run) => run.undone);
  const made = compressions.some(({ agent }) => agent === undefined);
  setContext('compressed', made);
  setContext('undone', undone);
}

/** Where Karl's page is: in a side bar or panel, or in a tab among the editors. */
type ViewPlace = vscode.WebviewView | vscode.WebviewPanel;

/** The message box, the find box, or what fills the window. */
type Focus = 'focus' | 'find' | 'contents';

/** Karl's page in one place. */
export class ViewPage implements vscode.Disposable {
  readonly place: ViewPlace;
  /** Posts to the other pages. */
  readonly tellOthers: (message: ToWebview) => void;
  readonly #subscriptions: vscode.Disposable[];
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
      // 122 random bits as hexadecimal digits: only scripts with this nonce run in the page.
      nonce: crypto.randomUUID().replaceAll('-', ''),
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
