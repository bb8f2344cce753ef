import { t } from '../../core/language.ts';
import { createButton, RevealEvent } from '../intent.ts';

const HANDLE = String.raw`t(\d{1,9})(?:-t?(\d{1,9}))?`;

/** One handle of a group, with the punctuation around it. */
const ONE = new RegExp(String.raw`(\[?)(${HANDLE})([\],;]?)`, 'g');

/**
 * One or more handles as notes write them: at the start of brackets, possibly before a label. A handle at the end of the
 * text does not count, since the text may be cut: `t4` could be the beginning of `t41`.
 */
const ROW = new RegExp(String.raw`\[${HANDLE}(?:[,;] ?${HANDLE})*(?=[^\w-])\]?`, 'g');

/** The most parts of one text, since more links take seconds to draw. */
const MOST_PARTS = 2000;

/** Elements in which a `[t41]` is a quotation or leads elsewhere. */
const NOT_HERE = 'code, pre, a';

/** A plain text with links for its handles. */
export function linkedText(text: string, transcriptLength: number): string | DocumentFragment {
  const parts = splitAtHandles(text, transcriptLength);
  if (parts.length === 1) return text;
  const fragment = document.createDocumentFragment();
  fragment.append(...parts);
  return fragment;
}

/** Turns every handle into a button that leads to its message; handles beyond the transcript stay text. */
export function linkHandles(root: DocumentFragment, transcriptLength: number): void {
  const walker = document.createTreeWalker(root, NodeFilter.SHOW_TEXT);
  const texts: Text[] = [];
  while (walker.nextNode()) if (walker.currentNode instanceof Text) texts.push(walker.currentNode);
  for (const text of texts) {
    if (text.parentElement?.closest(NOT_HERE)) continue;
    const parts = splitAtHandles(text.data, transcriptLength);
    if (parts.length > 1) text.replaceWith(...parts);
  }
}

function splitAtHandles(text: string, transcriptLength: number): (string | HTMLElement)[] {
  const parts: (string | HTMLElement)[] = [];
  let shown = 0;
  for (const row of text.matchAll(ROW)) {
    for (const one of row[0].matchAll(ONE)) {
      const [whole, before = '', handle = '', first, last = first, after = ''] = one;
      const from = Number(first);
      const to = Number(last);
      if (from > to || to >= transcriptLength || parts.length > MOST_PARTS) continue;
      const start = row.index + one.index;
      parts.push(text.slice(shown, start), keepTogether(before, createLink(handle, from, to), after));
      shown = start + whole.length;
    }
  }
  return [...parts, text.slice(shown)];
}

/** A line may break before and after a handle, but not between a handle and its bracket. */
function keepTogether(...parts: (string | HTMLElement)[]): HTMLElement {
  const together = document.createElement('span');
  together.className = 'together';
  together.append(...parts);
  return together;
}

function createLink(handle: string, from: number, to: number): HTMLElement {
  const title = from === to ? t('Go to message {0}', handle) : t('Go to messages {0}', handle);
  return createButton('handle', handle, title, () => new RevealEvent({ from, to }));
}
