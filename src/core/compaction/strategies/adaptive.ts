import type { Block } from '../../chat/blocks.ts';
import { fence } from '../../chat/fence.ts';
import { readBlock } from '../../ledger/reading.ts';
import { err, ok } from '../../result.ts';
import type { Steps } from '../../steps.ts';
import { dedupe } from '../dedupe.ts';
import { type Draft, findRuns, isFrozen, tailStart, type Unit } from '../draft.ts';
import { cutEvenly, fill, shortenUnits } from '../forms.ts';
import {
  dropNarratives,
  MOST_NARRATIVES,
  narrativeTokens,
  noteRuns,
  placeNarratives,
  planNarrative,
  runsToNote,
} from '../notes/notePlan.ts';
import { renewState, withoutState } from '../notes/state.ts';
import { MASKED } from '../shorten.ts';
import type { PlanInput, Planner, Strategy } from '../strategy.ts';

/** Changes a draft; returns the same draft when there is nothing to change. */
type Rung = (draft: Draft, input: PlanInput) => Steps<Draft>;

/** From the cheapest to the dearest; each works on the draft that the ones before left. */
const RUNGS: Readonly<Record<string, Rung>> = { dedupe, mask, 'hand-over': handOver, reset };
/** The rungs that only shorten messages, and leave their number. */
const SHORTENING = ['dedupe', 'mask'];

/**
 * The adaptive ladder: one rung after the other until the target is met; the room that is then left shows again, from the
 * newest on, what was shortened, and what was superseded last of all. When the model has written a narrative, it comes
 * first: the rungs make room for it.
 */
export const planLadder: Planner = function* (input) {
  const { narratives } = input;
  if (input.draft.tokens <= input.target) return err({ reason: 'already-under-target' });
  let start = yield* withoutState(input.draft);
  // A new narrative replaces those that cover parts of its range.
  for (const { covers } of narratives) start = yield* dropNarratives(start, input.mark, covers);
  const told = narratives.reduce((sum, { text }) => sum + NOTE_TOKENS + start.count([fence(input.mark, text)]), 0);
  const within = { ...input, draft: start, target: Math.max(1, input.target - told) };
  const { drafts, rungs } = yield* climb(within);
  if (rungs.length === 0) return err({ reason: 'nothing-to-compact' });
  const draft = yield* useRoom(drafts, within);
  if (narratives.length > 0) {
    const placed = yield* placeNarratives(draft, narratives, input.mark);
    // Messages that the narrative now replaces may have stated what the state must then tell.
    return ok({ draft: yield* renewState(placed, input), orders: [], rungs });
  }
  const stated = yield* renewState(draft, input);
  const order = planNarrative(stated, input, rungs.includes('hand-over'));
  return ok({ draft: stated, orders: order === undefined ? [] : [order], rungs });
};

/** What a note takes beside the narrative that it holds. Tokens. */
const NOTE_TOKENS = 60;

/** The drafts that the rungs left, without a state, from the newest to the one before all rungs, and which rungs these were. */
function* climb(input: PlanInput): Steps<{ readonly drafts: readonly Draft[]; readonly rungs: readonly string[] }> {
  const rungs: string[] = [];
  let drafts: readonly Draft[] = [input.draft];
  for (const [id, change] of Object.entries(RUNGS)) {
    const [draft = input.draft] = drafts;
    if (input.trigger === 'message-count' && SHORTENING.includes(id)) continue;
    const changed = yield* change(draft, input);
    if (changed === draft) continue;
    rungs.push(id);
    drafts = [yield* withoutState(changed), ...drafts];
    if ((yield* renewState(changed, input)).tokens <= input.target) break;
  }
  return { drafts, rungs };
}

function* useRoom([draft, ...before]: readonly Draft[], input: PlanInput): Steps<Draft> {
  const cut = draft ?? input.draft;
  const stated = yield* renewState(cut, input);
  let filled = cut;
  for (const one of before) filled = yield* fill(filled, one, input.target - (stated.tokens - cut.tokens));
  return (yield* renewState(filled, input)).tokens <= input.target ? filled : cut;
}

/**
 * Cuts old tool results, pasted content and large tool-call arguments down to their head, error lines and tail; the
 * rest goes behind the handle.
 */
function* mask(draft: Draft, input: PlanInput): Steps<Draft> {
  const end = tailStart(draft, input.target);
  // What the human answered to a tool is not output, however long the tool's text around it is.
  const isOutput = (unit: Unit): boolean => unit.role === 'work' && !unit.blocks.some(isHuman);
  return yield* shortenUnits(
    draft,
    (unit, index) => index < end && isOutput(unit),
    () => MASKED,
  );
}

/** True for a block that holds words of the human: a message, or a reply inside the result of a tool. */
function isHuman(block: Block): boolean {
  if (block.kind === 'user') return block.messages[0].by === 'human';
  return readBlock(block).uses.some(({ result }) => result?.reply !== undefined);
}

/**
 * Messages of the human are cut, the longest first, to this share of the free room; what the notes do not need of it
 * makes them longer again at the end.
 */
const HUMANS_SHARE = 1 / 3;
/** No message of the human is cut to less than this. Tokens. */
const LEAST_HUMAN = 150;

/**
 * Replaces older turns by notes that quote their most valuable parts until the target is full: one note for each run
 * between the messages of the human, which stay real messages in their places.
 */
function* handOver(draft: Draft, input: PlanInput): Steps<Draft> {
  const end = tailStart(draft, input.target);
  const kept = yield* cutEvenly(draft, 'human', freeRoom(draft, input.target) * HUMANS_SHARE, LEAST_HUMAN);
  const runs = yield* runsToNote(kept, 0, end, input.target, (unit) => unit.role === 'work');
  return yield* noteRuns(kept, runs, input);
}

/**
 * The last resort: the oldest messages, those of the human too, become one note for each run between frozen units, and
 * what the human wrote in it becomes one message beside it: rules first, then a line of each, then more. The first
 * request stays where it is, unless there is no room at all.
 */
function* reset(draft: Draft, input: PlanInput): Steps<Draft> {
  const few = narrativeTokens(draft) <= input.target * MOST_NARRATIVES;
  const start = few ? draft : yield* dropNarratives(draft, input.mark);
  const first = start.units.find(({ role }) => role === 'human');
  const foldAllBut = function* (kept: Unit | undefined): Steps<Draft> {
    const runs = findRuns(start, start.units.length, (unit) => !isFrozen(unit) && unit !== kept);
    return yield* noteRuns(start, runs, input);
  };
  const folded = yield* foldAllBut(first);
  return folded.tokens <= input.target ? folded : yield* foldAllBut(undefined);
}

/** The tokens of a target that frozen units leave free. */
function freeRoom(draft: Draft, target: number): number {
  return draft.units.reduce((room, unit) => (isFrozen(unit) ? Math.max(0, room - unit.tokens) : room), target);
}

/** The ladder, which is the default. Works with and without a model. */
export const adaptive: Strategy = { id: 'adaptive', model: 'optional', promise: 'facts-in-view', plan: planLadder };
