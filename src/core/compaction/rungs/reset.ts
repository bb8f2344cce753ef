import type { ChatMessage } from '../../messages/chat.ts';
import { handleOf } from '../../messages/handle.ts';
import { type Draft, isFrozen, type Unit } from '../draft.ts';
import { type FittedNotes, fitNotes } from '../fitNotes.ts';
import type { Rung } from '../rung.ts';
import { shortenMessage } from '../shorten.ts';
import type { Steps } from '../steps.ts';
import type { PlanInput } from '../strategy.ts';
import { findRuns, type Run, TAIL_SHARE, tailStart } from '../tail.ts';

/** Notes keep at least this share of the target, however much the human wrote. */
const NOTES_SHARE = 0.35;
/** Under this share of the target there is no room for a tail. */
const WORTH_A_TAIL = 0.03;
/** What stays of an older message of the human when nothing else fits. Characters. */
const HUMAN_KEPT = { head: 300, tail: 100, errorLines: 0 };

/** Ledger, human messages and current request, when nothing else fits: every other block becomes part of a note. */
export const reset: Rung = {
  id: 'reset',
  *plan(draft, input) {
    const noted = yield* noteAll(draft, input, draft.units.length);
    if (noted.tokens <= input.target) return yield* keepTail(draft, input, noted);
    const shortened = yield* noteAll(shortenHumans(draft, input), input, draft.units.length);
    if (shortened.tokens <= (input.target + input.limit) / 2) return shortened.draft;
    const end = newestThatFit(shortened.draft, input, shortened.tokens - shortened.draft.tokens);
    const folded = (yield* fold(shortened.draft, input, end)).draft;
    return folded.tokens <= input.limit ? folded : (yield* fold(folded, input, folded.units.length)).draft;
  },
};

function noteAll(draft: Draft, input: PlanInput, end: number): Steps<FittedNotes> {
  return noteInRoom(
    draft,
    input,
    findRuns(draft, end, (unit) => unit.role === 'work'),
  );
}

/** Notes whose facts share what the target leaves beside the units that stay. */
function noteInRoom(draft: Draft, input: PlanInput, runs: readonly Run[]): Steps<FittedNotes> {
  const noted = new Set(runs.flatMap((run) => draft.units.slice(run.start, run.start + run.count)));
  const kept = draft.units.reduce((sum, unit) => sum + (noted.has(unit) ? 0 : unit.tokens), 0);
  return fitNotes(draft, input, runs, Math.max(input.target, kept + input.target * NOTES_SHARE));
}

/** When every fact is said and the target leaves room, the newest units stay as they were. */
function* keepTail(draft: Draft, input: PlanInput, noted: FittedNotes): Steps<Draft> {
  const share = (input.target - noted.tokens) / input.target;
  if (noted.missing > 0 || share < WORTH_A_TAIL) return noted.draft;
  const end = tailStart(draft, input.target, Math.min(TAIL_SHARE, share));
  if (end >= draft.units.length) return noted.draft;
  const tailed = yield* noteAll(draft, input, end);
  return tailed.tokens <= input.target && tailed.missing === 0 ? tailed.draft : noted.draft;
}

/** Older long messages of the human are cut, oldest first, until the target could hold. */
function shortenHumans(draft: Draft, input: PlanInput): Draft {
  const excess =
    draft.units.reduce((sum, unit) => sum + (unit.role === 'work' ? 0 : unit.tokens), 0) -
    input.target * (1 - NOTES_SHARE);
  let saved = 0;
  const changes = draft.units.flatMap((unit: Unit, start) => {
    const [block] = unit.blocks;
    if (saved >= excess || unit.role !== 'human' || unit.state !== 'whole' || block === undefined) return [];
    const [message] = block.messages;
    const shorter = shortenMessage(message.wire, handleOf(unit.range), HUMAN_KEPT);
    if (shorter === undefined) return [];
    const messages: ChatMessage[] = [shorter];
    saved += unit.tokens - draft.count(messages);
    return [{ start, count: 1, by: { kind: 'shortened' as const, messages } }];
  });
  return draft.replace(changes);
}

/**
 * The last resort: older messages of the human go into the notes too, those before `end`; explicit constraints stand in
 * the state. Without it the messages and notes of a long session would fill the window and each run gain less.
 */
function fold(draft: Draft, input: PlanInput, end: number): Steps<FittedNotes> {
  return noteInRoom(
    draft,
    input,
    findRuns(draft, end, (unit) => !isFrozen(unit)),
  );
}

/** Index of the first of the newest units that fit beside the frozen ones, the state and a note for the others. */
function newestThatFit(draft: Draft, input: PlanInput, state: number): number {
  let room = input.target * (1 - NOTES_SHARE) - state;
  for (const unit of draft.units) if (isFrozen(unit)) room -= unit.tokens;
  for (let index = draft.units.length - 1; index >= 0; index -= 1) {
    const unit = draft.units[index];
    if (unit === undefined || isFrozen(unit)) continue;
    room -= unit.tokens;
    if (room < 0) return index + 1;
  }
  return 0;
}
