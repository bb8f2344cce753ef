import { err, ok } from '../../result.ts';
import type { Steps } from '../../steps.ts';
import type { Draft, Run } from '../draft.ts';
import { LEAST_GAIN } from '../laws.ts';
import { noteLength } from '../notes/narrative.ts';
import { rangeOf } from '../notes/notePlan.ts';
import { raisedUnits } from '../raisedUnits.ts';
import { keptWithin, shortenMessage } from '../shorten.ts';
import type { NoteOrder, PlanInput, Strategy } from '../strategy.ts';
import type { Unit } from '../unit.ts';
import { sizeOf } from './noted.ts';
import { unitsOf } from './noteRuns.ts';
import { shortenInPlace } from './shortenInPlace.ts';
import { charactersOf, olderRuns, readTrace, type Trace } from './trace.ts';
import { TraceNotes } from './traceNotes.ts';

/** The share of a trace that is removed when the target demands no more; more of a large one. */
const CUT_SHARE = 0.35;
const CUT_SHARE_LARGE = 0.6;
/** The longest narrative, as a share of what it covers. */
const TOLD_SHARE = 0.3;
/** What the run's instructions ask for may take this share of the room for the older calls. */
const ASKED_SHARE = 0.5;

/**
 * Compacts the tool calls of the running turn: the newest stay whole; the older ones become one trace grouped by tool,
 * with a narrative by the model where the trace is long. Those that the run's instructions ask for stay in their places
 * with their observations cut, as far as there is room. Where that gains too little, long observations of the newer
 * calls are cut too.
 */
export const actionTrace: Strategy = {
  id: 'action-trace',
  model: 'optional',
  promise: 'handles-only',
  messageTrigger: 50,
  traceTrigger: true,
  *plan(input) {
    const { draft, settings, narratives } = input;
    const whole = readTrace(draft, settings.actionTrace);
    if (whole.older.length === 0) return err({ reason: 'trace-too-small' });
    const tokens = sizeOfAll([...whole.older, ...whole.kept]);
    const most = Math.min(input.target, draft.tokens * (1 - LEAST_GAIN));
    const aim = Math.min(most, draft.tokens - tokens * (whole.isLarge ? CUT_SHARE_LARGE : CUT_SHARE));
    const { older, ...kept } = yield* keepAsked(input, whole, { aim, most });
    const trace = { ...whole, older };
    const runs = yield* olderRuns(kept.draft, trace, input.target);
    const notes = yield* TraceNotes.read({ ...input, ...kept }, runs);
    const orders = input.canSummarize && narratives.length === 0 ? orderNotes({ ...input, ...kept }, runs) : [];
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

function sizeOfAll(units: readonly Unit[]): number {
  return units.reduce((sum, unit) => sum + unit.tokens, 0);
}

/**
 * Takes what the instructions ask for out of the older calls, the best match first: it stays in its place with its
 * observation cut, up to a share of the room for the older calls.
 */
function* keepAsked(
  { draft, settings, target }: PlanInput,
  trace: Trace,
  { aim, most }: { readonly aim: number; readonly most: number },
): Steps<Pick<Trace, 'older'> & { readonly draft: Draft }> {
  const { older } = trace;
  const runs = yield* olderRuns(draft, trace, target);
  const rest = draft.tokens - sizeOfAll(runs.flatMap((run) => unitsOf(draft, run)));
  let room = ((aim > rest ? aim : most) - rest) * ASKED_SHARE;
  let kept = draft;
  const stays = new Set<Unit>();
  for (const unit of raisedUnits(draft, older)) {
    const at = draft.units.indexOf(unit);
    const cut = cutObservations(kept, (_, index) => index === at, settings.actionTrace.observationCharacters);
    const { tokens = 0 } = cut.units[at] ?? {};
    if (tokens > room) continue;
    room -= tokens;
    kept = cut;
    stays.add(unit);
  }
  return { draft: kept, older: older.filter((unit) => !stays.has(unit)) };
}

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
  return cutObservations(draft, (unit) => cut.has(unit), characters);
}

function cutObservations(draft: Draft, belongs: (unit: Unit, index: number) => boolean, characters: number): Draft {
  return shortenInPlace(draft, belongs, (message, handle) =>
    message.role === 'tool' ? shortenMessage(message.wire, handle, keptWithin(characters)) : undefined,
  );
}
