import { fence } from '../../messages/fence.ts';
import type { Narrative, Substitute } from '../compaction.ts';
import { type Change, type Draft, isFrozen, type Run, type Unit } from '../draft.ts';
import { fillRoom } from '../notes/fillRoom.ts';
import { planNotes, rangeOf } from '../notes/notePlan.ts';
import { rangeLine, withNarratives } from '../notes/noteText.ts';
import { renewState } from '../notes/state.ts';
import type { Steps } from '../steps.ts';
import type { NoteOrder, Plan, PlanInput } from '../strategy.ts';
import { findRuns } from '../tail.ts';

/** A run under this is not worth a model's note; it is quoted. Tokens. */
const LEAST_FOR_MODEL = 300;
/** No note is asked to have fewer tokens. */
const LEAST_NOTE = 64;
/** When the notes of earlier runs take more than this share of the target, they are made anew, together, from raw. */
const NOTES_SHARE = 0.5;
/** No more notes than this stand side by side: with one more, they become one that is made from their raw messages. */
const MOST_NOTES = 3;

/**
 * The runs of units between `start` and `end` that a strategy with notes replaces, of those that `belongs` accepts. Notes of earlier runs stay, unless together they
 * take too much of the target or too many stand side by side: these become one, with what is new beside them.
 */
export function runsToNote(
  draft: Draft,
  start: number,
  end: number,
  target: number,
  belongs = (unit: Unit): boolean => !isFrozen(unit),
): Run[] {
  const isTooMuch = noteTokens(draft.units.slice(start, end)) > target * NOTES_SHARE;
  return findRuns(draft, end, belongs, start).flatMap((stretch) => {
    const notes = unitsOf(draft, stretch).filter(({ state }) => state === 'note').length;
    const fresh = findRuns(draft, stretch.start + stretch.count, ({ state }) => state !== 'note', stretch.start);
    const merges = notes > 0 && (isTooMuch || notes + fresh.length > MOST_NOTES);
    return merges && stretch.count > 1 ? [stretch] : fresh;
  });
}

/** The units of a run. */
export function unitsOf(draft: Draft, { start, count }: Run): readonly Unit[] {
  return draft.units.slice(start, start + count);
}

function noteTokens(units: readonly Unit[]): number {
  return units.reduce((sum, unit) => sum + (unit.state === 'note' ? unit.tokens : 0), 0);
}

/** Tokens of what a note tells of, in the view as it is and in the raw messages: the same unless a note stands there. */
export interface Size {
  readonly shown: number;
  readonly raw: number;
}

/** The size of what some units stand for. */
export function sizeOf(draft: Draft, units: readonly Unit[]): Size {
  const shown = units.reduce((sum, unit) => sum + unit.tokens, 0);
  const raw = draft.count(
    units.flatMap(({ blocks }) => blocks).flatMap(({ messages }) => messages.map(({ wire }) => wire)),
  );
  return { shown, raw };
}

/** What kind of note a strategy wants, and how many tokens it may have. */
export interface Wanted {
  readonly detail: NoteOrder['detail'];
  tokens(size: Size): number;
}

/**
 * Replaces runs by what the model told of them, and orders a note for each run that it has not told of and that is worth
 * one. Until then, and where a run is too short for a model, quotations stand: as many as fit in the target.
 */
export function* planTold(input: PlanInput, runs: readonly Run[], wanted: Wanted): Steps<Plan> {
  const { draft, narratives } = input;
  const orders: NoteOrder[] = [];
  const told: Change[] = [];
  const quoted: Run[] = [];
  for (const run of runs) {
    const units = unitsOf(draft, run);
    const range = rangeOf(units);
    const narrative = narratives.find(({ covers }) => covers.from === range.from && covers.to === range.to);
    if (narrative !== undefined) {
      told.push({ ...run, by: toldNote(narrative, input.mark) });
      continue;
    }
    quoted.push(run);
    const size = sizeOf(draft, units);
    if (!input.canSummarize || size.shown < LEAST_FOR_MODEL) continue;
    orders.push({
      range,
      blocks: units.flatMap((unit) => unit.blocks),
      sourceTokens: size.raw,
      maxTokens: Math.max(LEAST_NOTE, Math.floor(wanted.tokens(size))),
      detail: wanted.detail,
    });
  }
  const placed = draft.replace(told);
  const left = runs.length === quoted.length ? quoted : findAgain(placed, draft, quoted);
  if (left.length === 0) return { draft: yield* renewState(placed, input), orders, rungs: [] };
  const plan = yield* planNotes(placed, input.mark, left);
  return { draft: yield* fillRoom(plan, input, input.target), orders, rungs: [] };
}

/** A note that is nothing but what a model told. */
export function toldNote(narrative: Narrative, mark: string): Substitute {
  return {
    kind: 'note',
    messages: [fence(mark, withNarratives(rangeLine(narrative.covers), [narrative]))],
    narratives: [narrative],
  };
}

/** The same runs in a draft in which others were replaced. */
function findAgain(placed: Draft, before: Draft, runs: readonly Run[]): Run[] {
  return runs.map((run) => {
    const from = before.units[run.start]?.range.from;
    return { start: placed.units.findIndex((unit) => unit.range.from === from), count: run.count };
  });
}
