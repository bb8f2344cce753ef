import { type Thresholds, triggerTokens } from '../budget/thresholds.ts';
import type { StrategyId, Trigger } from './compaction.ts';
import { STRATEGIES } from './strategies.ts';

/** After a run that did not help the request must grow by this share of itself before the same trigger starts another. */
const REGROWTH = 0.1;

/** What the triggers look at. Token figures are of the whole request: prompt, tools and messages. */
export interface TriggerInput {
  readonly strategy: StrategyId;
  readonly thresholds: Thresholds;
  /** What prompts may use. */
  readonly limit: number;
  readonly used: number;
  /** Messages of the view. */
  readonly messages: number;
  /** Whether the trace of the running turn is large enough for `action-trace`. Asked only when it matters. */
  readonly isTraceDue: () => boolean;
  readonly memory: TriggerMemory;
}

/** What the triggers remember of what happened. */
export interface TriggerMemory {
  /** The used figure right after the last run of each trigger. */
  readonly tried: ReadonlyMap<Trigger, number>;
  /** After an undo automatic runs wait until the hard limit or the user's command. */
  readonly pausedByUndo: boolean;
}

/** No run yet. */
export const NOTHING_TRIED: TriggerMemory = { tried: new Map(), pausedByUndo: false };

const AUTOMATIC: readonly Trigger[] = ['threshold', 'message-count', 'trace-size', 'hard-limit'];

/** A count can be exceeded anew while the request is small: a run that brought it down does not hold the next one back. */
const BY_TOKENS: readonly Trigger[] = ['threshold', 'hard-limit'];

/**
 * The memory after a run. One that compacted counts for the triggers that look at tokens; one that did not counts for
 * all but the hard limit, as another trigger would start the very same run. None of them starts again until the request
 * has grown.
 */
export function rememberRun(
  memory: TriggerMemory,
  run: {
    readonly trigger: Trigger;
    readonly result: 'compacted' | 'skipped' | 'failed' | 'cancelled';
    readonly used: number;
  },
): TriggerMemory {
  if (run.result === 'cancelled') return memory;
  if (run.result === 'compacted')
    return { tried: new Map(BY_TOKENS.map((trigger) => [trigger, run.used])), pausedByUndo: false };
  // Only at the hard limit is the same worth trying once more.
  const spent = AUTOMATIC.filter((trigger) => trigger !== 'hard-limit' || run.trigger === 'hard-limit');
  const also = AUTOMATIC.includes(run.trigger) ? spent : [run.trigger];
  return { ...memory, tried: new Map([...memory.tried, ...also.map((trigger) => [trigger, run.used] as const)]) };
}

/** The trigger that holds now and may start a run; undefined when none. The hard limit comes before all others. */
export function findTrigger(input: TriggerInput): Trigger | undefined {
  const strategy = STRATEGIES[input.strategy];
  if (input.used > input.limit && mayTry('hard-limit', input)) return 'hard-limit';
  if (input.memory.pausedByUndo) return undefined;
  if (input.used >= triggerTokens(input.thresholds, input.limit) && mayTry('threshold', input)) return 'threshold';
  const most = input.thresholds.messages ?? strategy.messageTrigger;
  if (most !== undefined && input.messages >= most && mayTry('message-count', input)) return 'message-count';
  if (strategy.traceTrigger === true && mayTry('trace-size', input) && input.isTraceDue()) return 'trace-size';
  return undefined;
}

function mayTry(trigger: Trigger, input: TriggerInput): boolean {
  const after = input.memory.tried.get(trigger);
  return after === undefined || input.used >= after * (1 + REGROWTH);
}
