import { comparable, indexAtBoundary } from '../../ledger/boundaries.ts';
import type { Fact } from '../../ledger/fact.ts';
import { isClientMade } from '../../messages/human.ts';
import type { Message, MessageId } from '../../messages/message.ts';
import type { Steps } from '../../steps.ts';
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
  const places = yield* findWords(new Set(facts.flatMap(({ value }) => keysOf(comparable(value)))), said);
  for (const fact of facts) {
    yield;
    const value = comparable(fact.value);
    const near = rarest(keysOf(value), places) ?? said;
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

function isProse({ role, text }: Message): boolean {
  return role === 'assistant' || (role === 'user' && !isClientMade(text));
}

/** The messages in which each of some words occurs. */
function* findWords(wanted: ReadonlySet<string>, said: readonly Said[]): Steps<ReadonlyMap<string, readonly Said[]>> {
  const places = new Map<string, Said[]>([...wanted].map((word) => [word, []]));
  for (const one of said) {
    yield;
    for (const word of new Set(wordsOf(one.text))) places.get(word)?.push(one);
  }
  return places;
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
