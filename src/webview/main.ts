import { speak } from '../core/language.ts';
import type { ToWebview } from '../protocol/viewState.ts';
import { KarlApp } from './app.ts';
import { PageKeeper } from './pageKeeper.ts';
import { page } from './styles/shared.ts';

/** A snapshot as it is posted. */
type Snapshot = Extract<ToWebview, { type: 'state' }>;

/** Draws at most one snapshot in a frame of the page, the newest: nobody could see the others. */
class SnapshotFrames {
  readonly #draw: (snapshot: Snapshot) => void;
  #newest: Snapshot | undefined;
  #frame = 0;

  constructor(draw: (snapshot: Snapshot) => void) {
    this.#draw = draw;
  }

  /** Draws it with the next frame, unless a newer one has come by then. */
  put(snapshot: Snapshot): void {
    if (this.#newest === undefined || this.#newest.state.revision < snapshot.state.revision) this.#newest = snapshot;
    if (this.#frame === 0) this.#frame = requestAnimationFrame(() => this.flush());
  }

  /** Draws what waits now: the message that comes next may be about it. */
  flush(): void {
    cancelAnimationFrame(this.#frame);
    this.#frame = 0;
    const newest = this.#newest;
    this.#newest = undefined;
    if (newest !== undefined) this.#draw(newest);
  }
}

// Nothing is drawn before this script has ended.
speak(document.documentElement.lang, JSON.parse(document.getElementById('sentences')?.textContent ?? '{}'));

const vscode = acquireVsCodeApi();

if (page.styleSheet) document.adoptedStyleSheets = [...document.adoptedStyleSheets, page.styleSheet];

const app = document.querySelector('karl-app');
if (!(app instanceof KarlApp)) throw new Error('the page has no <karl-app>');

const keeper = new PageKeeper(app, vscode);
app.addEventListener('karl-intent', (event) => vscode.postMessage(event.intent));

const states = new SnapshotFrames(({ state, received }) => app.showState(state, received));

window.addEventListener('message', (event: MessageEvent<ToWebview>) => {
  // The frame that VS Code puts around the page passes messages on, and has the page's own origin; nobody else has.
  if (event.origin !== window.origin) return;
  const message = event.data;
  if (message.type === 'state') {
    states.put(message);
    return;
  }
  states.flush();
  if (message.type === 'restore') keeper.restore(message.saved);
  else app.receive(message);
});

// VS Code gives the focus to the page as a whole: when the view is opened, and when it is chosen by a key.
const takeFocus = () => {
  if (document.hasFocus() && (document.activeElement ?? document.body) === document.body) app.focusComposer();
};
window.addEventListener('focus', takeFocus);
for (const type of ['focus', 'blur'])
  window.addEventListener(type, () => vscode.postMessage({ type: 'focused', isFocused: document.hasFocus() }));
app.addEventListener('karl-opened', takeFocus);

vscode.postMessage({ type: 'ready' });
