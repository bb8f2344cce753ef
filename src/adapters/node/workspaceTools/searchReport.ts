import type { WorkspaceToolLimits } from './limits.ts';
import type { LineMatch } from './lineMatcher.ts';

/** What a search has found so far. */
export interface SearchReport {
  readonly lines: (LineMatch & { readonly place: string })[];
  /** The number of files searched. */
  files: number;
  /** The number of files that were too large. */
  huge: number;
  /** Files on which the regular expression had to be stopped. */
  readonly slow: string[];
  /** Why the search ended before the last file; empty if it did not. */
  ended: string;
}

/** The longest part of a line that is shown around a match. */
const SHOWN_CHARACTERS = 300;

/** The result for the model: one line for each match, then what was passed over and how to get more. */
export function describeSearch(report: SearchReport, limits: WorkspaceToolLimits): string {
  const { lines, files, huge, slow, ended } = report;
  const shown: string[] = [];
  let room = limits.characters;
  for (const { place, line, text } of lines) {
    const entry = `${place}:${line}: ${shorten(text.trim())}`;
    room -= entry.length + 1;
    if (room < 0) break;
    shown.push(entry);
  }
  const notes = [
    lines.length === 0
      ? `No line matches (${files} files searched).`
      : `${shown.length} matches in ${files} files searched.`,
    ...(huge > 0 ? [`${huge} huge files were not searched.`] : []),
    ...(slow.length > 0
      ? [`Not searched to the end, since the expression took too long: ${slow.slice(0, 5).join(', ')}.`]
      : []),
    ...(ended === '' && shown.length === lines.length
      ? []
      : [`Stopped: ${ended === '' ? 'the answer is full' : ended}. Narrow it with path or include.`]),
  ];
  return [...shown, `[${notes.join(' ')}]`].join('\n');
}

function shorten(text: string): string {
  return text.length <= SHOWN_CHARACTERS ? text : `${text.slice(0, SHOWN_CHARACTERS)}…`;
}
