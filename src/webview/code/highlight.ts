import { sanitize } from '../conversation/sanitize.ts';

declare global {
  interface Window {
    /** Code as markup with classes for its parts; `undefined` for an unknown language. Set by `languages.ts`. */
    karlHighlight?: (code: string, language: string) => string | undefined;
  }
}

/** Longer code is not coloured, characters: nobody reads it here. */
const LONGEST = 20_000;

/** The page's own script: it says where the other script is and by which nonce it may run. */
const own = document.currentScript;

let loading: Promise<void> | undefined;

/** Colours the code in an element, at once or as soon as the grammars are loaded. */
export function highlight(code: HTMLElement, language: string): void {
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

/** Loads the grammars. Resolves also when that fails: code stays plain then. */
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
