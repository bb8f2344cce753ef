import { t } from '../../core/language.ts';
import { IntentEvent, RevealEvent } from '../intent.ts';

const HANDLE = String.raw`t(\d{1,9})(?:-t?(\d{1,9}))?`;

/**
 * One or more handles as notes write them: at the start of brackets, possibly before a label. A handle at the end of the
 * text does not count, since the text may be cut: `t4` could be the beginning of `t41`.
 */
const HANDLES = new RegExp(String.raw`\[${HANDLE}(?:[,;] ?${HANDLE})*(?=[^\w-])\]?`, 'g');

/** A path in a text: with folders and an extension, or a file name with an extension and a line. Not within a URL or word. */
const PATH =
  /(?<![\w/.:@~-])((?:\.{0,2}\/)?(?:[\w@.-]+\/)+[\w@.-]*\.[A-Za-z]\w{0,7}|[\w@-][\w@.-]*\.[A-Za-z]\w{0,7}(?=:\d))(?::(\d{1,6})(?::\d{1,4})?)?(?![\w/])/g;

/** The most links to messages, and to files, in one text: more of them take seconds to draw. */
const MOST_HANDLES = 1000;
const MOST_PATHS = 200;

/** A text is split into these: its links, and what is between them. */
type Parts = readonly (string | HTMLElement)[];

/** A plain text with links for its handles, and for its paths if these are wanted. */
export function linkedText(text: string, transcriptLength: number, hasPaths = false): string | DocumentFragment {
  const fragment = document.createDocumentFragment();
  fragment.append(text);
  linkHandles(fragment, transcriptLength);
  if (hasPaths) linkPaths(fragment);
  return fragment.childNodes.length > 1 ? fragment : text;
}

/** Turns every handle into a link to its message, except for quotations; handles beyond the transcript stay text. */
export function linkHandles(root: DocumentFragment, transcriptLength: number): void {
  replaceTexts(root, 'code, pre, a', (text) => splitAtHandles(text, transcriptLength));
}

/** Turns every path into a link that opens the file at its line. The host opens only files of the workspace. */
export function linkPaths(root: DocumentFragment): void {
  for (const element of root.querySelectorAll<HTMLElement>('.no-link[title]')) linkFile(element);
  let left = MOST_PATHS;
  replaceTexts(root, 'a, .link, pre code', (text) => {
    const found = findPaths(text).slice(0, left);
    left -= found.length;
    return splitAtPaths(text, found);
  });
}

/** Replaces the texts below a node by their parts, except within the elements `notIn`. */
function replaceTexts(root: Node, notIn: string, split: (text: string) => Parts): void {
  const walker = document.createTreeWalker(root, NodeFilter.SHOW_TEXT);
  const texts: Text[] = [];
  while (walker.nextNode()) if (walker.currentNode instanceof Text) texts.push(walker.currentNode);
  for (const text of texts) {
    if (text.parentElement?.closest(notIn)) continue;
    const parts = split(text.data);
    if (parts.length > 1) text.replaceWith(...parts);
  }
}

function splitAtHandles(text: string, transcriptLength: number): Parts {
  const parts: (string | HTMLElement)[] = [];
  let shown = 0;
  for (const row of text.matchAll(HANDLES)) {
    for (const one of row[0].matchAll(new RegExp(HANDLE, 'g'))) {
      const [handle, first, last = first] = one;
      const [from, to] = [Number(first), Number(last)];
      if (from > to || to >= transcriptLength || parts.length > 2 * MOST_HANDLES) continue;
      const at = row.index + one.index;
      const title = from === to ? t('Go to message {0}', handle) : t('Go to messages {0}', handle);
      const link = createLink('button', handle, title, () => new RevealEvent({ from, to }));
      Object.assign(link, { ariaLabel: title, ariaDescription: '' });
      parts.push(text.slice(shown, at), link);
      shown = at + handle.length;
    }
  }
  return [...parts, text.slice(shown)];
}

/** A path in a text, with its line. */
interface FoundPath {
  readonly at: number;
  readonly text: string;
  readonly path: string;
  readonly line: number;
}

/** The paths in a text, in order. */
export function findPaths(text: string): readonly FoundPath[] {
  const found: FoundPath[] = [];
  for (const match of text.matchAll(PATH)) {
    const [whole, path = '', line] = match;
    if (/^\.*$/.test(path)) continue;
    found.push({ at: match.index, text: whole, path: path.replace(/^\.\//, ''), line: Math.max(1, Number(line ?? 1)) });
    if (found.length >= MOST_PATHS) break;
  }
  return found;
}

function splitAtPaths(text: string, found: readonly FoundPath[]): Parts {
  const parts: (string | HTMLElement)[] = [];
  let shown = 0;
  for (const one of found) {
    parts.push(text.slice(shown, one.at), linkTo(one));
    shown = one.at + one.text.length;
  }
  return [...parts, text.slice(shown)];
}

/** Turns a Markdown link to a path, with a line as `#L12` or `:12`, into a link that opens the file. */
function linkFile(element: HTMLElement): void {
  const address = element.title.replace(/#L(\d+)(?:-L?\d+)?$/, ':$1');
  const [found] = findPaths(address);
  if (found?.text === address) element.replaceWith(linkTo(found, element.textContent ?? address));
}

function linkTo({ text, path, line }: FoundPath, words = text): HTMLElement {
  const link = createLink('link', words, t('Open {0}', text), () => new IntentEvent({ type: 'open-file', path, line }));
  link.classList.add('file');
  return link;
}

/** A link that dispatches an event. It wraps like text, as a `button` would not. */
function createLink(role: 'button' | 'link', words: string, title: string, event: () => Event): HTMLElement {
  const link = document.createElement('span');
  Object.assign(link, { className: 'link', role, tabIndex: 0, textContent: words, title });
  link.addEventListener('click', () => link.dispatchEvent(event()));
  link.addEventListener('keydown', (keyEvent) => {
    if (keyEvent.key !== 'Enter' && (keyEvent.key !== ' ' || role === 'link')) return;
    keyEvent.preventDefault();
    link.click();
  });
  return link;
}
