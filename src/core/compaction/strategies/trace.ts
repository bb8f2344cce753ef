import type { Block } from '../../messages/blocks.ts';
import type { Steps } from '../../steps.ts';
import type { Draft, Run } from '../draft.ts';
import type { StrategySettings } from '../strategySettings.ts';
import { isFrozen, type Unit } from '../unit.ts';
import { runsToNote, unitsOf } from './noteRuns.ts';

/** The tool calls of the running turn that are still in the view: the older ones are compacted, the newest are kept. */
export interface Trace {
  readonly older: readonly Unit[];
  readonly kept: readonly Unit[];
  readonly isLarge: boolean;
}

/** Reads the trace of the running turn; `older` is empty unless it is large enough to act on. */
export function readTrace({ units }: Draft, settings: StrategySettings['actionTrace']): Trace {
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
export function* olderRuns(draft: Draft, { older }: Trace, target: number): Steps<Run[]> {
  const old = new Set(older);
  const end = draft.units.findLastIndex((unit) => old.has(unit)) + 1;
  const isBetween = (unit: Unit): boolean => unit.state === 'note' || isOf(unit, ['assistant']);
  const belongs = (unit: Unit): boolean => old.has(unit) || (isOf(unit, ['tools', 'assistant']) && isBetween(unit));
  const runs = yield* runsToNote(draft, turnStart(draft.units), end, target, belongs);
  return runs.filter((run) => unitsOf(draft, run).some((unit) => old.has(unit) || unit.state === 'note'));
}

/** Characters of actions and observations. */
export function charactersOf(blocks: readonly Block[]): number {
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
