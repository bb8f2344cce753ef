import type { Transcript } from '../../messages/transcript.ts';
import type { Steps } from '../../steps.ts';
import type { PassageIndex } from '../recall/passageIndex.ts';
import { termsOf } from '../recall/terms.ts';
import { commandsIn, type NamedThing, namesIn } from './names.ts';
import { isHuman, Sources } from './sources.ts';
import {
  readStatements,
  type SortedNote,
  type Statement,
  share,
  sortStatements,
  tellingWords,
  UNVERIFIED,
  type Verdict,
} from './statements.ts';

/** A statement with fewer words cannot be checked by its words: "Finished.", "Open as task 4." */
const LEAST_WORDS = 3;
/** The share of a statement's words that must be in a message it cites or that a search for it finds. */
const FOUND_SHARE = 0.15;
/** For a statement without a source, at most this many search results are looked at. */
const MOST_FOUND = 16;

const WORST_FIRST: readonly Verdict[] = ['fails', 'unverified', 'doubtful'];

/**
 * A statement that cites more messages is judged as one without a source: all words are somewhere in half a conversation,
 * and reading that much at once would make the editor wait.
 */
const MOST_CITED = 64;

/** Judges one statement against the raw messages: the cited ones first, then wherever a search for its words leads. */
export function judge(given: Statement, sources: Sources, index: PassageIndex): Verdict {
  const cited = given.cites.reduce((sum, { from, to }) => sum + to - from + 1, 0);
  const statement = cited > MOST_CITED ? { ...given, cites: [] } : given;
  const words = tellingWords(statement.text);
  const names = namesIn(statement.text);
  const verdicts = [
    ...names.map((name) => judgeName(name, statement, sources)),
    ...commandsIn(statement.text).map((pieces): Verdict => (sources.haveTogether(pieces) ? 'holds' : 'fails')),
  ];
  const needsWords = verdicts.length === 0 || statement.cites.length === 0;
  if (needsWords && !isFound(statement, words, sources, index)) verdicts.push('doubtful');
  const verdict = WORST_FIRST.find((one) => verdicts.includes(one)) ?? 'holds';
  return verdict === 'doubtful' && !sharesWords(statement, withoutNames(words, names), sources)
    ? 'unverified'
    : verdict;
}

function judgeName(named: NamedThing, { cites }: Statement, sources: Sources): Verdict {
  const isCited = cites.length > 0;
  const name = isCited || named.base === undefined ? named : { ...named, forms: [...named.forms, named.base] };
  if (!sources.has(name)) return 'fails';
  return !isCited || sources.has(name, sources.blocksOf(cites)) ? 'holds' : 'doubtful';
}

function withoutNames(words: ReadonlySet<string>, names: readonly NamedThing[]): ReadonlySet<string> {
  const ofNames = new Set(names.flatMap(({ forms }) => forms.flatMap(termsOf)));
  return new Set([...words].filter((word) => !ofNames.has(word)));
}

/** Whether a statement shares words with what it cites or, without citations, with a message that a search finds. */
function isFound(statement: Statement, words: ReadonlySet<string>, sources: Sources, index: PassageIndex): boolean {
  const { text, cites } = statement;
  if (cites.length > 0 || words.size < LEAST_WORDS) return sharesWords(statement, words, sources);
  const found = index.search(text, { most: MOST_FOUND });
  return found.some(({ passage }) => share(words, tellingWords(passage.text)) >= FOUND_SHARE);
}

/**
 * Whether the cited messages share words with a statement; those of the human with what they answer. Only then can a
 * model that reads them confirm what the comparison of words doubts.
 */
function sharesWords({ cites }: Statement, words: ReadonlySet<string>, sources: Sources): boolean {
  if (cites.length === 0 || words.size < LEAST_WORDS) return true;
  const answered = [...sources.blocksOf(cites)].filter(isHuman);
  const ranges = [...cites, ...answered.map(({ range: { from, to } }) => ({ from: from - 1, to }))];
  return share(words, tellingWords(sources.textOf(sources.blocksOf(ranges)))) >= FOUND_SHARE;
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
export function* auditNote(written: string, transcript: Transcript, index: PassageIndex): Steps<AuditedNote> {
  const note = written.replaceAll(UNVERIFIED, '');
  const sources = new Sources(transcript);
  yield* sources.read();
  yield* index.update();
  const verdicts: Verdict[] = [];
  for (const statement of readStatements(note)) {
    yield;
    verdicts.push(judge(statement, sources, index));
  }
  return { ...sortStatements(note, verdicts), note, verdicts };
}
