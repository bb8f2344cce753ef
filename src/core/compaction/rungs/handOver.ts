import { findHolding } from '../../messages/blocks.ts';
import type { ChatMessage } from '../../messages/chat.ts';
import { handleOf } from '../../messages/handle.ts';
import { contentText } from '../../messages/parse.ts';
import type { Steps } from '../../steps.ts';
import { type Change, type Draft, evenCap, findRuns, isFrozen, tailStart, type Unit } from '../draft.ts';
import { dropNarratives, MOST_NARRATIVES, narrativeTokens } from '../notes/narrative.ts';
import { noteRuns } from '../notes/notePlan.ts';
import { rulesIn } from '../notes/said.ts';
import { CHARACTERS_A_TOKEN, MASKED, shortenMessage, shortenWritten } from '../shorten.ts';
import { runsToNote } from '../strategies/noteRuns.ts';
import type { Rung } from '../strategy.ts';

/**
 * Messages of the human are cut, the longest first, to this share of the free room; what the notes do not need of it
 * makes them longer again at the end.
 */
const HUMANS_SHARE = 1 / 3;
/** The first request may take this share of what all messages of the human may take. */
const FIRST_SHARE = 0.25;
/** No message of the human is cut to less than this. Tokens. */
const LEAST_HUMAN = 150;

/**
 * Replaces older turns by notes that quote what is worth most of them until the target is full, one note for each run
 * between the messages that the human wrote, which stay real messages in their places.
 */
export const handOver: Rung = {
  id: 'hand-over',
  *plan(draft, input) {
    const end = tailStart(draft, input.target);
    const kept = yield* shortenHumans(draft, freeRoom(draft, input.target) * HUMANS_SHARE);
    const runs = yield* runsToNote(kept, 0, end, input.target, (unit) => unit.role === 'work');
    return yield* noteRuns(kept, runs, input);
  },
};

/**
 * The last resort: the oldest messages, those of the human too, become one note for each run between frozen units, and
 * what the human wrote in it becomes one message beside it: rules first, then a line of each, then more. The first
 * request stays where it is, unless there is no room at all.
 */
export const reset: Rung = {
  id: 'reset',
  *plan(draft, input) {
    const few = narrativeTokens(draft) <= input.target * MOST_NARRATIVES;
    const start = few ? draft : yield* dropNarratives(draft);
    const first = start.units.find(({ role }) => role === 'human');
    const foldAllBut = function* (kept: Unit | undefined): Steps<Draft> {
      const runs = findRuns(start, start.units.length, (unit) => !isFrozen(unit) && unit !== kept);
      return yield* noteRuns(start, runs, input);
    };
    const folded = yield* foldAllBut(first);
    return folded.tokens <= input.target ? folded : yield* foldAllBut(undefined);
  },
};

/** The tokens of a target that frozen units leave free. */
export function freeRoom(draft: Draft, target: number): number {
  return draft.units.reduce((room, unit) => (isFrozen(unit) ? Math.max(0, room - unit.tokens) : room), target);
}

/**
 * The draft with the human's longest messages all cut to one length, so that together they take `most` tokens. The first
 * request has a larger place, since the whole conversation is about it.
 */
export function* shortenHumans(draft: Draft, most: number): Steps<Draft> {
  const humans = draft.units.filter(({ role }) => role === 'human');
  const sizes = humans.map(({ tokens }) => tokens);
  const cap = Math.max(LEAST_HUMAN, yield* evenCap(sizes, most));
  const changes: Change[] = [];
  for (const [index, unit] of humans.entries()) {
    const length = index === 0 ? Math.max(cap, most * FIRST_SHARE) : cap;
    if (unit.tokens <= length) continue;
    yield;
    const start = findHolding(draft.units, unit.range.from);
    const messages = shortenHuman(unit, length);
    if (messages !== undefined) changes.push({ start, count: 1, by: { kind: 'shortened', messages } });
  }
  return yield* draft.replace(changes);
}

/** A message of the human cut to about `tokens`; its rules stay word for word. Undefined when nothing is gained. */
export function shortenHuman({ blocks: [block], range }: Unit, tokens: number): ChatMessage[] | undefined {
  if (block?.kind !== 'user') return undefined;
  const { wire } = block.messages[0];
  const handle = handleOf(range);
  const words = shortenWritten(contentText(wire), handle, tokens * CHARACTERS_A_TOKEN, rulesIn(block));
  // From a short text with an image, only the image is removed.
  const shorter = words === undefined ? shortenMessage(wire, handle, MASKED) : { ...wire, content: words };
  return shorter === undefined ? undefined : [shorter];
}
