/**
 * Text in the form in which it is compared: NFC, forward slashes, runs of white space as one space, plain quotation
 * marks.
 */
export function comparable(text: string): string {
  return joinLines(comparableLines(text));
}

/** Joins the lines of a comparable text. */
export function joinLines(lines: string): string {
  return lines.replace(/ ?\n[\n ]*/g, ' ');
}

/** The same, but keeps line ends. */
export function comparableLines(text: string): string {
  return text
    .normalize('NFC')
    .replace(/\\+/g, '/')
    .replace(/[^\S\n]+/g, ' ')
    .replace(/[\u2018\u2019]/g, "'")
    .replace(/[\u201c\u201d]/g, '"');
}

const WORD = /[\p{L}\p{N}_]/u;
const SPACELESS = /[\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af]/;

/**
 * The first position in `text`, from `start` on, where `needle` occurs at token boundaries; -1 when there is none.
 * `a.ts` is not in `ba.ts` nor in `a.tsx`, `12` not in `120` nor in `1.12`; `src/a.ts` is in `/repo/src/a.ts`. Both
 * must be comparable.
 */
export function indexAtBoundary(text: string, needle: string, start = 0): number {
  if (needle === '') return -1;
  for (let at = text.indexOf(needle, start); at >= 0; at = text.indexOf(needle, at + 1)) {
    if (opens(text, needle, at) && closes(text, needle, at + needle.length)) return at;
  }
  return -1;
}

function opens(text: string, needle: string, at: number): boolean {
  const first = needle[0] ?? '';
  const before = text[at - 1];
  if (before === undefined || !WORD.test(first) || SPACELESS.test(first) || SPACELESS.test(before)) return true;
  if (WORD.test(before)) return false;
  const joined = before === '.' || before === '-' || before === ',';
  return !(joined && WORD.test(text[at - 2] ?? '') && !SPACELESS.test(text[at - 2] ?? ''));
}

function closes(text: string, needle: string, end: number): boolean {
  const last = needle.at(-1) ?? '';
  const after = text[end];
  if (after === undefined || !WORD.test(last) || SPACELESS.test(last) || SPACELESS.test(after)) return true;
  if (WORD.test(after)) return false;
  // A search prints the lines around a match in a.ts as `a.ts-12-`.
  if (/^-\d+[-:]/.test(text.slice(end, end + 9))) return true;
  const joined = after === '.' || after === '-' || (after === ',' && /\d/.test(last));
  const beyond = text[end + 1] ?? '';
  if (after === ',' && /\d/.test(last)) return !/\d/.test(beyond);
  return !(joined && WORD.test(beyond) && !SPACELESS.test(beyond));
}
