import { parseHandle } from '../../chat/handle.ts';
import type { MessageRange } from '../../chat/message.ts';
import { termsOf } from '../recall/passageIndex.ts';

/** One statement of a model's note, or a heading: it may name things too, but states nothing. */
export interface Statement {
  /** As it is in the note, with its citations and without them. */
  readonly written: string;
  readonly text: string;
  /** The messages that it cites; when it cites none itself, those that its line cites. */
  readonly cites: readonly MessageRange[];
  /** Its place among the statements and headings of the note, from 0. */
  readonly number: number;
  readonly isHeading: boolean;
}

const HEADING = /^(\s*#{1,6}\s+)/;
const LEAD = /^\s*(?:(?:[-*+>]|\d{1,3}[.)])\s+)*(?:\[[ x]\]\s+)?/;
/**
 * A sentence ends where the next one begins with a capital, a digit or a name in code marks; a citation belongs to the
 * sentence before it.
 */
const SENTENCE_END = /(?<=[\p{L}\p{N})\]"'`*][.;!?]["')*]{0,2}(?:\s*\[[^\]\n]{2,80}\])?)\s+(?=[\p{Lu}\p{N}"'`(*])/u;
const CITATION = /(?<!\s)\s*\[((?:t\d{1,9}(?:-t?\d{1,9})?)(?:\s*[,;]\s*t\d{1,9}(?:-t?\d{1,9})?)*)\]/g;

/** Reads a note line by line: the lead (indentation, list mark) and the statements. Blank lines have no statements. */
export function readNote(note: string): { readonly lead: string; readonly statements: readonly Statement[] }[] {
  let number = 0;
  return note.split('\n').map((line) => {
    const heading = HEADING.exec(line)?.[1];
    const lead = heading ?? LEAD.exec(line)?.[0] ?? '';
    const body = line.slice(lead.length);
    if (body.replace(CITATION, '').trim() === '') return { lead: line, statements: [] };
    const all = citationsIn(body);
    const statements = (heading === undefined ? body.split(SENTENCE_END) : [body.trimEnd()]).map((written) => {
      const own = citationsIn(written);
      const isHeading = heading !== undefined;
      number += 1;
      const cites = own.length > 0 ? own : all;
      return { written, text: written.replace(CITATION, ''), cites, number: number - 1, isHeading };
    });
    return { lead, statements };
  });
}

/** The statements and headings of a note, in order. */
export function readStatements(note: string): Statement[] {
  return readNote(note).flatMap(({ statements }) => statements);
}

function citationsIn(text: string): MessageRange[] {
  return [...text.matchAll(CITATION)].flatMap(([, list = '']) =>
    list.split(/[,;]/).flatMap((handle) => parseHandle(handle) ?? []),
  );
}

/**
 * The verdict on a statement: it stays; it stays but is marked, unless a model that reads its sources confirms it; it is
 * removed.
 */
export type Verdict = 'holds' | 'unverified' | 'fails';

/** A note after its statements were judged. */
export interface SortedNote {
  /** The note without the statements that do not hold. */
  readonly text: string;
  readonly statements: number;
  /** How many statements stay, including those that are marked. */
  readonly kept: number;
  readonly removed: readonly string[];
  /** How many statements are marked. */
  readonly unverified: number;
}

/** Follows a statement for which no support was found. */
export const UNVERIFIED = '*(unverified)*';

/** Takes what fails out of a note, and marks what is unverified. `verdicts`: by the statements' numbers. */
export function sortStatements(note: string, verdicts: readonly Verdict[]): SortedNote {
  const removed: string[] = [];
  const kept: string[] = [];
  let statements = 0;
  let holding = 0;
  let unverified = 0;
  for (const { lead, statements: all } of readNote(note)) {
    const parts: string[] = [];
    const marked: string[] = [];
    for (const { written, text, number, isHeading } of all) {
      const verdict = verdicts[number] ?? 'holds';
      if (!isHeading) statements += 1;
      if (!isHeading && verdict !== 'fails') holding += 1;
      if (verdict === 'fails') removed.push(text);
      else (verdict === 'holds' || isHeading ? parts : marked).push(written);
    }
    unverified += marked.length;
    if (all.length === 0 || parts.length > 0) kept.push(`${lead}${parts.join(' ')}`);
    // A line of its own, so that the mark applies to this statement and not to its neighbours.
    const own = parts.length > 0 ? `${' '.repeat(lead.search(/\S|$/) + 2)}- ` : lead;
    kept.push(...marked.map((written) => `${own}${written} ${UNVERIFIED}`));
  }
  return { text: withoutEmptySections(kept).join('\n').trim(), statements, kept: holding, removed, unverified };
}

/** Drops headings under which nothing is left. */
function withoutEmptySections(lines: readonly string[]): readonly string[] {
  return lines.filter((line, index) => {
    if (!HEADING.test(line)) return true;
    const next = lines.slice(index + 1).find((other) => other.trim() !== '');
    return next !== undefined && !HEADING.test(next);
  });
}

/** Shorter words occur near everything. Characters. */
const SHORTEST_WORD = 4;

/** The significant words and names of a text; in scripts without spaces each pair of characters counts as a word. */
export function tellingWords(text: string): ReadonlySet<string> {
  return new Set(termsOf(text).filter((term) => term.length >= SHORTEST_WORD || /[\d\p{Lo}]/u.test(term)));
}
