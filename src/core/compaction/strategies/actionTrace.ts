import { err, ok } from '../../result.ts';
import type { Draft, Run } from '../draft.ts';
import { LEAST_GAIN } from '../laws.ts';
import { noteLength } from '../notes/narrative.ts';
import { rangeOf } from '../notes/notePlan.ts';
import { keptWithin, shortenMessage } from '../shorten.ts';
import type { NoteOrder, PlanInput, Strategy } from '../strategy.ts';
import { sizeOf } from './noted.ts';
import { unitsOf } from './noteRuns.ts';
import { shortenInPlace } from './shortenInPlace.ts';
import { charactersOf, olderRuns, readTrace, type Trace } from './trace.ts';
import { TraceNotes } from './traceNotes.ts';

/** The part of a trace that goes where the target asks for no more; of a large one more, 40-70 % of the view. */
const CUT_SHARE = 0.35;
const CUT_SHARE_LARGE = 0.6;
/** What a model tells may have this share of what it tells of. */
const TOLD_SHARE = 0.3;

/**
 * Compacts the tool calls of the running turn: the newest stay whole, the older ones become one trace grouped by tool, with
 * what a model tells of it where it is long. Where that gains too little, long observations of the newer ones are cut.
 */
export const actionTrace: Strategy = {
  id: 'action-trace',
  model: 'optional',
  promise: 'handles-only',
  messageTrigger: 50,
  traceTrigger: true,
  *plan(input) {
    const { draft, settings, narratives } = input;
    const trace = readTrace(draft, settings.actionTrace);
    if (trace.older.length === 0) return err({ reason: 'trace-too-small' });
    const runs = olderRuns(draft, trace, input.target);
    const notes = yield* TraceNotes.read(input, runs);
    const tokens = [...trace.older, ...trace.kept].reduce((sum, unit) => sum + unit.tokens, 0);
    const most = Math.min(input.target, draft.tokens * (1 - LEAST_GAIN));
    const aim = Math.min(most, draft.tokens - tokens * (trace.isLarge ? CUT_SHARE_LARGE : CUT_SHARE));
    const orders = input.canSummarize && narratives.length === 0 ? orderNotes(input, runs) : [];
    if (narratives.length > 0) {
      const told = yield* notes.fit(narratives, aim, most);
      if (gains(told, draft)) return ok({ draft: told, orders: [], rungs: [] });
    }
    const grouped = yield* notes.fit([], aim, most);
    if (gains(grouped, draft)) return ok({ draft: grouped, orders, rungs: [] });
    const truncated = truncate(grouped, trace, settings.actionTrace.observationCharacters);
    return gains(truncated, draft)
      ? ok({ draft: truncated, orders: [], rungs: [] })
      : err({ reason: 'gain-too-small' });
  },
};

function gains(after: Draft, before: Draft): boolean {
  return before.tokens - after.tokens >= before.tokens * LEAST_GAIN;
}

function orderNotes({ draft, settings }: PlanInput, runs: readonly Run[]): NoteOrder[] {
  return runs.flatMap((run) => {
    const units = unitsOf(draft, run);
    const blocks = units.flatMap((unit) => unit.blocks);
    if (charactersOf(blocks) < settings.actionTrace.modelCharacters) return [];
    const { shown, raw } = sizeOf(draft, units);
    const maxTokens = Math.floor(Math.min(noteLength(raw, settings.summary.maxTokens), shown * TOLD_SHARE));
    return [{ range: rangeOf(units), blocks, sourceTokens: raw, maxTokens, detail: 'brief' }];
  });
}

/** Cuts long observations of the newer calls in place; the newest call stays whole. */
function truncate(draft: Draft, { kept }: Trace, characters: number): Draft {
  const cut = new Set(kept.slice(0, -1));
  return shortenInPlace(
    draft,
    (unit) => cut.has(unit),
    (message, handle) =>
      message.role === 'tool' ? shortenMessage(message.wire, handle, keptWithin(characters)) : undefined,
  );
}
