import { readStatements, type Statement } from './statements.ts';

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

const HEADING = /^\s*#{1,6}\s/;

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
      return { statement, number, isHeading: HEADING.test(lead) };
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
    const isHeading = HEADING.test(line.lead);
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
    if (!HEADING.test(line)) return true;
    const next = lines.slice(index + 1).find((other) => other.trim() !== '');
    return next !== undefined && !HEADING.test(next);
  });
}
