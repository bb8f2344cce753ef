import { speak } from '../language/language.ts';
import type { ToWebview, ViewState } from '../protocol/viewState.ts';
import { KarlApp } from './app.ts';
import { PageKeeper } from './pageState.ts';
import { page } from './styles/shared.ts';

// Nothing is drawn before this script has ended.
speak(document.documentElement.lang, JSON.parse(document.getElementById('sentences')?.textContent ?? '{}'));

const vscode = acquireVsCodeApi();

if (page.styleSheet) document.adoptedStyleSheets = [...document.adoptedStyleSheets, page.styleSheet];

const app = document.querySelector('karl-app');
if (!(app instanceof KarlApp)) throw new Error('the page has no <karl-app>');

const keeper = new PageKeeper(app, vscode);
app.addEventListener('karl-intent', (event) => vscode.postMessage(event.intent));

/** The newest snapshot, which is drawn with the next frame: nobody could see those before it. */
let newest: ViewState | undefined;
let frame = 0;

const drawNewest = (): void => {
  cancelAnimationFrame(frame);
  frame = 0;
  if (newest !== undefined) app.showState(newest);
  newest = undefined;
};

window.addEventListener('message', (event: MessageEvent<ToWebview>) => {
  // Messages come from the frame that VS Code puts around the page, which has the page's own origin.
  if (event.origin !== window.origin) return;
  const message = event.data;
  if (message.type === 'state') {
    if (newest === undefined || newest.revision < message.state.revision) newest = message.state;
    if (frame === 0) frame = requestAnimationFrame(drawNewest);
    return;
  }
  // The message may be about the newest snapshot.
  drawNewest();
  if (message.type === 'restore') keeper.restore(message.saved);
  else app.receive(message);
});

// VS Code focuses the page as a whole when the view is opened or chosen by a key.
const takeFocus = () => {
  if (document.hasFocus() && (document.activeElement ?? document.body) === document.body) app.focusComposer();
};
window.addEventListener('focus', takeFocus);
for (const type of ['focus', 'blur'])
  window.addEventListener(type, () => vscode.postMessage({ type: 'focused', isFocused: document.hasFocus() }));
app.addEventListener('karl-opened', takeFocus);

vscode.postMessage({ type: 'ready' });
