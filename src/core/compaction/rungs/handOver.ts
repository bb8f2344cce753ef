import { findHolding } from '../../messages/blocks.ts';
import type { ChatMessage } from '../../messages/chat.ts';
import { handleOf } from '../../messages/handle.ts';
import { contentText } from '../../messages/parse.ts';
import type { Steps } from '../../steps.ts';
import { type Change, type Draft, evenCap, findRuns, isFrozen, type Run, tailStart, type Unit } from '../draft.ts';
import { dropNarratives, MOST_NARRATIVES, narrativeTokens } from '../notes/narrative.ts';
import { FRAME_TOKENS, fillRoom, NotePlan, readUnit, USUAL_DENSITY } from '../notes/notePlan.ts';
import { rulesIn } from '../notes/said.ts';
import { costUpTo } from '../notes/selection.ts';
import { withoutState } from '../notes/state.ts';
import { CHARACTERS_A_TOKEN, MASKED, shortenMessage, shortenWritten } from '../shorten.ts';
import { mergeNotes } from '../strategies/noteRuns.ts';
import type { PlanInput, Rung } from '../strategy.ts';

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
 * Replaces older turns by notes that quote them, one note for each run between the messages that the human wrote, which
 * stay real messages in their places.
 */
export const handOver: Rung = {
  id: 'hand-over',
  *plan(draft, input) {
    const end = tailStart(draft, input.target);
    const kept = yield* shortenHumans(draft, freeRoom(draft, input.target) * HUMANS_SHARE);
    const stretches = findRuns(kept, end, (unit) => unit.role === 'work');
    const folded = yield* fold(kept, input, yield* mergeNotes(kept, stretches, false));
    // Notes of earlier runs stay word for word only while they leave room for what is new.
    return folded.isRich ? folded.draft : (yield* fold(kept, input, yield* mergeNotes(kept, stretches, true))).draft;
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
    const runsWithout = (kept: Unit | undefined): Run[] =>
      findRuns(start, start.units.length, (unit) => !isFrozen(unit) && unit !== kept);
    const folded = yield* fold(start, input, runsWithout(first));
    return folded.draft.tokens <= input.target
      ? folded.draft
      : (yield* fold(start, input, runsWithout(undefined))).draft;
  },
};

/**
 * Replaces runs by notes, from the oldest unit as far as it takes for the notes to tell everything that was said and
 * done; when even all of the runs have no room for that, the notes quote what is worth most until the target is full.
 * `isRich`: they have room at least for the beginnings of all reports.
 */
function* fold(
  draft: Draft,
  input: PlanInput,
  runs: readonly Run[],
): Steps<{ readonly draft: Draft; readonly isRich: boolean }> {
  const enough = yield* fewestRuns(draft, runs, input);
  let planned = draft;
  // How many runs are enough is an estimate: where it fails, all runs become notes.
  for (const chosen of enough === undefined ? [runs] : [enough, runs]) {
    const plan = yield* NotePlan.of(draft, input.mark, chosen);
    planned = yield* fillRoom(plan, input, input.target);
    const state = planned.tokens - (yield* withoutState(planned)).tokens;
    const isRich = yield* plan.hasRoomFor(chosen === runs ? 'report' : 'said', input.target - state);
    if (isRich && planned.tokens <= input.target) return { draft: planned, isRich };
  }
  return { draft: planned, isRich: false };
}

/**
 * The oldest runs, the last of them perhaps in part, whose rich notes bring the draft to the target; undefined when not
 * even all of them do.
 */
function* fewestRuns(draft: Draft, runs: readonly Run[], input: PlanInput): Steps<Run[] | undefined> {
  const chosen: Run[] = [];
  let tokens = draft.tokens;
  for (const run of runs) {
    tokens += FRAME_TOKENS;
    for (let count = 1; count <= run.count; count += 1) {
      const index = run.start + count - 1;
      const unit = draft.units[index];
      if (unit === undefined) continue;
      yield;
      const passages = yield* readUnit(draft, index);
      tokens += costUpTo(passages, 'said in full') / USUAL_DENSITY - unit.tokens;
      if (tokens <= input.target) return [...chosen, { start: run.start, count }];
    }
    chosen.push(run);
  }
  return undefined;
}

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
