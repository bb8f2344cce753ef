import { fence } from '../../chat/fence.ts';
import { err, ok } from '../../result.ts';
import type { Steps } from '../../steps.ts';
import {
  askedOrder,
  type Change,
  type Draft,
  findRuns,
  isFrozen,
  largestThatFits,
  rangeOf,
  SPARE_SHARE,
  sumTokens,
  type Unit,
  unitsOf,
} from '../draft.ts';
import { shortenUnits } from '../forms.ts';
import { planNotes, runsToNote } from '../notes/notePlan.ts';
import { inOneLine, isSaid, labelRange, readSaid, saidMessage } from '../notes/noteText.ts';
import { keptWithin } from '../shorten.ts';
import type { PlanInput, Strategy } from '../strategy.ts';

/**
 * Drops the oldest blocks until the target is reached, or all of them when the number of messages started the run; what the
 * run's instructions ask for goes last. Of each message of the human in them one line stays. The prompt and the last
 * messages stay. Only when these exceed the limit do the last messages go too, the oldest first, down to the target.
 * Promises handles only; asks no model.
 */
export const heuristic: Strategy = {
  id: 'heuristic',
  model: 'none',
  promise: 'handles-only',
  *plan(input) {
    const { draft, target, limit } = input;
    // With too many messages, blocks are dropped whatever their size.
    const isByCount = input.trigger === 'message-count';
    if (!isByCount && draft.tokens <= target) return err({ reason: 'already-under-target' });
    if (draft.units.every(stays)) return err({ reason: 'nothing-to-compact' });
    const tail = lastMessagesStart(draft, input.settings.keepLastMessages);
    const old = draft.units.slice(0, tail).filter((unit) => !stays(unit));
    const order = (unit: Unit): number => askedOrder(unit.range, draft.askedFor) ?? Number.POSITIVE_INFINITY;
    const isAsked = (unit: Unit): boolean => order(unit) < Number.POSITIVE_INFINITY;
    const unasked = old.filter((unit) => !isAsked(unit));
    const asked = old.filter(isAsked).sort((one, other) => order(other) - order(one));
    const last = draft.units.slice(tail, -1).filter((unit) => !stays(unit));
    let best = yield* dropFirst(input, [...unasked, ...asked], isByCount ? unasked.length : 0);
    if (best.tokens > limit) best = yield* dropFirst(input, [...unasked, ...asked, ...last], old.length);
    if (best.tokens > draft.tokens * 0.98) return err({ reason: 'too-few-messages' });
    return ok({ draft: best, orders: [], rungs: [] });
  },
};

/** True for what may not be dropped: frozen units, and a summary in the user's own words, which no message contains. */
function stays(unit: Unit): boolean {
  return isFrozen(unit) || unit.narratives.some(({ by }) => by === 'user');
}

/** The draft without the first of some units, at least `least` and no more than the target demands. */
function* dropFirst(input: PlanInput, units: readonly Unit[], least: number): Steps<Draft> {
  const keep = (count: number): Steps<Draft> => drop(input, new Set(units.slice(0, units.length - count)));
  const spare = input.target * SPARE_SHARE;
  return (yield* largestThatFits(units.length - least + 1, input.target, keep, spare)) ?? (yield* keep(0));
}

/** The draft with a line in place of each run of units that go, and one for each message of the human in it. */
function* drop({ draft, mark }: PlanInput, going: ReadonlySet<Unit>): Steps<Draft> {
  const changes: Change[] = [];
  for (const run of findRuns(draft, draft.units.length, (unit) => going.has(unit))) {
    yield;
    const units = unitsOf(draft, run);
    const blocks = units.flatMap((unit) => unit.blocks);
    const said = blocks.filter((block) => isSaid(draft, block)).flatMap(readSaid);
    const line = fence(mark, labelRange(rangeOf(units), blocks));
    const messages = said.length === 0 ? [line] : [line, yield* saidMessage(said, inOneLine(said))];
    if (draft.count(messages) < sumTokens(units)) changes.push({ ...run, by: { kind: 'line', messages } });
  }
  return yield* draft.replace(changes);
}

/** Index of the unit from which on the last `count` messages are, rounded up to whole blocks; frozen units count. */
function lastMessagesStart(draft: Draft, count: number): number {
  let left = count;
  const before = draft.units.findLastIndex(({ messages }) => {
    if (left <= 0) return true;
    left -= messages.length;
    return false;
  });
  return before + 1;
}

/** Keeps the last messages; a model writes a note about the rest (one for each run between frozen messages). */
export const karl: Strategy = {
  id: 'karl',
  model: 'required',
  promise: 'facts-in-view',
  messageTrigger: 50,
  *plan(input) {
    const { draft, settings } = input;
    const end = lastMessagesStart(draft, settings.keepLastMessages);
    if (end === 0) return err({ reason: 'too-few-messages' });
    if (draft.units.slice(0, end).every(isFrozen)) return err({ reason: 'nothing-to-compact' });
    const runs = yield* runsToNote(draft, 0, end, input.target);
    return yield* planNotes(input, runs, { detail: 'brief', share: TOLD_SHARE, isWorth });
  },
};

/** The longest note, as a share of what it covers. */
const TOLD_SHARE = 0.8;
/** A run smaller than this is not worth a model's note; it is quoted. Tokens. */
const LEAST_FOR_MODEL = 300;

function isWorth(units: readonly Unit[]): boolean {
  return sumTokens(units) >= LEAST_FOR_MODEL;
}
/** Between the cuts there must be at least this many messages. */
const LEAST_MIDDLE = 4;
/** The length of the account, as a share of the middle. */
const TOLD_OF_MIDDLE = 0.5;

/**
 * Keeps the top and the bottom of the view, measured in tokens and rounded to whole blocks; a model halves the middle
 * by a thorough account of it. A second run keeps everything up to the last note and replaces only what came after it.
 * Long messages of top and bottom are shortened, but for frozen ones.
 */
export const sandwich: Strategy = {
  id: 'sandwich',
  model: 'required',
  promise: 'facts-in-view',
  *plan(input) {
    const { draft, settings, target } = input;
    const { units } = draft;
    const { topFraction, bottomFraction, maxKeptCharacters: most } = settings.sandwich;
    const isNote = ({ state }: { readonly state: string }): boolean => state === 'note';
    const firstNote = units.findIndex(isNote);
    const top = firstNote < 0 ? takeUntil(draft, draft.tokens * topFraction) : units.findLastIndex(isNote) + 1;
    const bottom = takeFromEnd(draft, draft.tokens * bottomFraction);
    // What comes after the last note, and notes of earlier runs that must be made anew.
    const found = yield* runsToNote(draft, firstNote < 0 ? top : firstNote, bottom, target);
    const runs = found.filter((run) => run.start >= top || unitsOf(draft, run).some(isNote));
    const messages = runs.flatMap((run) => unitsOf(draft, run)).flatMap((unit) => unit.messages);
    if (messages.length < LEAST_MIDDLE) {
      const cuts = { top: units[top - 1]?.range.to ?? 0, bottom: units[bottom]?.range.from ?? 0 };
      return err({ reason: 'cuts-meet', cuts });
    }
    const kept = yield* shortenUnits(
      draft,
      (_, index) => index < top || index >= bottom,
      ({ text }) => (text.length > most ? keptWithin(most) : undefined),
    );
    const asking = { detail: 'thorough', share: TOLD_OF_MIDDLE, isWorth } as const;
    return yield* planNotes({ ...input, draft: kept }, runs, asking);
  },
};

/** How many units from the top fit in a share; at least the first, and the whole prompt. */
function takeUntil(draft: Draft, room: number): number {
  let used = 0;
  const end = draft.units.findIndex((unit, index) => {
    const isOver = index > 0 && used + unit.tokens > room && unit.role !== 'prompt';
    used += unit.tokens;
    return isOver;
  });
  return end < 0 ? draft.units.length : end;
}

/** Index of the first of the units at the bottom that fit in a share; at least the last one does. */
function takeFromEnd(draft: Draft, room: number): number {
  let used = 0;
  const before = draft.units.findLastIndex((unit) => {
    used += unit.tokens;
    return used > room;
  });
  return Math.min(before + 1, draft.units.length - 1);
}

/** The share of the target that kept turns may take; the rest is for the notes. */
const TURNS_SHARE = 0.7;

/**
 * Keeps the newest turns that fit; notes quote the rest: what was asked, reported, said and done. Constraints, changed
 * files, open to-dos and failures are in the state. Asks no model.
 */
export const extractive: Strategy = {
  id: 'extractive',
  model: 'none',
  promise: 'facts-in-view',
  *plan(input) {
    const { draft } = input;
    const starts = draft.units.flatMap((unit, index) =>
      unit.role === 'human' || unit.role === 'request' ? [index] : [],
    );
    if (starts.length < 2) return err({ reason: 'single-turn' });
    if (draft.tokens <= input.target) return err({ reason: 'already-under-target' });
    const cut = firstKeptTurn(draft, starts, input.target * TURNS_SHARE);
    return yield* planNotes(input, yield* runsToNote(draft, 0, cut, input.target));
  },
};

/** Index of the unit at which the newest turns that fit begin; the newest turn is kept whole whatever its size. */
function firstKeptTurn(draft: Draft, starts: readonly number[], room: number): number {
  let cut = starts.at(-1) ?? 0;
  for (const start of [...starts].reverse()) {
    if (sumTokens(draft.units.slice(start)) > room) break;
    cut = start;
  }
  return cut;
}
