import { t } from '../../language/language.ts';
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
  linkTexts(root, 'code, pre, a', (text) => findHandles(text, transcriptLength));
}

/** Turns every path into a link that opens the file at its line. The host opens only files of the workspace. */
export function linkPaths(root: DocumentFragment): void {
  for (const element of root.querySelectorAll<HTMLElement>('.no-link[title]')) linkFile(element);
  let left = MOST_PATHS;
  linkTexts(root, 'a, .link, pre code', (text) => {
    const found = findPaths(text).slice(0, left);
    left -= found.length;
    return found;
  });
}

/** What becomes a link in a text: where it begins, its words, and the link. */
interface Found {
  readonly at: number;
  readonly text: string;
  readonly link: (words: string) => HTMLElement;
}

interface FoundPath extends Found {
  readonly path: string;
  readonly line: number;
}

/** Turns what is found in the texts below a node into links, except within the elements `notIn`. */
function linkTexts(root: Node, notIn: string, find: (text: string) => readonly Found[]): void {
  const walker = document.createTreeWalker(root, NodeFilter.SHOW_TEXT);
  const texts: Text[] = [];
  while (walker.nextNode()) if (walker.currentNode instanceof Text) texts.push(walker.currentNode);
  for (const node of texts) {
    if (node.parentElement?.closest(notIn)) continue;
    let shown = 0;
    const parts = find(node.data).flatMap(({ at, text, link }) => {
      const before = node.data.slice(shown, at);
      shown = at + text.length;
      return [before, link(text)];
    });
    if (parts.length > 0) node.replaceWith(...parts, node.data.slice(shown));
  }
}

function findHandles(text: string, transcriptLength: number): readonly Found[] {
  const found: Found[] = [];
  for (const row of text.matchAll(HANDLES)) {
    for (const one of row[0].matchAll(new RegExp(HANDLE, 'g'))) {
      const [handle, first, last = first] = one;
      const [from, to] = [Number(first), Number(last)];
      if (from > to || to >= transcriptLength || found.length > MOST_HANDLES) continue;
      const title = from === to ? t('Go to message {0}', handle) : t('Go to messages {0}', handle);
      const link = (words: string) => {
        const made = createLink('button', words, title, () => new RevealEvent({ from, to }));
        return Object.assign(made, { ariaLabel: title, ariaDescription: '' });
      };
      found.push({ at: row.index + one.index, text: handle, link });
    }
  }
  return found;
}

/** The paths in a text with their lines, in order. */
export function findPaths(text: string): readonly FoundPath[] {
  const found: FoundPath[] = [];
  for (const match of text.matchAll(PATH)) {
    const [whole, named = '', digits] = match;
    if (/^\.*$/.test(named)) continue;
    const [path, line] = [named.replace(/^\.\//, ''), Math.max(1, Number(digits ?? 1))];
    const link = (words: string) => {
      const open = () => new IntentEvent({ type: 'open-file', path, line });
      const made = createLink('link', words, t('Open {0}', whole), open);
      made.classList.add('file');
      return made;
    };
    found.push({ at: match.index, text: whole, link, path, line });
    if (found.length >= MOST_PATHS) break;
  }
  return found;
}

/** Turns a Markdown link to a path, with a line as `#L12` or `:12`, into a link that opens the file. */
function linkFile(element: HTMLElement): void {
  const address = element.title.replace(/#L(\d+)(?:-L?\d+)?$/, ':$1');
  const [found] = findPaths(address);
  if (found?.text === address) element.replaceWith(found.link(element.textContent ?? address));
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
