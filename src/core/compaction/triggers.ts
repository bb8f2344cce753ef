import { type Budget, type Room, type Thresholds, triggerTokens } from '../model/budget.ts';
import type { CompactionResult, StrategyId, Trigger } from './compaction.ts';
import { STRATEGIES } from './strategies.ts';

/** After a run that did not help, the view must grow by this share before the same trigger starts another. */
const REGROWTH = 0.1;

/** What decides whether a run is due. */
export interface TriggerInput {
  readonly strategy: StrategyId;
  readonly thresholds: Thresholds;
  /** For the whole request: prompt, tools and messages. */
  readonly budget: Room & Pick<Budget, 'used'>;
  /** Tokens of the view beside the fixed part, by Karl's count, which a server's report does not change. */
  readonly size: number;
  /** Messages of the view. */
  readonly messages: number;
  /** Whether the trace of the running turn is large enough for `action-trace`. Only called when needed. */
  readonly isTraceDue: () => boolean;
}

const AUTOMATIC: readonly Trigger[] = ['threshold', 'message-count', 'trace-size', 'hard-limit'];

/** Decides when a run is due, from the current figures and the outcome of earlier runs. */
export class Triggers {
  /** For each spent trigger, the size of the view when it was spent. */
  #spent = new Map<Trigger, number>();
  /** Whether the run that spent them failed: its possible gain is unknown. */
  #hasFailed = false;
  #isPaused = false;

  /**
   * The trigger that holds now and may start a run; undefined when there is none. The hard limit comes before all
   * others.
   */
  find(input: TriggerInput): Trigger | undefined {
    for (const trigger of holding(input)) {
      const isPaused = this.#isPaused && trigger !== 'hard-limit';
      if (!isPaused && input.size >= (this.#spent.get(trigger) ?? 0) * (1 + REGROWTH)) return trigger;
    }
    return undefined;
  }

  /**
   * Why no run starts although a trigger holds: the last run was undone, or the view has not grown enough since a run
   * failed, or could not save more.
   */
  heldBack(input: TriggerInput): 'undo' | 'failure' | 'growth' | undefined {
    if (this.find(input) !== undefined || holding(input).next().done === true) return undefined;
    if (this.#isPaused) return 'undo';
    return this.#hasFailed ? 'failure' : 'growth';
  }

  /**
   * Takes note of a run; `after` is the state it left, `strategy` the run's. A run that compacted spends the threshold,
   * since another would free little, and all triggers that still hold, unless an automatic run would have another
   * strategy, which may save more. A run that did not compact spends all but the hard limit, since another trigger would
   * start the same run again. A spent trigger waits until the view has grown.
   */
  noteRun(trigger: Trigger, result: CompactionResult['kind'], after: TriggerInput, strategy = after.strategy): void {
    if (result === 'cancelled') return;
    if (result === 'compacted') {
      this.#reset();
      if (strategy === after.strategy) this.#spend(['threshold', ...holding(after)], after);
    } else if (AUTOMATIC.includes(trigger)) {
      this.#hasFailed = result === 'failed';
      // Only the hard limit is worth another attempt at the same run.
      this.#spend(trigger === 'hard-limit' ? AUTOMATIC : AUTOMATIC.filter((one) => one !== 'hard-limit'), after);
    }
    // The user's command ends a pause even if the run gained nothing.
    if (trigger === 'command') this.#isPaused = false;
  }

  #spend(triggers: readonly Trigger[], { size }: TriggerInput): void {
    for (const trigger of triggers) this.#spent.set(trigger, size);
  }

  /** After an undo, automatic runs wait until the hard limit, a command of the user, or a change of settings. */
  pause(): void {
    this.#spent.clear();
    this.#isPaused = true;
  }

  /**
   * With other conditions a run may succeed, so spent triggers may start one again; a choice of the user's also ends a
   * pause.
   */
  noteChange(what: 'same' | 'chosen' | 'given'): void {
    if (what === 'chosen') this.#reset();
    if (what === 'given') this.#spent.clear();
  }

  #reset(): void {
    this.#hasFailed = false;
    this.#spent.clear();
    this.#isPaused = false;
  }
}

/** The triggers that hold, whether or not they may start a run. */
function* holding({ strategy: id, thresholds, budget, ...input }: TriggerInput): Generator<Trigger, void> {
  const strategy = STRATEGIES[id];
  if (budget.used.tokens > budget.limit) yield 'hard-limit';
  if (budget.used.tokens >= triggerTokens(thresholds, budget)) yield 'threshold';
  const most = thresholds.messages ?? strategy.messageTrigger;
  if (most !== undefined && input.messages >= most) yield 'message-count';
  if (strategy.traceTrigger === true && input.isTraceDue()) yield 'trace-size';
}
