import { comparable, indexAtBoundary } from '../../ledger/boundaries.ts';
import type { Fact } from '../../ledger/fact.ts';
import type { Message, MessageId } from '../../messages/message.ts';
import { mapInSteps, type Steps } from '../../steps.ts';
import type { Draft } from '../draft.ts';

const WORDS = /[A-Za-z0-9_]+/g;

/**
 * For each fact, the last message after its own in which human or agent named it again. A fact is looked for only where
 * the rarest of its words occurs, so the work grows with the text, not with facts times text.
 */
export function* findMentions(facts: readonly Fact[], draft: Draft): Steps<ReadonlyMap<Fact, MessageId>> {
  const mentions = new Map<Fact, MessageId>();
  if (facts.length === 0) return mentions;
  const said = yield* prose(draft);
  const places = new Map<string, Said[]>();
  const sought = yield* mapInSteps(facts, (fact) => {
    const value = comparable(fact.value);
    const words = keysOf(value);
    for (const word of words) places.set(word, []);
    return { fact, value, words };
  });
  yield* fillPlaces(places, said);
  for (const { fact, value, words } of sought) {
    yield;
    const near = rarest(words, places) ?? said;
    const last = near.findLast(({ at, text }) => at > fact.at && indexAtBoundary(text, value) >= 0);
    if (last !== undefined) mentions.set(fact, last.at);
  }
  return mentions;
}

interface Said {
  readonly at: MessageId;
  /** In the form of `comparable`. */
  readonly text: string;
}

/** What human and agent wrote, in order. */
function* prose(draft: Draft): Steps<Said[]> {
  const said: Said[] = [];
  for (const unit of draft.units) {
    for (const block of unit.blocks) {
      yield;
      for (const message of block.messages)
        if (isProse(message)) said.push({ at: message.id, text: comparable(message.text) });
    }
  }
  return said;
}

function isProse(message: Message): boolean {
  return message.role === 'assistant' || (message.role === 'user' && message.by === 'human');
}

/** Finds the messages in which each of some words occurs. */
function* fillPlaces(places: ReadonlyMap<string, Said[]>, said: readonly Said[]): Steps<void> {
  for (const one of said) {
    yield;
    for (const word of new Set(wordsOf(one.text))) places.get(word)?.push(one);
  }
}

/** The words by which a value can be looked for: whatever text names the value has each of them as a word. */
function keysOf(value: string): readonly string[] {
  // Next to a letter of another script, words end by other rules.
  return /[^\x20-\x7e]/.test(value) ? [] : wordsOf(value);
}

function wordsOf(text: string): readonly string[] {
  return text.match(WORDS) ?? [];
}

/** The shortest list of messages that can name a text with these words; undefined without words. */
function rarest(words: readonly string[], places: ReadonlyMap<string, readonly Said[]>): readonly Said[] | undefined {
  let fewest: readonly Said[] | undefined;
  for (const word of words) {
    const found = places.get(word) ?? [];
    if (fewest === undefined || found.length < fewest.length) fewest = found;
  }
  return fewest;
}
