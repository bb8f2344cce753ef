import type { FromWebview } from '../protocol/fromWebview.ts';
import type { KarlApp } from './app.ts';
import { type PageState, readPageState } from './pageState.ts';

/** The delay before the host gets written text, since more may follow, milliseconds. */
const WAIT_MS = 300;

/** The longest state that the host gets, characters. */
const LONGEST = 1_000_000;

/** The object that VS Code gives to a webview, once. */
export interface VsCodeApi {
  postMessage(message: FromWebview): void;
  getState(): unknown;
  setState(state: PageState): void;
}

declare global {
  function acquireVsCodeApi(): VsCodeApi;
}

/** Keeps the texts of the page: in VS Code's webview state at once, and in the host soon after. */
export class PageKeeper {
  readonly #app: KarlApp;
  readonly #vscode: VsCodeApi;
  /** When the initial state was written, milliseconds since 1970; 0 if there was none. */
  readonly #at: number;
  readonly #began: PageState;
  /** The state that the host has, or will get. */
  #told: PageState;
  #timer: ReturnType<typeof setTimeout> | undefined;

  constructor(app: KarlApp, vscode: VsCodeApi) {
    this.#app = app;
    this.#vscode = vscode;
    const saved = vscode.getState();
    this.#at = timeOf(saved);
    this.#began = readPageState(saved);
    this.#told = this.#began;
    app.page = this.#began;
    app.addEventListener('karl-page-state', () => this.#keep());
  }

  /** Restores the host's state of the previous window, if it is newer and nothing was written here since. */
  restore(text: string): void {
    const saved = parse(text);
    if (timeOf(saved) <= this.#at || !isSame(this.#app.page, this.#began)) return;
    this.#app.restorePage(readPageState(saved));
  }

  #keep(): void {
    const saved = { ...this.#app.page, at: Date.now() };
    this.#vscode.setState(saved);
    if (isSame(saved, this.#told)) return;
    this.#told = saved;
    clearTimeout(this.#timer);
    const tell = () => {
      const text = JSON.stringify(saved);
      if (text.length <= LONGEST) this.#vscode.postMessage({ type: 'keep-page', saved: text });
    };
    // A message that was sent must not come back as a draft.
    this.#timer = setTimeout(tell, saved.draft === '' ? 0 : WAIT_MS);
  }
}

/** Whether two states have the same texts. Drafts of other conversations change when another one is shown. */
function isSame(one: PageState, other: PageState): boolean {
  return one.draft === other.draft && one.editing === other.editing && one.summaries === other.summaries;
}

function timeOf(saved: unknown): number {
  const { at }: { at?: unknown } = Object(saved);
  return typeof at === 'number' ? at : 0;
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    // The file is incomplete or not Karl's: there is nothing to restore.
    return undefined;
  }
}
