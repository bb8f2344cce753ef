/** A part of a text that a client composed: an element, or the text between elements. */
export type Part =
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'element'; readonly name: string; readonly inner: string; readonly text: string };

const OPEN = /<([A-Za-z][\w-]{1,40})(?:\s[^<>]{0,300})?>/g;
/** Limits on elements, and on opening tags without a closing one, beyond which a text is not split any further. */
const MOST_ELEMENTS = 200;
const MOST_UNCLOSED = 20;

/**
 * The outermost elements of a text, and the text between them. The inside of an element is not looked at, so nothing in
 * an attached file or a tool's output is a part. An opening tag without a closing one is text. `wanted` says which
 * names (lower case) are elements; default: all.
 */
export function topLevelParts(text: string, wanted: (name: string) => boolean = () => true): Part[] {
  const parts: Part[] = [];
  let from = 0;
  let elements = 0;
  let unclosed = 0;
  OPEN.lastIndex = 0;
  for (let open = OPEN.exec(text); open !== null; open = OPEN.exec(text)) {
    if (elements >= MOST_ELEMENTS || unclosed >= MOST_UNCLOSED) break;
    const name = open[1] ?? '';
    if (!wanted(name.toLowerCase())) continue;
    const start = open.index;
    const innerStart = OPEN.lastIndex;
    const close = closing(text, name, innerStart);
    OPEN.lastIndex = innerStart;
    if (close === undefined) {
      unclosed += 1;
      continue;
    }
    if (start > from) parts.push({ kind: 'text', text: text.slice(from, start) });
    elements += 1;
    parts.push({
      kind: 'element',
      name: name.toLowerCase(),
      inner: text.slice(innerStart, close.start),
      text: text.slice(start, close.end),
    });
    from = close.end;
    OPEN.lastIndex = from;
  }
  if (from < text.length) parts.push({ kind: 'text', text: text.slice(from) });
  return parts;
}

/** Where the element ends that was opened before `from`; nested elements of the same name are skipped. */
function closing(text: string, name: string, from: number): { start: number; end: number } | undefined {
  const tag = new RegExp(`<(/?)${name}(?:\\s[^<>]{0,300})?>`, 'g');
  tag.lastIndex = from;
  let depth = 1;
  let last: { start: number; end: number } | undefined;
  for (let match = tag.exec(text); match !== null; match = tag.exec(text)) {
    depth += match[1] === '' ? 1 : -1;
    if (match[1] !== '') last = { start: match.index, end: tag.lastIndex };
    if (depth === 0) return last;
  }
  return last;
}
