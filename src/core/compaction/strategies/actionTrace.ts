import type { Block } from '../../messages/blocks.ts';
import { err, ok } from '../../result.ts';
import type { Steps } from '../../steps.ts';
import { unitsAskedFor } from '../askedFor.ts';
import { type Draft, isFrozen, type Run, sumTokens, type Unit, unitsOf } from '../draft.ts';
import { LEAST_GAIN } from '../laws.ts';
import { shortenings, shortenUnit } from '../rungs/mask.ts';
import { keptWithin, shortenMessage } from '../shorten.ts';
import type { PlanInput, Strategy, StrategySettings } from '../strategy.ts';
import { orderNote } from './karl.ts';
import { runsToNote } from './noteRuns.ts';
import { writeTrace } from './traceNotes.ts';

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
    const { observationCharacters, modelCharacters } = settings.actionTrace;
    const whole = readTrace(draft, settings.actionTrace);
    if (whole.older.length === 0) return err({ reason: 'trace-too-small' });
    const most = Math.min(input.target, draft.tokens * (1 - LEAST_GAIN));
    const cut = sumTokens([...whole.older, ...whole.kept]) * (whole.isLarge ? CUT_SHARE_LARGE : CUT_SHARE);
    const room = { aim: Math.min(most, draft.tokens - cut), most };
    const { older, draft: kept } = yield* keepAsked(input, whole, most);
    const runs = yield* olderRuns(kept, older, input.target);
    const gains = (after: Draft): boolean => draft.tokens - after.tokens >= draft.tokens * LEAST_GAIN;
    if (narratives.length > 0) {
      const told = yield* writeTrace({ ...input, draft: kept }, runs, room);
      if (gains(told)) return ok({ draft: told, orders: [], rungs: [] });
    }
    const grouped = yield* writeTrace({ ...input, draft: kept, narratives: [] }, runs, room);
    if (gains(grouped)) {
      const worth = runs
        .map((run) => unitsOf(kept, run))
        .filter((units) => charactersOf(units.flatMap(({ blocks }) => blocks)) >= modelCharacters);
      const isAsked = input.canSummarize && narratives.length === 0;
      const orders = isAsked
        ? worth.map((units) => orderNote({ draft: kept, settings }, units, 'brief', TOLD_SHARE))
        : [];
      return ok({ draft: grouped, orders, rungs: [] });
    }
    // The newest call stays whole.
    const newer = new Set(whole.kept.slice(0, -1));
    const truncated = yield* cutObservations(grouped, newer, observationCharacters);
    return gains(truncated) ? ok({ draft: truncated, orders: [], rungs: [] }) : err({ reason: 'gain-too-small' });
  },
};

/** The tool calls of the running turn that are still in the view: the older ones are compacted, the newest are kept. */
interface Trace {
  readonly older: readonly Unit[];
  readonly kept: readonly Unit[];
  readonly isLarge: boolean;
}

/** Reads the trace of the running turn; `older` is empty unless it is large enough to act on. */
function readTrace({ units }: Draft, settings: StrategySettings['actionTrace']): Trace {
  const stands = ({ state }: Unit): boolean => state === 'whole' || state === 'shortened';
  const steps = units.slice(turnStart(units)).filter((unit) => isOf(unit, ['tools']) && stands(unit));
  const characters = charactersOf(steps.flatMap(({ blocks }) => blocks));
  const isLarge = characters > settings.largeCharacters && steps.length > settings.largeTrigger;
  const isDue = isLarge || steps.length > settings.trigger;
  const going = isDue ? Math.max(0, steps.length - (isLarge ? settings.largeKeep : settings.keep)) : 0;
  // The newest step, which the model has not read, counts and is kept.
  const older = steps.slice(0, going).filter((unit) => !isFrozen(unit));
  return { older, kept: steps.slice(going), isLarge };
}

/** True when the trace of the running turn is large enough to act on. */
export function isTraceDue(draft: Draft, settings: StrategySettings['actionTrace']): boolean {
  return readTrace(draft, settings).older.length > 0;
}

/**
 * The runs of older calls, including what the agent said between them and the notes of still older calls that must be
 * made anew.
 */
function* olderRuns(draft: Draft, older: readonly Unit[], target: number): Steps<Run[]> {
  const old = new Set(older);
  const end = draft.units.findLastIndex((unit) => old.has(unit)) + 1;
  const isBetween = (unit: Unit): boolean => unit.state === 'note' || isOf(unit, ['assistant']);
  const belongs = (unit: Unit): boolean => old.has(unit) || (isOf(unit, ['tools', 'assistant']) && isBetween(unit));
  const runs = yield* runsToNote(draft, turnStart(draft.units), end, target, belongs);
  return runs.filter((run) => unitsOf(draft, run).some((unit) => old.has(unit) || unit.state === 'note'));
}

/** Characters of actions and observations. */
function charactersOf(blocks: readonly Block[]): number {
  const messages = blocks.flatMap((block) => [...block.messages]);
  return messages.reduce((sum, message) => {
    const calls = message.role === 'assistant' ? message.calls : [];
    return calls.reduce((part, call) => part + call.arguments.length, sum + message.text.length);
  }, 0);
}

function turnStart(units: readonly Unit[]): number {
  return units.findIndex((unit) => unit.role === 'request') + 1;
}

function isOf({ role, blocks }: Unit, kinds: readonly Block['kind'][]): boolean {
  return (role === 'work' || role === 'unread') && blocks.every((block) => kinds.includes(block.kind));
}

/**
 * What the instructions ask for of the older calls stays in its place with its observations cut, the best match first, as
 * far as it fits in a share of the room for them.
 */
function* keepAsked({ draft, settings, target }: PlanInput, { older }: Trace, most: number): Steps<KeptCalls> {
  const asked = unitsAskedFor(draft, older);
  const cut = yield* cutObservations(draft, new Set(asked), settings.actionTrace.observationCharacters);
  const runs = yield* olderRuns(draft, older, target);
  const going = sumTokens(runs.flatMap((run) => unitsOf(draft, run)));
  let room = (most - (draft.tokens - going)) * ASKED_SHARE;
  const stays = new Set<Unit>();
  for (const unit of asked) {
    const { tokens } = cut.units[draft.units.indexOf(unit)] ?? unit;
    if (tokens > room) continue;
    room -= tokens;
    stays.add(unit);
  }
  const units = draft.units.map((unit, at) => (stays.has(unit) ? (cut.units[at] ?? unit) : unit));
  return { draft: draft.withUnits(units), older: older.filter((unit) => !stays.has(unit)) };
}

interface KeptCalls extends Pick<Trace, 'older'> {
  readonly draft: Draft;
}

/** The draft with the observations of some calls cut in place. */
function* cutObservations(draft: Draft, units: ReadonlySet<Unit>, characters: number): Steps<Draft> {
  const changes = yield* shortenings(
    draft,
    (unit) => units.has(unit),
    (unit) =>
      shortenUnit(unit, ({ role, wire }, handle) =>
        role === 'tool' ? shortenMessage(wire, handle, keptWithin(characters)) : undefined,
      ),
  );
  return yield* draft.replace(changes);
}
