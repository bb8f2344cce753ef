import type { Transcript } from '../../messages/transcript.ts';
import type { Steps } from '../../steps.ts';
import { Excerpts } from './excerpts.ts';
import type { PassageIndex, Scored } from './passageIndex.ts';
import { hasPhrase, phraseOf, quotedPhrases } from './phrases.ts';
import type { RecallAnswer } from './recalled.ts';
import { wantedOf } from './terms.ts';

/** After this many passages that do not fit or say nothing new, the answer is as full as it gets. */
const MOST_PASSED_OVER = 60;

/** Passages that are compared with the phrases in one step. */
const COMPARED_IN_STEP = 200;

/** Lines of calls and output are shown for words at least this share as significant as the most significant one. */
const SHOWN_TELLING = 0.5;

/** What a word search needs. `room` is for handles, labels and excerpts together, characters. */
export interface WordSearch {
  readonly transcript: Transcript;
  readonly index: PassageIndex;
  readonly query: string;
  readonly room: number;
}

/**
 * The best excerpts for some words: first where the whole query or a quoted phrase of it occurs word for word, then
 * what has the most significant words. Leaves out the prompt, which is always in the view.
 */
export function* searchWords({ transcript, index, query, room }: WordSearch): Steps<RecallAnswer> {
  yield* index.update();
  const hits = yield* rank(index, query);
  const notice = hits.length === 0 ? nothingFound(query, transcript.messages.length) : missingWords(query, hits);
  const excerpts = new Excerpts(transcript, index.tellingTerms(query, SHOWN_TELLING), room - (notice?.length ?? 0));
  let passedOver = 0;
  for (const { passage } of hits) {
    if (passedOver > MOST_PASSED_OVER) break;
    if (!excerpts.add(passage)) passedOver += 1;
    yield;
  }
  return { kind: 'searched', found: excerpts.write(), ...(notice !== undefined && { notice }) };
}

function* rank(index: PassageIndex, query: string): Steps<readonly Scored[]> {
  const scored = index.search(query, { among: ({ kind }) => kind !== 'system' });
  yield;
  const phrases = [...new Set([phraseOf(query), ...quotedPhrases(query)])].filter((phrase) => phrase !== '');
  const byPassage = new Map(scored.map((hit) => [hit.passage, hit]));
  const literal: { readonly hit: Scored; readonly phrases: number }[] = [];
  for (const [at, passage] of index.passages.entries()) {
    if (at % COMPARED_IN_STEP === COMPARED_IN_STEP - 1) yield;
    if (passage.kind === 'system') continue;
    const has = phrases.filter((phrase) => hasPhrase(passage.text, phrase)).length;
    if (has > 0) literal.push({ hit: byPassage.get(passage) ?? { passage, score: 0, missing: [] }, phrases: has });
  }
  literal.sort((left, right) => right.phrases - left.phrases || right.hit.score - left.hit.score);
  return [...new Set([...literal.map(({ hit }) => hit), ...scored])];
}

function missingWords(query: string, hits: readonly Scored[]): string | undefined {
  if (hits.some(({ missing }) => missing.length === 0)) return undefined;
  const nowhere = hits.reduce((words, { missing }) => words.filter((word) => missing.includes(word)), allWords(query));
  const ending = nowhere.length === 0 ? '' : ` Not found: ${clip(nowhere.join(', '))}.`;
  return `No passage has all of these words; here are the best with some of them.${ending}`;
}

function allWords(query: string): string[] {
  return wantedOf(query).map(({ text }) => text);
}

/** The most of a question that an answer repeats, in characters: a model may ask with a whole file. */
const MOST_REPEATED = 200;

function clip(text: string): string {
  return text.length > MOST_REPEATED ? `${text.slice(0, MOST_REPEATED).toWellFormed()}…` : text;
}

function nothingFound(query: string, messages: number): string {
  return (
    `Nothing found for ${JSON.stringify(clip(query))} in what was said, called and printed in ${messages} messages. ` +
    'Try other or fewer words, a part of a name, a file name, or a handle such as "t41".'
  );
}
