import type { ChatMessage } from '../../messages/chat.ts';
import { handleOf } from '../../messages/handle.ts';
import { err, ok } from '../../result.ts';
import type { Draft, Run } from '../draft.ts';
import { shortenText } from '../shorten.ts';
import type { PlanInput, Strategy } from '../strategy.ts';
import { planTold, runsToNote, unitsOf } from './noted.ts';

/** Between the cuts there must be at least this many messages (DESIGN section 5). */
const LEAST_MIDDLE = 4;

/**
 * Keeps the top and the bottom of the view by tokens, rounded to whole blocks; a model halves the middle. A second run
 * keeps the head of the first and cuts only what came after the last note.
 */
export const sandwich: Strategy = {
  id: 'sandwich',
  model: 'required',
  promise: 'facts-in-view',
  *plan(input) {
    const { draft, settings } = input;
    const { topFraction, bottomFraction } = settings.sandwich;
    const lastNote = draft.units.findLastIndex((unit) => unit.state === 'note');
    const top = lastNote < 0 ? takeUntil(draft, draft.tokens * topFraction) : lastNote + 1;
    const bottom = takeFromEnd(draft, draft.tokens * bottomFraction);
    const runs = findMiddle(draft, top, bottom, input.target);
    const messages = runs.flatMap((run) => unitsOf(draft, run)).flatMap((unit) => unit.messages);
    if (messages.length < LEAST_MIDDLE) return err('cuts-meet');
    const plan = yield* planTold(input, runs, ({ shown }) => shown / 2);
    return ok({ ...plan, draft: shortenTop(plan.draft, top, input) });
  },
};

/** What comes after the last note, and notes of earlier runs that are made anew. */
function findMiddle(draft: Draft, top: number, bottom: number, target: number): Run[] {
  const first = draft.units.findIndex((unit) => unit.state === 'note');
  const runs = runsToNote(draft, first < 0 ? top : first, bottom, target);
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

/** Tool results and assistant texts of the kept top over the limit are cut, with a mark and a handle. */
function shortenTop(draft: Draft, top: number, input: PlanInput): Draft {
  const most = input.settings.sandwich.maxKeptCharacters;
  const kept = { head: Math.floor(most * 0.6), tail: Math.floor(most * 0.3), errorLines: 6 };
  const changes = draft.units.slice(0, top).flatMap((unit, start) => {
    if (unit.role !== 'work' || unit.state !== 'whole') return [];
    let changed = false;
    const ids = new Map(
      unit.blocks.flatMap((block) => block.messages.map((message) => [message.wire, message] as const)),
    );
    const messages = unit.messages.map((wire): ChatMessage => {
      const message = ids.get(wire);
      if (message === undefined || message.role === 'user' || message.text.length <= most) return wire;
      const shorter = shortenText(message.text, handleOf({ from: message.id, to: message.id }), kept);
      if (shorter === undefined) return wire;
      changed = true;
      return { ...wire, content: shorter };
    });
    return changed ? [{ start, count: 1, by: { kind: 'shortened' as const, messages } }] : [];
  });
  return draft.replace(changes);
}
