import { t } from '../../core/language.ts';
import { IntentEvent } from '../intent.ts';

/** A path in a text: with folders and an extension, or a file name with an extension and a line. Not within a URL or word. */
const PATH =
  /(?<![\w/.:@~-])((?:\.{0,2}\/)?(?:[\w@.-]+\/)+[\w@.-]*\.[A-Za-z]\w{0,7}|[\w@-][\w@.-]*\.[A-Za-z]\w{0,7}(?=:\d))(?::(\d{1,6})(?::\d{1,4})?)?(?![\w/])/g;

/** The most links in one text. */
const MOST_LINKS = 200;

/** Elements in which no path is linked. */
const NOT_HERE = 'a, button, .file';

/** A path in a text, with its line. */
export interface FoundPath {
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
    if (found.length >= MOST_LINKS) break;
  }
  return found;
}

/** Turns every path into a link that opens the file at its line. The host opens only files of the workspace. */
export function linkPaths(root: DocumentFragment): void {
  for (const element of root.querySelectorAll<HTMLElement>('.no-link[title]')) linkFile(element);
  const walker = document.createTreeWalker(root, NodeFilter.SHOW_TEXT);
  const texts: Text[] = [];
  while (walker.nextNode()) if (walker.currentNode instanceof Text) texts.push(walker.currentNode);
  let left = MOST_LINKS;
  for (const text of texts) {
    if (left <= 0 || text.parentElement?.closest(NOT_HERE) || text.parentElement?.closest('pre code')) continue;
    const found = findPaths(text.data).slice(0, left);
    left -= found.length;
    if (found.length > 0) text.replaceWith(...split(text.data, found));
  }
}

/** Turns a Markdown link to a path, with a line as `#L12` or `:12`, into a link that opens the file. */
function linkFile(element: HTMLElement): void {
  const address = element.title.replace(/#L(\d+)(?:-L?\d+)?$/, ':$1');
  const [found] = findPaths(address);
  if (found?.text === address) element.replaceWith(createLink(found, element.textContent ?? address));
}

/** A fragment with links for paths, from a plain text or one with links for handles. */
export function withPaths(text: string | DocumentFragment): DocumentFragment {
  const root = document.createDocumentFragment();
  root.append(text);
  linkPaths(root);
  return root;
}

function split(text: string, found: readonly FoundPath[]): (string | HTMLElement)[] {
  const parts: (string | HTMLElement)[] = [];
  let shown = 0;
  for (const one of found) {
    parts.push(text.slice(shown, one.at), createLink(one));
    shown = one.at + one.text.length;
  }
  return [...parts, text.slice(shown)];
}

function createLink({ text, path, line }: FoundPath, words = text): HTMLElement {
  // A button would not wrap like text.
  const link = document.createElement('span');
  link.className = 'file';
  link.role = 'link';
  link.tabIndex = 0;
  link.textContent = words;
  link.title = t('Open {0}', text);
  const open = () => link.dispatchEvent(new IntentEvent({ type: 'open-file', path, line }));
  link.addEventListener('click', open);
  link.addEventListener('keydown', (event) => {
    if (event.key === 'Enter') open();
  });
  return link;
}
