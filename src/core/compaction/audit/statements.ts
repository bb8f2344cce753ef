import type { MessageRange } from '../../messages/message.ts';
import { termsOf } from '../recall/terms.ts';

/** One statement of a model's note. */
export interface Statement {
  /** As it is in the note, without its citations. */
  readonly text: string;
  /** The messages that it cites; when it cites none itself, those that its line cites. */
  readonly cites: readonly MessageRange[];
  /** The heading of its section; '' before the first. */
  readonly section: string;
}

/** A line of a note: its lead (indentation, list mark) and its statements as they were written. */
export interface NoteLine {
  readonly lead: string;
  readonly parts: readonly { readonly written: string; readonly statement: Statement }[];
}

const HEADING = /^(\s*#{1,6}\s+)(.*)$/;
const LEAD = /^\s*(?:(?:[-*+>]|\d{1,3}[.)])\s+)*(?:\[[ x]\]\s+)?/;
/**
 * A sentence ends where the next one begins with a capital, a digit or a name in code marks; a citation belongs to the
 * sentence before it.
 */
const SENTENCE_END = /(?<=[\p{L}\p{N})\]"'`*][.;!?]["')*]{0,2}(?:\s*\[[^\]\n]{2,80}\])?)\s+(?=[\p{Lu}\p{N}"'`(*])/u;
const CITATION = /(?<!\s)\s*\[((?:t\d{1,9}(?:-t?\d{1,9})?)(?:\s*[,;]\s*t\d{1,9}(?:-t?\d{1,9})?)*)\]/g;

/**
 * Reads a note line by line. Headings are statements too, since they may name things. Blank lines have no statements.
 */
export function readStatements(note: string): NoteLine[] {
  let section = '';
  return note.split('\n').map((line) => {
    const heading = HEADING.exec(line);
    if (heading !== null) {
      section = (heading[2] ?? '').trimEnd();
      return {
        lead: heading[1] ?? '',
        parts: [{ written: section, statement: { text: section, cites: [], section: '' } }],
      };
    }
    const lead = LEAD.exec(line)?.[0] ?? '';
    const body = line.slice(lead.length);
    if (body.replace(CITATION, '').trim() === '') return { lead: line, parts: [] };
    const all = citationsIn(body);
    const parts = body.split(SENTENCE_END).map((written) => {
      const own = citationsIn(written);
      return {
        written,
        statement: { text: written.replace(CITATION, ''), cites: own.length > 0 ? own : all, section },
      };
    });
    return { lead, parts };
  });
}

function citationsIn(text: string): MessageRange[] {
  return [...text.matchAll(CITATION)].flatMap(([, list = '']) =>
    list.split(/[,;]/).flatMap((handle) => {
      const match = /t(\d{1,9})(?:-t?(\d{1,9}))?/.exec(handle);
      if (match === null) return [];
      const from = Number(match[1]);
      const to = match[2] === undefined ? from : Number(match[2]);
      return to < from ? [] : [{ from, to }];
    }),
  );
}

/**
 * The verdict on a statement: it stays; it stays but is marked, unless a model that reads its sources confirms it
 * (`doubtful`); it stays but is marked, since it shares no words with them; it is removed.
 */
export type Verdict = 'holds' | 'doubtful' | 'unverified' | 'fails';

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

const IS_HEADING = /^\s*#{1,6}\s/;

/** One statement of a note, or a heading: it may name things too, but states nothing. `number` counts both from 0. */
export interface PlacedStatement {
  readonly statement: Statement;
  readonly number: number;
  readonly isHeading: boolean;
}

/** The statements of a note, in order. */
export function placedStatements(note: string): PlacedStatement[] {
  let number = -1;
  return readStatements(note).flatMap(({ lead, parts }) =>
    parts.map(({ statement }) => {
      number += 1;
      return { statement, number, isHeading: IS_HEADING.test(lead) };
    }),
  );
}

/** Takes what fails out of a note, and marks what is doubtful or unverified. */
export function* sortStatements(
  note: string,
  judge: (placed: PlacedStatement) => Verdict,
): Generator<void, SortedNote, void> {
  const removed: string[] = [];
  const kept: string[] = [];
  let number = 0;
  let statements = 0;
  let holding = 0;
  let unverified = 0;
  for (const line of readStatements(note)) {
    const parts: string[] = [];
    const marked: string[] = [];
    const isHeading = IS_HEADING.test(line.lead);
    for (const { written, statement } of line.parts) {
      yield;
      const verdict = judge({ statement, number, isHeading });
      number += 1;
      if (!isHeading) {
        statements += 1;
        if (verdict !== 'fails') holding += 1;
      }
      if (verdict === 'fails') removed.push(statement.text);
      else (verdict === 'holds' || isHeading ? parts : marked).push(written);
    }
    unverified += marked.length;
    if (line.parts.length === 0 || parts.length > 0) kept.push(`${line.lead}${parts.join(' ')}`);
    // A line of its own, so that the mark applies to this statement and not to its neighbours.
    const lead = parts.length > 0 ? `${' '.repeat(line.lead.search(/\S|$/) + 2)}- ` : line.lead;
    kept.push(...marked.map((written) => `${lead}${written} ${UNVERIFIED}`));
  }
  return { text: withoutEmptySections(kept).join('\n').trim(), statements, kept: holding, removed, unverified };
}

/** Drops headings under which nothing is left. */
function withoutEmptySections(lines: readonly string[]): readonly string[] {
  return lines.filter((line, index) => {
    if (!IS_HEADING.test(line)) return true;
    const next = lines.slice(index + 1).find((other) => other.trim() !== '');
    return next !== undefined && !IS_HEADING.test(next);
  });
}

/** Shorter words occur near everything. Characters. */
const SHORTEST_WORD = 4;

/** The significant words and names of a text; in scripts without spaces each pair of characters counts as a word. */
export function tellingWords(text: string): ReadonlySet<string> {
  return new Set(termsOf(text).filter((term) => term.length >= SHORTEST_WORD || /[\d\p{Lo}]/u.test(term)));
}

/** The share of `wanted` that is in `there`, 0 to 1. */
export function share(wanted: ReadonlySet<string>, there: ReadonlySet<string>): number {
  let found = 0;
  for (const word of wanted) if (there.has(word)) found += 1;
  return found / Math.max(1, wanted.size);
}
