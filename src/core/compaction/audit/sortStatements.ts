import { readStatements, type Statement } from './statements.ts';

/** The verdict on a statement: it stays, it stays but is marked, or it is removed. */
export type Verdict = 'holds' | 'unverified' | 'fails';

/** A note after its statements were judged. */
export interface SortedNote {
  /** The note without the statements that do not hold. */
  readonly text: string;
  readonly statements: number;
  /** How many statements stay, including those marked as unverified. */
  readonly kept: number;
  readonly removed: readonly string[];
  readonly unverified: number;
}

/** Follows a statement for which no support was found. */
export const UNVERIFIED = '*(unverified)*';

const HEADING = /^\s*#{1,6}\s/;

/** One statement of a note in its place. `number` counts from 0; a heading may name things too, but is no statement. */
export interface PlacedStatement {
  readonly statement: Statement;
  readonly number: number | undefined;
}

/** The statements of a note, in order, without headings and without what is marked already. */
export function* statementsOf(note: string): Generator<Statement> {
  for (const line of readStatements(note)) {
    if (HEADING.test(line.lead) || isMarked(line.parts)) continue;
    for (const { statement } of line.parts) yield statement;
  }
}

/**
 * Takes what fails out of a note, and marks what is unverified. What was marked before stays as it is and is not judged
 * again, so that numbers are those of `statementsOf`.
 */
export function* sortStatements(
  note: string,
  judge: (placed: PlacedStatement) => Verdict,
): Generator<void, SortedNote, void> {
  const removed: string[] = [];
  const kept: string[] = [];
  let statements = 0;
  let holding = 0;
  let unverified = 0;
  for (const line of readStatements(note)) {
    if (isMarked(line.parts)) {
      kept.push(`${line.lead}${line.parts.map(({ written }) => written).join(' ')}`);
      continue;
    }
    const parts: string[] = [];
    const marked: string[] = [];
    const isHeading = HEADING.test(line.lead);
    for (const { written, statement } of line.parts) {
      yield;
      const verdict = judge({ statement, number: isHeading ? undefined : statements });
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

function isMarked(parts: readonly { readonly written: string }[]): boolean {
  return parts.some(({ written }) => written.includes(UNVERIFIED));
}

/** Drops headings under which nothing is left. */
function withoutEmptySections(lines: readonly string[]): readonly string[] {
  return lines.filter((line, index) => {
    if (!HEADING.test(line)) return true;
    const next = lines.slice(index + 1).find((other) => other.trim() !== '');
    return next !== undefined && !HEADING.test(next);
  });
}
