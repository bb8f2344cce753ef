import type { Steps } from '../../steps.ts';
import type { PlacedStatement } from '../audit/sortStatements.ts';
import type { Statement } from '../audit/statements.ts';
import { tellingWords } from '../audit/words.ts';
import { Excerpts } from '../recall/excerpts.ts';
import type { Passage, PassageIndex, Place } from '../recall/passageIndex.ts';
import { termsOf } from '../recall/terms.ts';
import type { CheckPrompt } from './checkPrompt.ts';
import type { NoteWriting } from './writeNote.ts';

/** The most passages that are quoted for one statement. */
const MOST_PASSAGES = 4;
/** Characters. */
const SHORT_ANSWER = 240;
/** What the label of an excerpt may take. Tokens. */
const LABEL_TOKENS = 60;

/** A request, and the number in the note of each of its statements. */
export interface Check extends CheckPrompt {
  readonly numbers: readonly number[];
}

/**
 * Puts statements of a note together with what they cite, at most `room` tokens of both a request. A statement of
 * which nothing is found, or that does not fit alone, is not asked about.
 */
export function* planChecks(
  statements: readonly PlacedStatement[],
  { transcript, index, countText }: Pick<NoteWriting, 'transcript' | 'index' | 'countText'>,
  room: number,
): Steps<readonly Check[]> {
  const terms = new Set(statements.flatMap(({ statement }) => termsOf(statement.text)));
  const start = () => ({
    excerpts: new Excerpts(transcript, terms, room, countText),
    statements: [] as string[],
    numbers: [] as number[],
  });
  let made = start();
  const all = [made];
  for (const { number, statement } of statements) {
    yield;
    const passages = passagesFor(statement, index);
    if (passages.length === 0) continue;
    const written = asWritten(statement);
    const texts = passages.map(({ text }) => text);
    const size = countText([written, ...texts].join('\n')) + passages.length * LABEL_TOKENS;
    if (size > made.excerpts.room) {
      made = start();
      all.push(made);
    }
    if (size > room) continue;
    made.excerpts.reserve(written);
    made.numbers.push(number);
    made.statements.push(written);
    for (const passage of passages) made.excerpts.add(passage, placeIn(passage, statement));
  }
  return all
    .filter(({ numbers }) => numbers.length > 0)
    .map((one) => ({ ...one, excerpts: [...one.excerpts.write()].sort((left, right) => at(left) - at(right)) }));
}

/**
 * The passages of what a statement cites, or of all messages where it cites none, that have most of its words; and the
 * user's short answers that it cites, which have few words in common with what they settle.
 */
function passagesFor({ text, cites }: Statement, index: PassageIndex): readonly Passage[] {
  const isCited = ({ places }: Passage) => places.some((place) => isAt(place, cites));
  const found = index.search(text, { most: MOST_PASSAGES, ...(cites.length > 0 && { among: isCited }) });
  const left = new Set(tellingWords(text));
  // One without a word that a better one lacks adds nothing.
  const telling = found.flatMap(({ passage }) => {
    const before = left.size;
    for (const word of tellingWords(passage.text)) left.delete(word);
    return left.size < before ? [passage] : [];
  });
  if (cites.length === 0) return telling;
  const others = index.passages.filter((passage) => isCited(passage) && !telling.includes(passage));
  const answers = others.filter((passage) => passage.kind === 'human' && passage.text.length <= SHORT_ANSWER);
  const more = telling.length === 0 && answers.length === 0 ? others : answers;
  return [...telling, ...more.slice(0, MOST_PASSAGES)];
}

/** Where a passage is shown: in a message that the statement cites, else where it was last. */
function placeIn({ places }: Passage, { cites }: Statement): Place | undefined {
  return places.findLast((place) => isAt(place, cites));
}

function isAt({ message }: Place, cites: Statement['cites']): boolean {
  return cites.some(({ from, to }) => from <= message && message <= to);
}

function at({ handle }: CheckPrompt['excerpts'][number]): number {
  return Number(/\d+/.exec(handle)?.[0]);
}

function asWritten({ text, cites }: Statement): string {
  const handles = cites.map(({ from, to }) => (from === to ? `t${from}` : `t${from}-${to}`));
  return handles.length === 0 ? text : `${text} [${handles.join(', ')}]`;
}
