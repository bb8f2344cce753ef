import type { Transcript } from '../../messages/transcript.ts';
import type { Steps } from '../../steps.ts';
import { termsOf } from '../recall/terms.ts';
import { commandsIn, type NamedThing, namesIn } from './names.ts';
import { isHuman, Sources } from './sources.ts';
import {
  readStatements,
  type SortedNote,
  type Statement,
  sortStatements,
  tellingWords,
  UNVERIFIED,
  type Verdict,
} from './statements.ts';

/** A statement with fewer words cannot be checked by its words: "Finished.", "Open as task 4." */
const LEAST_WORDS = 3;
/** The share of a statement's words that must be in what it cites. */
const FOUND_SHARE = 0.15;

const WORST_FIRST: readonly Verdict[] = ['fails', 'doubtful'];

/**
 * A statement that cites more messages is judged as one without a source: all words are somewhere in half a conversation.
 */
const MOST_CITED = 64;

/**
 * Judges one statement by the names and commands in it, against the messages that it cites and all others; by its words
 * where it has neither, or what it cites lacks a name.
 */
export function judge(given: Statement, sources: Sources): Verdict {
  const cited = given.cites.reduce((sum, { from, to }) => sum + to - from + 1, 0);
  const statement = cited > MOST_CITED ? { ...given, cites: [] } : given;
  const names = namesIn(statement.text);
  const verdicts = [
    ...names.map((name) => judgeName(name, statement, sources)),
    ...commandsIn(statement.text).map((pieces): Verdict => (sources.haveTogether(pieces) ? 'holds' : 'fails')),
  ];
  const verdict = WORST_FIRST.find((one) => verdicts.includes(one)) ?? 'holds';
  const isOpen = verdict === 'doubtful' || verdicts.length === 0;
  return isOpen && !sharesWords(statement, names, sources) ? 'unverified' : verdict;
}

function judgeName(named: NamedThing, { cites }: Statement, sources: Sources): Verdict {
  const isCited = cites.length > 0;
  const name = isCited || named.base === undefined ? named : { ...named, forms: [...named.forms, named.base] };
  if (!sources.has(name)) return 'fails';
  return !isCited || sources.has(name, sources.blocksOf(cites)) ? 'holds' : 'doubtful';
}

/**
 * Whether the cited messages share words with a statement, apart from names; those of the human with what they answer.
 * Only then can a model that reads them confirm it.
 */
function sharesWords({ text, cites }: Statement, names: readonly NamedThing[], sources: Sources): boolean {
  const ofNames = new Set(names.flatMap(({ forms }) => forms.flatMap(termsOf)));
  const words = [...tellingWords(text)].filter((word) => !ofNames.has(word));
  if (cites.length === 0 || words.length < LEAST_WORDS) return true;
  const answered = [...sources.blocksOf(cites)].filter(isHuman);
  const ranges = [...cites, ...answered.map(({ range: { from, to } }) => ({ from: from - 1, to }))];
  const there = tellingWords(sources.textOf(sources.blocksOf(ranges)));
  return words.filter((word) => there.has(word)).length >= FOUND_SHARE * words.length;
}

/** A note and the verdict on each of its statements and headings, by their numbers. */
export interface AuditedNote extends SortedNote {
  /** As the model wrote it, without marks of its own: only what was judged is marked. */
  readonly note: string;
  readonly verdicts: readonly Verdict[];
}

/**
 * Checks a model's note statement by statement against the raw messages. A statement that names something no message
 * has is removed; one that may be true but is not supported where it should be is marked; the rest stays as written.
 */
export function* auditNote(written: string, transcript: Transcript): Steps<AuditedNote> {
  const note = written.replaceAll(UNVERIFIED, '');
  const sources = new Sources(transcript);
  yield* sources.read();
  const verdicts: Verdict[] = [];
  for (const statement of readStatements(note)) {
    yield;
    verdicts.push(judge(statement, sources));
  }
  return { ...sortStatements(note, verdicts), note, verdicts };
}
