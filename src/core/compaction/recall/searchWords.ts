import { handleOf, parseHandle } from '../../messages/handle.ts';
import type { MessageId, MessageRange } from '../../messages/message.ts';
import type { Transcript } from '../../messages/transcript.ts';
import type { Steps } from '../../steps.ts';
import { Excerpts } from './excerpts.ts';
import type { Passage, PassageIndex, Place } from './passageIndex.ts';
import { hasPhrase, phraseOf, quotedPhrases } from './phrases.ts';
import type { RecallAnswer, Recalled } from './recalled.ts';
import { wantedOf } from './terms.ts';

/** After this many passages that do not fit or say nothing new, the answer is as full as it gets. */
const MOST_PASSED_OVER = 60;

/** Passages that are compared with the phrases in one step. */
const COMPARED_IN_STEP = 200;

/** Lines of calls and output are shown for words at least this share as significant as the most significant one. */
const SHOWN_TELLING = 0.5;

/** Only this much of a query is searched for, and this many of its phrases: a model may ask with a whole file. */
const MOST_ASKED = 4_000;
const MOST_PHRASES = 8;

/** What a word search needs. `room` is for handles, labels and excerpts together, characters. */
export interface WordSearch {
  readonly transcript: Transcript;
  readonly index: PassageIndex;
  readonly query: string;
  readonly room: number;
  /** The messages that the model has before it: what it lacks goes first. */
  readonly inView: ReadonlySet<MessageId>;
  /** Where to look; without it, everywhere but in the prompt, which is always in the view. */
  readonly within?: readonly MessageRange[];
}

/**
 * The best excerpts for some words: first where the whole query or a quoted phrase of it occurs word for word, then
 * what has the most significant words; of these, what the view lacks before what it has.
 */
export function* searchWords(search: WordSearch): Steps<RecallAnswer> {
  const { transcript, index, room } = search;
  yield* index.update();
  const query = search.query.slice(0, MOST_ASKED);
  const hits = yield* rank({ ...search, query });
  const notice = hits.length === 0 ? nothingFound(search) : absentWords(query, index);
  const excerpts = new Excerpts(transcript, index.tellingTerms(query, SHOWN_TELLING), room - (notice?.length ?? 0));
  let passedOver = 0;
  for (const passage of hits) {
    if (passedOver > MOST_PASSED_OVER) break;
    if (
      !excerpts.add(
        passage,
        passage.places.findLast((place) => isWithin(place, search)),
      )
    )
      passedOver += 1;
    yield;
  }
  const entries = excerpts.write();
  const isSeen = ({ handle }: Recalled): boolean => search.inView.has(parseHandle(handle)?.from ?? -1);
  const found = [...entries.filter((entry) => !isSeen(entry)), ...entries.filter(isSeen)];
  return { kind: 'searched', found, ...(notice !== undefined && { notice }) };
}

function isWithin({ message }: Place, { within }: Pick<WordSearch, 'within'>): boolean {
  return within === undefined || within.some(({ from, to }) => from <= message && message <= to);
}

function* rank(search: WordSearch): Steps<readonly Passage[]> {
  const { index, query, within } = search;
  const among = ({ kind, places }: Passage): boolean =>
    within === undefined ? kind !== 'system' : places.some((place) => isWithin(place, search));
  const scores = new Map<Passage, { phrases: number; score: number }>();
  for (const { passage, score } of index.search(query, { among })) {
    scores.set(passage, { phrases: 0, score });
  }
  yield;
  const phrases = [...new Set([phraseOf(query), ...quotedPhrases(query)])].filter((phrase) => phrase !== '');
  for (const [at, passage] of index.passages.entries()) {
    if (at % COMPARED_IN_STEP === COMPARED_IN_STEP - 1) yield;
    const has = phrases.slice(0, MOST_PHRASES).filter((phrase) => hasPhrase(passage.text, phrase)).length;
    if (has > 0 && among(passage)) scores.set(passage, { score: scores.get(passage)?.score ?? 0, phrases: has });
  }
  return [...scores]
    .sort(([, left], [, right]) => right.phrases - left.phrases || right.score - left.score)
    .map(([passage]) => passage);
}

/** The words of a query that occur nowhere in the conversation. */
function absentWords(query: string, index: PassageIndex): string | undefined {
  const absent = wantedOf(query).filter(({ whole, parts }) => ![whole, ...parts].some((term) => index.has(term)));
  return absent.length === 0
    ? undefined
    : `Not in this conversation: ${clip(absent.map(({ text }) => text).join(', '))}.`;
}

/** The most of a question that an answer repeats, in characters: a model may ask with a whole file. */
const MOST_REPEATED = 200;

function clip(text: string): string {
  return text.length > MOST_REPEATED ? `${text.slice(0, MOST_REPEATED).toWellFormed()}…` : text;
}

function nothingFound({ query, within, transcript }: WordSearch): string {
  const asked = `Nothing found for ${JSON.stringify(clip(query))} in`;
  if (within !== undefined)
    return `${asked} ${clip(within.map(handleOf).join(', '))}. Open it without words, or by its lines.`;
  return (
    `${asked} what was said, called and printed in ${transcript.messages.length} messages. ` +
    'Try other or fewer words, a part of a name, a file name, or a handle such as "t41".'
  );
}
