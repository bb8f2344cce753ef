import { html, render } from 'lit';
import { t } from '../../language/language.ts';
import { linkButton } from '../controls.ts';
import { sanitize } from '../conversation/markdown.ts';
import { ask } from '../intent.ts';

/** How much code is in the names of its buttons, characters. */
const LONGEST_START = 30;

/** Adds to every code block its language, buttons to copy and insert it, and colours. */
export function dressCodeBlocks(root: DocumentFragment): void {
  for (const pre of root.querySelectorAll('pre')) {
    const code = pre.querySelector('code');
    if (code === null) continue;
    const language = /\blanguage-([\w+#-]{1,30})/.exec(code.className)?.[1] ?? '';
    const text = code.textContent.replace(/\n$/, '');
    const start = startOf(text);
    const block = document.createElement('div');
    block.className = 'code';
    const button = (label: string, name: string, type: 'copy-text' | 'insert') =>
      linkButton({ label, name, hint: name }, () => ask(block, { type, text }), 'small');
    pre.replaceWith(block);
    // Focusable, so that wide code can be scrolled with the arrow keys.
    pre.tabIndex = 0;
    pre.ariaLabel = t('code');
    const bar = html`<span class="muted small">${language}</span>
      ${button(t('Copy'), t('Copy the code: {0}', start), 'copy-text')}
      ${button(t('Insert'), t('Insert the code at the cursor: {0}', start), 'insert')}`;
    render(html`<div class="code-bar wrap">${bar}</div>${pre}`, block);
    if (language !== '') highlight(code, language.toLowerCase());
  }
}

/** The first words of a code block, which distinguish it from others in the reply. */
function startOf(code: string): string {
  const line = code.slice(0, 1000).replace(/\s+/g, ' ').trim();
  return line.length > LONGEST_START ? `${line.slice(0, LONGEST_START).toWellFormed().trimEnd()}…` : line;
}

declare global {
  interface Window {
    /** Code as markup with classes for its parts; `undefined` for an unknown language. Set by `languages.ts`. */
    karlHighlight?: (code: string, language: string) => string | undefined;
  }
}

/** Longer code is not coloured, characters. */
const LONGEST = 20_000;

/** The page's own script element, with the location and the nonce for the other script. */
const own = document.currentScript;

let loading: Promise<void> | undefined;

/** Colours the code in an element as soon as the grammars are loaded. */
function highlight(code: HTMLElement, language: string): void {
  if (code.textContent.length > LONGEST) return;
  if (window.karlHighlight !== undefined) colour(code, language);
  else {
    loading ??= load();
    void loading.then(() => colour(code, language));
  }
}

function colour(code: HTMLElement, language: string): void {
  const markup = window.karlHighlight?.(code.textContent, language);
  if (markup !== undefined) code.replaceChildren(sanitize(markup));
}

/** Loads the grammars. Resolves even if that fails: code stays plain then. */
function load(): Promise<void> {
  return new Promise((resolve) => {
    if (!(own instanceof HTMLScriptElement) || own.src === '') return resolve();
    const script = document.createElement('script');
    script.nonce = own.nonce;
    script.src = own.src.replace(/[^/]*$/, 'highlight.js');
    script.onload = () => resolve();
    script.onerror = () => {
      console.warn('Karl: the grammars for code could not be loaded');
      resolve();
    };
    document.head.append(script);
  });
}
