import type { Transcript } from '../../messages/transcript.ts';
import type { Steps } from '../../steps.ts';
import { statementsOf } from '../audit/sortStatements.ts';
import type { Statement } from '../audit/statements.ts';
import { tellingWords } from '../audit/words.ts';
import { Excerpts } from '../recall/excerpts.ts';
import type { Passage, PassageIndex } from '../recall/passageIndex.ts';
import { termsOf } from '../recall/terms.ts';
import type { CheckPrompt } from './checkPrompt.ts';

/** The most passages that are quoted for one statement. */
const MOST_PASSAGES = 4;

/** A request, and the number in the note of each of its statements. */
export interface Check extends CheckPrompt {
  readonly numbers: readonly number[];
}

/** Puts the statements of a note together with what they cite, `room` characters of statements and excerpts a request. */
export function* planChecks(
  note: string,
  { transcript, index }: { readonly transcript: Transcript; readonly index: PassageIndex },
  room: number,
): Steps<readonly Check[]> {
  const statements = [...statementsOf(note)];
  const terms = new Set(statements.flatMap(({ text }) => termsOf(text)));
  const checks: Check[] = [];
  let made = startCheck(transcript, terms, room);
  for (const [number, statement] of statements.entries()) {
    yield;
    const passages = passagesFor(statement, index);
    const size = passages.reduce((sum, { text }) => sum + text.length, statement.text.length);
    if (made.size > 0 && made.size + size > room) {
      checks.push(made.end());
      made = startCheck(transcript, terms, room);
    }
    made.add(number, statement, passages, size);
  }
  return made.size === 0 ? checks : [...checks, made.end()];
}

/** A request while it is made. */
function startCheck(transcript: Transcript, terms: ReadonlySet<string>, room: number) {
  const excerpts = new Excerpts(transcript, terms, room);
  const statements: string[] = [];
  const numbers: number[] = [];
  return {
    /** Characters, if nothing that is quoted twice were left out. */
    size: 0,
    add(number: number, statement: Statement, passages: readonly Passage[], size: number): void {
      this.size += size;
      numbers.push(number);
      statements.push(asWritten(statement));
      for (const passage of passages) excerpts.add(passage);
    },
    end: (): Check => ({
      numbers,
      statements,
      excerpts: [...excerpts.write()].sort((one, other) => at(one) - at(other)),
    }),
  };
}

/** The passages of what a statement cites, or of all messages where it cites none, that have most of its words. */
function passagesFor({ text, cites }: Statement, index: PassageIndex): readonly Passage[] {
  const isCited = ({ places }: Passage) =>
    cites.some(({ from, to }) => places.some(({ message }) => from <= message && message <= to));
  const found = index.search(text, { most: MOST_PASSAGES, ...(cites.length > 0 && { among: isCited }) });
  const left = new Set(tellingWords(text));
  // One without a word that a better one lacks adds nothing.
  return found.flatMap(({ passage }) => {
    const before = left.size;
    for (const word of tellingWords(passage.text)) left.delete(word);
    return left.size < before ? [passage] : [];
  });
}

function at({ handle }: CheckPrompt['excerpts'][number]): number {
  return Number(/\d+/.exec(handle)?.[0]);
}

function asWritten({ text, cites }: Statement): string {
  const handles = cites.map(({ from, to }) => (from === to ? `t${from}` : `t${from}-${to}`));
  return handles.length === 0 ? text : `${text} [${handles.join(', ')}]`;
}
