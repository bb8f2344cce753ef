import { type Thresholds, triggerTokens } from '../budget/thresholds.ts';
import type { StrategyId, Trigger } from './compaction.ts';
import type { CompactionResult } from './outcome.ts';
import { STRATEGIES } from './strategies.ts';

/** After a run that did not help the view must grow by this share of itself before the same trigger starts another. */
const REGROWTH = 0.1;

/** What the triggers look at. `limit` and `used` are of the whole request: prompt, tools and messages. Tokens. */
export interface TriggerInput {
  readonly strategy: StrategyId;
  readonly thresholds: Thresholds;
  /** What prompts may use. */
  readonly limit: number;
  readonly used: number;
  /** What the messages of the view take as Karl counts them: a server's report changes no size. */
  readonly size: number;
  /** Messages of the view. */
  readonly messages: number;
  /** Whether the trace of the running turn is large enough for `action-trace`. Asked only when it matters. */
  readonly isTraceDue: () => boolean;
}

const AUTOMATIC: readonly Trigger[] = ['threshold', 'message-count', 'trace-size', 'hard-limit'];

/** A run by tokens frees much, or would free little again: these wait for growth after every run that compacted. */
const BY_TOKENS: readonly Trigger[] = ['threshold', 'hard-limit'];

/** Says when a run is due, by how things stand and by what earlier runs came to. */
export class Triggers {
  /** The size of the view after the last run that spent a trigger. */
  #spent = new Map<Trigger, number>();
  #isPaused = false;

  /** The trigger that holds now and may start a run; undefined when none. The hard limit comes before all others. */
  find(input: TriggerInput): Trigger | undefined {
    for (const trigger of holding(input)) {
      const isPaused = this.#isPaused && trigger !== 'hard-limit';
      if (!isPaused && input.size >= (this.#spent.get(trigger) ?? 0) * (1 + REGROWTH)) return trigger;
    }
    return undefined;
  }

  /** Why no run starts although a trigger holds: the last was taken back, or gained too little for the view as it is. */
  heldBack(input: TriggerInput): 'undo' | 'growth' | undefined {
    if (this.find(input) !== undefined || holding(input).next().done === true) return undefined;
    return this.#isPaused ? 'undo' : 'growth';
  }

  /**
   * Takes note of a run; `after` is how things stand then. One that compacted spends the triggers that look at tokens, and
   * those that hold all the same. One that did not spends all but the hard limit, as another trigger would start the very
   * same run. A trigger that is spent waits until the view has grown.
   */
  noteRun(trigger: Trigger, result: CompactionResult['kind'], after: TriggerInput): void {
    if (result === 'cancelled') return;
    if (result === 'compacted') {
      this.#reset();
      this.#spend([...BY_TOKENS, ...holding(after)], after);
    } else if (AUTOMATIC.includes(trigger)) {
      // Only at the hard limit is the same worth trying once more.
      this.#spend(trigger === 'hard-limit' ? AUTOMATIC : AUTOMATIC.filter((one) => one !== 'hard-limit'), after);
    }
    // The user's word ends a pause, whatever came of it.
    if (trigger === 'command') this.#isPaused = false;
  }

  #spend(triggers: readonly Trigger[], { size }: TriggerInput): void {
    for (const trigger of triggers) this.#spent.set(trigger, size);
  }

  /** After an undo automatic runs wait until the hard limit, the user's command or other settings. */
  pause(): void {
    this.#spent.clear();
    this.#isPaused = true;
  }

  /** A run under other conditions is another run; what the user chose anew ends a pause too. */
  noteChange(what: 'same' | 'chosen' | 'given'): void {
    if (what === 'chosen') this.#reset();
    if (what === 'given') this.#spent.clear();
  }

  #reset(): void {
    this.#spent.clear();
    this.#isPaused = false;
  }
}

/** The triggers that hold, whether they may start a run or not. */
function* holding({ strategy: id, thresholds, ...input }: TriggerInput): Generator<Trigger, void> {
  const strategy = STRATEGIES[id];
  if (input.used > input.limit) yield 'hard-limit';
  if (input.used >= triggerTokens(thresholds, input.limit)) yield 'threshold';
  const most = thresholds.messages ?? strategy.messageTrigger;
  if (most !== undefined && input.messages >= most) yield 'message-count';
  if (strategy.traceTrigger === true && input.isTraceDue()) yield 'trace-size';
}
