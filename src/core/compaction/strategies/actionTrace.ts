import { describeUse } from '../../ledger/describe.ts';
import { errorsOfUse } from '../../ledger/errors.ts';
import type { ToolUse } from '../../ledger/outcome.ts';
import { readBlock } from '../../ledger/reading.ts';
import type { Block } from '../../messages/blocks.ts';
import { quoteHead } from '../../messages/cut.ts';
import { fence } from '../../messages/fence.ts';
import { handleOf } from '../../messages/handle.ts';
import type { MessageRange } from '../../messages/message.ts';
import { err, groupBy, ok } from '../../result.ts';
import type { Steps } from '../../steps.ts';
import {
  askedThatFit,
  type Change,
  type Draft,
  isFrozen,
  largestThatFits,
  type Run,
  rangeOf,
  sumTokens,
  type Unit,
  unitsOf,
} from '../draft.ts';
import { shortenUnits } from '../forms.ts';
import { LEAST_GAIN } from '../laws.ts';
import { runsToNote } from '../notes/notePlan.ts';
import { rangeLine, withNarratives } from '../notes/noteText.ts';
import { keptWithin, shortenText } from '../shorten.ts';
import type { PlanInput, Strategy, StrategySettings } from '../strategy.ts';
import { orderNote } from './noting.ts';

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
      const mayAsk = input.canSummarize && narratives.length === 0;
      const worth = runs
        .map((run) => unitsOf(kept, run))
        .filter((units) => mayAsk && charactersOf(units.flatMap(({ blocks }) => blocks)) >= modelCharacters);
      const orders = worth.map((units) => orderNote({ draft: kept, settings }, units, 'brief', TOLD_SHARE));
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
 * What the instructions ask for of the older calls stays in its place with its observations cut, as far as it fits in a
 * share of the room for them.
 */
function* keepAsked({ draft, settings, target }: PlanInput, { older }: Trace, most: number) {
  const cut = yield* cutObservations(draft, new Set(older), settings.actionTrace.observationCharacters);
  const going = sumTokens((yield* olderRuns(draft, older, target)).flatMap((run) => unitsOf(draft, run)));
  const old = new Set(older);
  const cutOlder = cut.units.filter((_, at) => draft.units.slice(at, at + 1).some((unit) => old.has(unit)));
  const stays = askedThatFit(draft, cutOlder, (most - (draft.tokens - going)) * ASKED_SHARE);
  const kept = draft.units.map((unit, at) => cut.units.slice(at, at + 1).find((one) => stays.has(one)) ?? unit);
  return { draft: draft.withUnits(kept), older: kept.filter((unit) => old.has(unit) && !stays.has(unit)) };
}

/** The draft with the observations of some calls cut in place. */
function* cutObservations(draft: Draft, units: ReadonlySet<Unit>, characters: number): Steps<Draft> {
  return yield* shortenUnits(
    draft,
    (unit) => units.has(unit),
    ({ role }) => (role === 'tool' ? keptWithin(characters) : undefined),
  );
}

/** One old tool call with its result, or what the agent said on the way. */
interface TraceEntry {
  readonly tool: string;
  /** The handle of its messages. */
  readonly handle: string;
  /** What it did and how it ended: `npm test · exit 1 · 212 lines`; empty for what was said. */
  readonly label: string;
  /** The error that it ended in. */
  readonly error: string | undefined;
  readonly observation: string;
}

/** How much of an error the line quotes. Characters. */
const ERROR_CHARACTERS = 160;
/** An observation that would be cut to less than this is left out. Characters. */
const LEAST_OBSERVATION = 80;

/** The heading of what the agent said; no tool has such a name. */
const SAID = 'the agent said';

/**
 * The draft with runs of old calls replaced by notes: observations as long as the settings and `aim` (tokens of the
 * whole view) allow; if the lines alone take more than `most`, only the newest of them.
 */
function* writeTrace(
  { draft, mark, settings, narratives }: PlanInput,
  runs: readonly Run[],
  { aim, most }: { readonly aim: number; readonly most: number },
): Steps<Draft> {
  const notes: { readonly run: Run; readonly own: readonly TraceEntry[] }[] = [];
  for (const run of runs) {
    yield;
    notes.push({ run, own: unitsOf(draft, run).flatMap(({ blocks }) => blocks.flatMap(readEntries)) });
  }
  const all = notes.reduce((sum, { own }) => sum + own.length, 0);
  /** With the newest `entries`, each in at most `characters`. */
  function* write(entries: number, characters: number): Steps<Draft> {
    let left = entries;
    const changes: Change[] = [];
    for (const { run, own } of notes.toReversed()) {
      const units = unitsOf(draft, run);
      const range = rangeOf(units);
      const told = narratives.filter(({ covers }) => covers.from === range.from && covers.to === range.to);
      const text = traceText(range, own, Math.max(0, own.length - left), characters);
      left = Math.max(0, left - own.length);
      const messages = [fence(mark, withNarratives(text, told))];
      if ((yield* draft.countInSteps(messages)) < sumTokens(units))
        changes.push({ ...run, by: { kind: 'note', messages, narratives: told } });
    }
    return yield* draft.replace(changes.reverse());
  }
  const longest = settings.actionTrace.observationCharacters;
  const full = yield* write(all, longest);
  if (full.tokens <= aim) return full;
  const lines = yield* write(all, 0);
  if (lines.tokens <= aim)
    return (yield* largestThatFits(longest, aim, (characters) => write(all, characters))) ?? lines;
  if (lines.tokens <= most) return lines;
  return (yield* largestThatFits(all, most, (entries) => write(entries, 0))) ?? (yield* write(0, 0));
}

/** The entries of a block: what the agent said, and one for each call. */
function readEntries(block: Block): TraceEntry[] {
  const { at, model = '', uses } = readBlock(block);
  const observation = model.trim();
  const said = { tool: SAID, handle: handleOf({ from: at, to: at }), label: '', error: undefined, observation };
  const calls = (block.kind === 'tools' ? uses : []).map((use) => {
    const place = use.result?.at ?? use.at;
    const label = describeUse(use);
    return {
      tool: use.name,
      handle: handleOf(uses.length === 1 ? block.range : { from: place, to: place }),
      // The heading names the tool already.
      label: label.startsWith(`${use.name} `) ? label.slice(use.name.length + 1) : label,
      error: errorOf(use),
      observation: use.result?.text.trim() ?? '',
    };
  });
  return observation === '' ? calls : [said, ...calls];
}

/** The first error in the result; if the call failed without one, how its result begins. */
function errorOf(use: ToolUse): string | undefined {
  const { result } = use;
  const text = errorsOfUse(use)[0]?.value ?? (result?.failed === true ? result.text.trim() : '');
  const [line = ''] = text.split('\n', 1);
  return line === '' ? undefined : quoteHead(line, ERROR_CHARACTERS);
}

/**
 * The text of a trace, grouped by tool: what the agent said, then a line for each call with outcome, path and error, and
 * as much of the observation as `characters` allow. The `skipped` oldest entries are counted.
 */
function traceText(range: MessageRange, entries: readonly TraceEntry[], skipped: number, characters: number): string {
  // Prose whose text is left out would be a bare handle.
  const told = entries.slice(skipped).filter(({ tool }) => tool !== SAID || characters >= LEAST_OBSERVATION);
  const left = entries.slice(0, skipped).filter(({ tool }) => tool !== SAID);
  const counts = [...groupBy(left, toolOf)].map(([tool, group]) => `${group.length} ${tool}`);
  const lines = [...groupBy(told, toolOf)].flatMap(([tool, group]) => [
    `${tool}:`,
    ...group.map((entry) => entryText(entry, characters)),
  ]);
  return [rangeLine(range, counts.join('; ')), ...lines].join('\n');
}

const toolOf = ({ tool }: TraceEntry): string => tool;

function entryText({ handle, label, error = '', observation }: TraceEntry, characters: number): string {
  const line = label === '' ? `[${handle}]` : `[${handle} ${label}]`;
  const shown = excerpt(observation, handle, characters - line.length - error.length - 1);
  const told = shown.includes(error) ? line : `${line} ${error}`;
  return shown === '' ? told : `${told}\n${shown}`;
}

function excerpt(text: string, handle: string, characters: number): string {
  if (text.length <= characters) return text;
  if (characters < LEAST_OBSERVATION) return '';
  return shortenText(text, handle, keptWithin(characters)) ?? quoteHead(text, characters);
}
