import type { Block } from '../../chat/blocks.ts';
import { quoteHead } from '../../chat/cut.ts';
import { handleOf } from '../../chat/handle.ts';
import type { MessageRange } from '../../chat/message.ts';
import { describeUse } from '../../ledger/describe.ts';
import { errorsOfUse } from '../../ledger/errors.ts';
import type { ToolUse } from '../../ledger/outcome.ts';
import { readBlock } from '../../ledger/reading.ts';
import { err, ok } from '../../result.ts';
import type { Steps } from '../../steps.ts';
import { type Draft, isFrozen, type Run, sumTokens, type Unit, unitsOf } from '../draft.ts';
import { shortenUnits } from '../forms.ts';
import { LEAST_GAIN } from '../laws.ts';
import { planNotes, runsToNote } from '../notes/notePlan.ts';
import type { NotePassage, Tier, Variant } from '../notes/selection.ts';
import { keptWithin, shortenText } from '../shorten.ts';
import type { PlanInput, Planner, Strategy, StrategySettings } from '../strategy.ts';

/** The share of a trace that is removed when the target demands no more; more of a large one. */
const CUT_SHARE = 0.35;
const CUT_SHARE_LARGE = 0.6;
/** The longest narrative, as a share of what it covers. */
const TOLD_SHARE = 0.3;

/**
 * Compacts the tool calls of the running turn: the newest stay whole; the older ones become one trace grouped by tool,
 * with a narrative by the model where the trace is long. What the run's instructions ask for is quoted first. Where that
 * gains too little, long observations of the newer calls are cut too.
 */
export const actionTrace: Strategy = {
  id: 'action-trace',
  model: 'optional',
  promise: 'handles-only',
  messageTrigger: 50,
  traceTrigger: true,
  *plan(input) {
    const { draft, settings } = input;
    const whole = readTrace(draft, settings.actionTrace);
    if (whole.older.length === 0) return err({ reason: 'trace-too-small' });
    const runs = yield* olderRuns(draft, whole.older, input.target);
    const gains = (after: Draft): boolean => draft.tokens - after.tokens >= draft.tokens * LEAST_GAIN;
    const planned = yield* writeTrace(input, whole, runs);
    if (!planned.ok || gains(planned.value.draft)) return planned;
    // The newest call stays whole.
    const newer = new Set(whole.kept.slice(0, -1));
    const truncated = yield* shortenUnits(
      planned.value.draft,
      (unit) => newer.has(unit),
      ({ role }) => (role === 'tool' ? keptWithin(settings.actionTrace.observationCharacters) : undefined),
    );
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
 * Replaces runs of old calls by notes: a line for each call as far as the target has room, and with them as much of the
 * observations as the settings and the share that is to be removed leave room for.
 */
function* writeTrace(input: PlanInput, { older, kept, isLarge }: Trace, runs: readonly Run[]): ReturnType<Planner> {
  const { draft, settings } = input;
  const { observationCharacters, modelCharacters } = settings.actionTrace;
  const cut = sumTokens([...older, ...kept]) * (isLarge ? CUT_SHARE_LARGE : CUT_SHARE);
  const target = Math.min(input.target, draft.tokens * (1 - LEAST_GAIN), draft.tokens - cut);
  const lengths = OBSERVATIONS.map((share) => share * observationCharacters);
  const isWorth = (units: readonly Unit[]): boolean =>
    charactersOf(units.flatMap((unit) => unit.blocks)) >= modelCharacters;
  const asking = { detail: 'brief', share: TOLD_SHARE, isWorth } as const;
  return yield* planNotes({ ...input, target }, runs, asking, (block) => readTraceOf(block, lengths));
}

/** The lengths of an observation, as shares of the longest; a shorter one than this is left out. Characters. */
const OBSERVATIONS = [0.2, 0.4, 0.6, 0.8, 1];
const LEAST_OBSERVATION = 80;
/** How much of an error the line quotes. Characters. */
const ERROR_CHARACTERS = 160;

/** The heading of what the agent said; no tool has such a name. */
const SAID = 'the agent said';

/**
 * What a trace has of a block, under the name of its tool: a line for each call with outcome, path and error (`npm test ·
 * exit 1 · 212 lines`), and then as much of the observation as a length (characters of both) allows; what the agent said.
 */
function readTraceOf(block: Block, lengths: readonly number[]): NotePassage[] {
  const { at, model = '', uses } = readBlock(block);
  const prose = model.trim();
  const range = { from: at, to: at };
  const said = lengths.map((length) => `[${handleOf(range)}]${excerpt(prose, range, length)}`);
  const calls = (block.kind === 'tools' ? uses : []).map((use): NotePassage => {
    const place = use.result?.at ?? use.at;
    const own = uses.length === 1 ? block.range : { from: place, to: place };
    const label = describeUse(use);
    // The heading names the tool already.
    const short = label.startsWith(`${use.name} `) ? label.slice(use.name.length + 1) : label;
    const line = short === '' ? `[${handleOf(own)}]` : `[${handleOf(own)} ${short}]`;
    const error = errorOf(use);
    const write = (length: number): string => {
      const shown = excerpt(use.result?.text.trim() ?? '', own, length - line.length - error.length - 1);
      return `${shown.includes(error) ? line : `${line} ${error}`}${shown}`;
    };
    return { range: own, tool: use.name, group: use.name, variants: variantsOf([0, ...lengths].map(write)) };
  });
  return prose === '' ? calls : [{ range, group: SAID, variants: variantsOf(said) }, ...calls];
}

/** The lines of all calls come before the observations, and some of each of these before more of the newest. */
const WORTHS: readonly Tier[] = ['line', 'whole report', 'said', 'step', 'said in full'];

function variantsOf(texts: readonly string[]): Variant[] {
  return [...new Set(texts)].map((text, index) => ({ tier: WORTHS[index] ?? 'step in full', text }));
}

/** The first error in the result; if the call failed without one, how its result begins. */
function errorOf(use: ToolUse): string {
  const { result } = use;
  const text = errorsOfUse(use)[0]?.value ?? (result?.failed === true ? result.text.trim() : '');
  return quoteHead(text.split('\n', 1)[0] ?? '', ERROR_CHARACTERS);
}

/** On lines of its own; '' where there is no room for it. */
function excerpt(text: string, range: MessageRange, characters: number): string {
  if (text === '' || (text.length > characters && characters < LEAST_OBSERVATION)) return '';
  if (text.length <= characters) return `\n${text}`;
  return `\n${shortenText(text, handleOf(range), keptWithin(characters)) ?? quoteHead(text, characters)}`;
}
