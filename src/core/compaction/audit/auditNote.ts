import type { Transcript } from '../../messages/transcript.ts';
import type { Steps } from '../../steps.ts';
import type { PassageIndex } from '../recall/passageIndex.ts';
import { judge } from './judge.ts';
import { Sources } from './sources.ts';
import { readStatements } from './statements.ts';

/** What the check of a model's note came to. */
export interface AuditedNote {
  /** The note without what does not hold. */
  readonly text: string;
  readonly statements: number;
  /** How many stand, those marked as unverified included. */
  readonly kept: number;
  readonly removed: readonly string[];
  readonly unverified: number;
}

/** Stands behind a statement for which no support was found near what it names. */
export const UNVERIFIED = '*(unverified)*';

const HEADING = /^\s*#{1,6}\s/;

/**
 * Checks a model's note statement by statement against the raw messages. What names something that no message has is
 * taken out; what may be true and is not supported where it should be is marked; the rest stands as it was written.
 */
export function* auditNote(note: string, transcript: Transcript, index: PassageIndex): Steps<AuditedNote> {
  const sources = new Sources(transcript);
  yield* sources.read();
  yield* index.update();
  const removed: string[] = [];
  const kept: string[] = [];
  let statements = 0;
  let holding = 0;
  let unverified = 0;
  for (const line of readStatements(note)) {
    const parts: string[] = [];
    const marked: string[] = [];
    for (const { written, statement } of line.parts) {
      yield;
      const verdict = judge(statement, sources, index);
      // A heading may name things too, but it is no statement.
      const isHeading = HEADING.test(line.lead);
      if (!isHeading) {
        statements += 1;
        if (verdict !== 'fails') holding += 1;
      }
      if (verdict === 'fails') removed.push(statement.text);
      else (verdict === 'holds' || isHeading ? parts : marked).push(written);
    }
    unverified += marked.length;
    if (line.parts.length === 0 || parts.length > 0) kept.push(`${line.lead}${parts.join(' ')}`);
    // A line of its own: the mark is of this statement and not of its neighbours.
    const lead = parts.length > 0 ? `${' '.repeat(line.lead.search(/\S|$/) + 2)}- ` : line.lead;
    kept.push(...marked.map((written) => `${lead}${written} ${UNVERIFIED}`));
  }
  return {
    text: withoutEmptySections(kept).join('\n').trim(),
    statements,
    kept: holding,
    removed,
    unverified,
  };
}

/** A heading under which nothing is left says nothing. */
function withoutEmptySections(lines: readonly string[]): readonly string[] {
  return lines.filter((line, index) => {
    if (!HEADING.test(line)) return true;
    const next = lines.slice(index + 1).find((other) => other.trim() !== '');
    return next !== undefined && !HEADING.test(next);
  });
}
