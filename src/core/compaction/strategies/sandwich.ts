import { err, ok } from '../../result.ts';
import type { Steps } from '../../steps.ts';
import type { Cuts } from '../compaction.ts';
import type { Draft, Run } from '../draft.ts';
import { keptWithin, shortenMessage, shortenWritten } from '../shorten.ts';
import type { Strategy } from '../strategy.ts';
import { planTold } from './karl.ts';
import { runsToNote, shortenInPlace, unitsOf } from './noteRuns.ts';

/** Between the cuts there must be at least this many messages. */
const LEAST_MIDDLE = 4;

/**
 * Keeps the top and the bottom of the view, measured in tokens and rounded to whole blocks; a model halves the middle
 * by a thorough account of it. A second run keeps everything up to the last note and replaces only what came after it.
 * Long messages of top and bottom are shortened.
 */
export const sandwich: Strategy = {
  id: 'sandwich',
  model: 'required',
  promise: 'facts-in-view',
  *plan(input) {
    const { draft, settings, target } = input;
    const { topFraction, bottomFraction, maxKeptCharacters } = settings.sandwich;
    const lastNote = draft.units.findLastIndex((unit) => unit.state === 'note');
    const top = lastNote < 0 ? takeUntil(draft, draft.tokens * topFraction) : lastNote + 1;
    const bottom = takeFromEnd(draft, draft.tokens * bottomFraction);
    const cuts = cutsOf(draft, top, bottom);
    const runs = yield* findMiddle(draft, top, bottom, target);
    const messages = runs.flatMap((run) => unitsOf(draft, run)).flatMap((unit) => unit.messages);
    if (messages.length < LEAST_MIDDLE) return err({ reason: 'cuts-meet', cuts });
    yield;
    const kept = shortenKept(draft, top, bottom, maxKeptCharacters);
    const half = { detail: 'thorough', tokens: ({ shown }: { shown: number }) => shown / 2 } as const;
    return ok({ ...(yield* planTold({ ...input, draft: kept }, runs, half)), cuts });
  },
};

function cutsOf({ units }: Draft, top: number, bottom: number): Cuts {
  return { top: units[top - 1]?.range.to ?? 0, bottom: units[bottom]?.range.from ?? 0 };
}

/** What comes after the last note, and notes of earlier runs that must be made anew. */
function* findMiddle(draft: Draft, top: number, bottom: number, target: number): Steps<Run[]> {
  const first = draft.units.findIndex((unit) => unit.state === 'note');
  const runs = yield* runsToNote(draft, first < 0 ? top : first, bottom, target);
  return runs.filter((run) => run.start >= top || unitsOf(draft, run).some(({ state }) => state === 'note'));
}

function takeUntil(draft: Draft, room: number): number {
  let used = 0;
  let index = 0;
  for (const unit of draft.units) {
    if (index > 0 && used + unit.tokens > room && unit.role !== 'prompt') break;
    used += unit.tokens;
    index += 1;
  }
  return index;
}

function takeFromEnd(draft: Draft, room: number): number {
  let used = 0;
  for (let index = draft.units.length - 1; index >= 0; index -= 1) {
    used += draft.units[index]?.tokens ?? 0;
    if (used > room) return Math.min(index + 1, draft.units.length - 1);
  }
  return 0;
}

/** Cuts messages of the kept top and bottom that exceed the limit, with a mark and a handle; never a frozen one. */
function shortenKept(draft: Draft, top: number, bottom: number, most: number): Draft {
  return shortenInPlace(
    draft,
    (_, index) => index < top || index >= bottom,
    ({ text, wire }, handle, { role }) => {
      if (text.length <= most) return undefined;
      const written = role === 'human' ? shortenWritten(text, handle, most) : undefined;
      return written === undefined ? shortenMessage(wire, handle, keptWithin(most)) : { ...wire, content: written };
    },
  );
}
