import { handleOf } from '../../messages/handle.ts';
import type { MessageRange } from '../../messages/message.ts';
import type { Transcript } from '../../messages/transcript.ts';
import type { Steps } from '../../steps.ts';
import { Excerpts } from './excerpts.ts';
import { isIn, type Passage, type PassageIndex } from './passageIndex.ts';
import type { RecallAnswer, Recalled } from './recalled.ts';
import { wantedOf } from './terms.ts';

/** The search stops after this many passages that do not fit or repeat what is shown. */
const MOST_PASSED_OVER = 60;

/** Passages that are compared with the phrases in one step. */
const COMPARED_IN_STEP = 200;

/** Lines of calls and output are shown for words at least this share as significant as the most significant one. */
const SHOWN_TELLING = 0.5;

/** Only this much of a query is searched for, and this many of its phrases: a model may ask with a whole file. */
const MOST_ASKED = 4_000;
const MOST_PHRASES = 8;

/** This many messages that are not shown are named, which takes this room of a longer answer. Characters. */
const MOST_NAMED = 8;
const NAMES_ROOM = 120;
const LONGER = 1_200;

/** What a word search needs. `room` is for handles, labels and excerpts together, characters. */
export interface WordSearch {
  readonly transcript: Transcript;
  readonly index: PassageIndex;
  readonly query: string;
  readonly room: number;
  /** Where to look; without it, everywhere but in the prompt, which is always in the view. */
  readonly within: readonly MessageRange[] | undefined;
}

/**
 * The best excerpts for some words: first where the whole query or a quoted phrase of it occurs word for word, then
 * what has the most significant words.
 */
export function* searchWords(search: WordSearch): Steps<RecallAnswer> {
  const { transcript, index, room } = search;
  yield* index.update();
  const query = search.query.slice(0, MOST_ASKED);
  const hits = yield* rank({ ...search, query });
  if (hits.length === 0) return { kind: 'searched', found: [], notice: nothingFound(search) };
  const absent = absentWords(query, index);
  const isLonger = room >= LONGER;
  const left = room - (writeAbsent(absent)?.length ?? 0) - (isLonger ? NAMES_ROOM : 0);
  const excerpts = new Excerpts(transcript, index.tellingTerms(query, SHOWN_TELLING), left);
  let passedOver = 0;
  for (const passage of hits) {
    if (passedOver > MOST_PASSED_OVER) break;
    const place = passage.places.findLast((one) => search.within === undefined || isIn(one, search.within));
    if (!excerpts.add(passage, place)) passedOver += 1;
    yield;
  }
  const found = excerpts.write();
  const shown = found.map(({ text }) => text.toLowerCase()).join('\n');
  const notice = [
    // A part of a longer word is no word to the index, but the reader sees it.
    writeAbsent(absent.filter((word) => !shown.includes(word.toLowerCase()))),
    isLonger ? othersOf(hits, found) : undefined,
  ].filter((part) => part !== undefined);
  return { kind: 'searched', found, ...(notice.length > 0 && { notice: notice.join(' ') }) };
}

/** How many messages have some of the words, and which of those that are not shown match best. */
function othersOf(hits: readonly Passage[], found: readonly Recalled[]): string | undefined {
  const handles = new Set(hits.map(({ places }) => `t${places.at(-1)?.message}`));
  const all = handles.size;
  for (const { handle } of found) handles.delete(handle);
  if (handles.size === 0) return undefined;
  return `The best of ${all} messages; others: ${[...handles].slice(0, MOST_NAMED).join(', ')}.`;
}

function* rank(search: WordSearch): Steps<readonly Passage[]> {
  const { index, query, within } = search;
  const among = ({ kind, places }: Passage): boolean =>
    kind !== 'system' && (within === undefined || places.some((place) => isIn(place, within)));
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
function absentWords(query: string, index: PassageIndex): string[] {
  const absent = wantedOf(query).filter(({ whole, parts }) => ![whole, ...parts].some((term) => index.has(term)));
  return absent.map(({ text }) => text);
}

function writeAbsent(words: readonly string[]): string | undefined {
  return words.length === 0 ? undefined : `Not in this conversation: ${clip(words.join(', '))}.`;
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

/** Text in quotation marks (straight, typographic) or backticks, of two characters or more. */
const QUOTED = /"([^"]{2,400})"|“([^”]{2,400})”|„([^“”]{2,400})[“”]|«([^»]{2,400})»|`([^`]{2,400})`/g;

/** The quoted phrases of a query, in the form of `phraseOf`. */
export function quotedPhrases(query: string): readonly string[] {
  return [...query.matchAll(QUOTED)].map((match) => phraseOf(match.slice(1).find((part) => part !== undefined) ?? ''));
}

/** A text in the form in which it is compared: case and white space do not count. */
export function phraseOf(text: string): string {
  return text.replace(/\s+/g, ' ').trim().toLowerCase();
}

/** True when a text has a phrase (of `phraseOf`) word for word. */
export function hasPhrase(text: string, phrase: string): boolean {
  const lower = text.toLowerCase();
  if (lower.includes(phrase)) return true;
  const blank = phrase.indexOf(' ');
  return blank > 0 && lower.includes(phrase.slice(0, blank)) && phraseOf(text).includes(phrase);
}
