/** Of a longer output, only this much is searched, half at each end. Characters. */
const MOST_SCANNED = 400_000;

/** A longer line is only read in part. Characters. */
export const LONGEST_LINE = 400;

/** At most this many matching lines of one output are looked at. */
const MOST_LINES = 80;

/** A line of output with its position, so that its neighbours can be looked at. */
export interface Line {
  readonly text: string;
  readonly start: number;
  readonly end: number;
}

/**
 * The lines of `text` in which `word` (a global regular expression) matches, found in one pass: at most `MOST_LINES`,
 * the first and the last of them.
 */
export function linesWith(text: string, word: RegExp): Line[] {
  const first: number[] = [];
  let last: number[] = [];
  word.lastIndex = 0;
  for (let match = word.exec(text); match !== null; match = word.exec(text)) {
    if (first.length < MOST_LINES / 2) first.push(match.index);
    else last.push(match.index);
    if (last.length > MOST_LINES) last = last.slice(-MOST_LINES / 2);
    word.lastIndex = Math.max(endOfLine(text, match.index), match.index + Math.max(1, match[0].length));
  }
  return [...first, ...last.slice(-MOST_LINES / 2)].map((index) => lineAt(text, index));
}

/** Where the line around `index` ends; where the part around it ends if the line is very long. */
function endOfLine(text: string, index: number): number {
  const end = text.indexOf('\n', index);
  return end >= 0 && end - index <= LONGEST_LINE / 2 ? end : lineAt(text, index).end;
}

/** The line around `index`; of a very long line, the part around it. */
export function lineAt(text: string, index: number): Line {
  const from = Math.max(0, index - LONGEST_LINE);
  const before = text.slice(from, index);
  const lineStart = before.lastIndexOf('\n');
  const start = lineStart < 0 ? (from === 0 ? 0 : Math.max(from, index - LONGEST_LINE / 4)) : from + lineStart + 1;
  const window = text.slice(index, start + LONGEST_LINE);
  const lineEnd = window.indexOf('\n');
  const end = lineEnd < 0 ? Math.min(text.length, Math.max(index, start + LONGEST_LINE)) : index + lineEnd;
  const line = text.slice(start, end).replace(/\r$/, '');
  // The part of a longer line begins after a space, so that no half of a word or path is taken for a whole one.
  return { text: start > 0 && text[start - 1] !== '\n' ? line.replace(/^\S{1,400}\s/, '') : line, start, end };
}

/** Up to `count` lines after (`after`) and before a line. */
export function linesNear(
  text: string,
  line: Line,
  count: { readonly before: number; readonly after: number },
): string[] {
  const before = text.slice(Math.max(0, line.start - LONGEST_LINE * 2), Math.max(0, line.start - 1)).split('\n');
  const after = text.slice(line.end + 1, line.end + 1 + LONGEST_LINE * 2).split('\n');
  return [...after.slice(0, count.after), ...before.slice(-count.before).reverse()].map((near) =>
    near.slice(0, LONGEST_LINE),
  );
}

/** The beginning and the end of long output, cut at line ends if possible; short output as it is. */
export function ends(text: string, limit: number): string {
  if (text.length <= limit) return text;
  const tail = text.slice(-limit / 2);
  const lineStart = tail.indexOf('\n');
  return `${wholeLines(text, limit / 2)}\n${lineStart < 0 ? tail : tail.slice(lineStart + 1)}`;
}

/** The part of an output that is searched, so that the time for one output is bounded. */
export function bounded(text: string): string {
  return ends(text, MOST_SCANNED);
}

/** The first lines of a text, at most `limit` characters; if the first line is longer, it is cut at a space. */
export function wholeLines(text: string, limit: number): string {
  if (text.length <= limit) return text;
  const head = text.slice(0, limit);
  const lineEnd = head.lastIndexOf('\n');
  return lineEnd > 0 ? head.slice(0, lineEnd) : head.replace(/\s\S*$/, '');
}

/** Text without the colour and cursor codes of a terminal. */
export function withoutColours(text: string): string {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: escape sequences begin with a control character
  return text.includes('\u001b') ? text.replace(/\u001b\[[0-9;?]{0,20}[A-Za-z]/g, '') : text;
}
