import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import * as z from 'zod';

const questionShape = z.object({
  n: z.int(),
  /** What is asked for: a wish of the human, a finding, the state of the work, an exact value. */
  kind: z.string(),
  question: z.string(),
  /** Literal strings that any text with the answer almost certainly contains. */
  atoms: z.array(z.string()).min(1),
});

const examShape = z.object({ cut: z.int(), questions: z.array(questionShape).min(1) });

/** A question about what came before a point of a session, and was needed after it. */
export type Question = z.infer<typeof questionShape>;

/** The questions of one session; `cut` is the number of messages before the point. */
export interface Exam extends z.infer<typeof examShape> {
  readonly session: string;
}

/**
 * The exams of a folder: `SESSION.json` with `{cut, questions: [{n, kind, question, atoms}]}`.
 * @throws when a file is no exam
 */
export function readExams(folder: string): Exam[] {
  return readdirSync(folder)
    .filter((name) => name.endsWith('.json'))
    .sort()
    .map((name) => ({
      session: name.replace(/\.json$/, ''),
      ...examShape.parse(JSON.parse(readFileSync(join(folder, name), 'utf8'))),
    }));
}

/** The share of a question's atoms that are in a text, 0 to 1. Case, blanks and escapes of JSON do not count. */
export function atomShare(question: Question, text: string): number {
  const seen = plain(text);
  return question.atoms.filter((atom) => seen.includes(plain(atom))).length / question.atoms.length;
}

function plain(text: string): string {
  return text
    .replace(/\\n|\\t/g, ' ')
    .replace(/\\"/g, '"')
    .replace(/\s+/g, ' ')
    .toLowerCase();
}
