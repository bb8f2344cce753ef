import type { ChatMessage } from '../../messages/chat.ts';
import type { Message } from '../../messages/message.ts';
import { err, ok } from '../../result.ts';
import { type Draft, unitsOf } from '../draft.ts';
import { shortenings, shortenUnit } from '../rungs/mask.ts';
import { keptWithin, shortenMessage, shortenWritten } from '../shorten.ts';
import type { Strategy } from '../strategy.ts';
import { planTold } from './karl.ts';
import { runsToNote } from './noteRuns.ts';

/** Between the cuts there must be at least this many messages. */
const LEAST_MIDDLE = 4;
/** The length of the account, as a share of the middle. */
const TOLD_SHARE = 0.5;

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
    const cuts = { top: units[top - 1]?.range.to ?? 0, bottom: units[bottom]?.range.from ?? 0 };
    // What comes after the last note, and notes of earlier runs that must be made anew.
    const found = yield* runsToNote(draft, firstNote < 0 ? top : firstNote, bottom, target);
    const runs = found.filter((run) => run.start >= top || unitsOf(draft, run).some(isNote));
    const messages = runs.flatMap((run) => unitsOf(draft, run)).flatMap((unit) => unit.messages);
    if (messages.length < LEAST_MIDDLE) return err({ reason: 'cuts-meet', cuts });
    const long = yield* shortenings(
      draft,
      (_, index) => index < top || index >= bottom,
      (unit) => shortenUnit(unit, (message, handle) => shortenKept(message, handle, unit.role === 'human', most)),
    );
    const kept = yield* draft.replace(long);
    return ok({ ...(yield* planTold({ ...input, draft: kept }, runs, 'thorough', TOLD_SHARE)), cuts });
  },
};

function shortenKept({ text, wire }: Message, handle: string, isHuman: boolean, most: number): ChatMessage | undefined {
  if (text.length <= most) return undefined;
  const written = isHuman ? shortenWritten(text, handle, most) : undefined;
  return written === undefined ? shortenMessage(wire, handle, keptWithin(most)) : { ...wire, content: written };
}

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
