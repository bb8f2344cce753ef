import type { FromWebview } from '../protocol/fromWebview.ts';
import type { KarlApp } from './app.ts';
import { type PageState, readPageState } from './pageState.ts';

/** How long the host is not told of what is written, since more will follow. Milliseconds. */
const WAIT_MS = 300;

/** What is longer the host is not bothered with. Characters. */
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

/** Keeps what is written in the page: in VS Code's memory of the page at once, and with the host soon after. */
export class PageKeeper {
  readonly #app: KarlApp;
  readonly #vscode: VsCodeApi;
  /** When what the page began with was written, in milliseconds of the epoch; 0 when there was nothing. */
  readonly #at: number;
  readonly #began: PageState;
  /** What the host keeps, or is about to be told. */
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

  /** Takes over what the host kept of the window before, if that is newer and nothing was written here since. */
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
    // What was sent must not come back as a draft.
    this.#timer = setTimeout(tell, saved.draft === '' ? 0 : WAIT_MS);
  }
}

/** Whether the same is written in both; the drafts of other conversations change with the one that is shown. */
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
    // Half a file, or none of Karl's: there is nothing to restore.
    return undefined;
  }
}
