/** The names of the highlights in the style sheets: all matches of the row, and the one that is shown. */
const ALL = 'karl-found';
const CURRENT = 'karl-found-current';

/** Every occurrence of a text in an element and in the components in it, in capitals or not. */
export function findMatches(root: Element, text: string): Range[] {
  const words = text.toLowerCase();
  const ranges: Range[] = [];
  if (words === '') return ranges;
  for (const node of textsIn(root)) {
    const shown = node.data.toLowerCase();
    // A letter whose lower-case form is longer would shift every place after it.
    if (shown.length !== node.data.length) continue;
    for (let at = shown.indexOf(words); at >= 0; at = shown.indexOf(words, at + words.length)) {
      const range = document.createRange();
      range.setStart(node, at);
      range.setEnd(node, at + words.length);
      ranges.push(range);
    }
  }
  return ranges;
}

/** The texts that a reader can see, in order. */
function* textsIn(root: Node): Generator<Text> {
  const inner = root instanceof Element ? root.shadowRoot : undefined;
  for (const node of (inner ?? root).childNodes) {
    if (node instanceof Text) {
      if (node.parentElement?.checkVisibility() !== false) yield node;
    } else if (!(node instanceof HTMLStyleElement)) yield* textsIn(node);
  }
}

/** Marks the matches, and one of them as the one that is shown; without any, removes the marks. */
export function markMatches(matches: readonly Range[], current?: Range): void {
  CSS.highlights.set(ALL, new Highlight(...matches.filter((match) => match !== current)));
  CSS.highlights.set(CURRENT, new Highlight(...(current === undefined ? [] : [current])));
}

/** Scrolls everything around a match as far as needed to see it. */
export function showMatch(match: Range): void {
  for (
    let element: Element | null = match.startContainer.parentElement;
    element !== null;
    element = parentOf(element)
  ) {
    if (element.scrollHeight <= element.clientHeight || getComputedStyle(element).overflowY === 'visible') continue;
    const [view, { top, bottom }] = [element.getBoundingClientRect(), match.getBoundingClientRect()];
    if (top < view.top || bottom > view.bottom) element.scrollTop += top - view.top - view.height / 3;
  }
}

function parentOf(element: Element): Element | null {
  if (element.parentElement !== null) return element.parentElement;
  const root = element.getRootNode();
  return root instanceof ShadowRoot ? root.host : null;
}
