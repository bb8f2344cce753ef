import type { StrategyId, Trigger } from '../compaction/compaction.ts';
import type { CompactionRun, CompactorPorts, PreparedNote } from '../compaction/compactionRun.ts';
import { runCompaction } from '../compaction/compactor.ts';
import type { CompactionResult } from '../compaction/outcome.ts';
import type { Emitter } from '../events/emitter.ts';
import { type CompactedView, isSameBasis } from './compactedView.ts';
import type { CompactRequest } from './conversationOptions.ts';
import { NoteAhead } from './noteAhead.ts';

/** What the runs of a conversation need of it. */
export interface RunOwner {
  readonly view: CompactedView;
  readonly ports: CompactorPorts;
  readonly events: Emitter;
  strategy(): StrategyId;
  /** Counts what has not been counted yet. */
  countAll(): Promise<void>;
  /** Everything that a run works with, as it is now. */
  makeRun(request: CompactRequest): CompactionRun;
  /** Characters of the view. */
  characters(): number;
  /** What the next request takes, tokens. */
  used(): number;
  overflowTokens(): number;
  /** Takes over what a run came to. */
  record(trigger: Trigger, result: CompactionResult): void;
}

/** The runs of one conversation. They never overlap: a second request joins the first. */
export class Runs {
  readonly #owner: RunOwner;
  readonly #ahead = new NoteAhead();
  #running: Promise<CompactionResult> | undefined;

  constructor(owner: RunOwner) {
    this.#owner = owner;
  }

  /** Runs, or joins the run that is under way. Never rejects for an expected reason. */
  start(request: CompactRequest): Promise<CompactionResult> {
    this.#running ??= this.#run(request).finally(() => {
      this.#running = undefined;
    });
    return this.#running;
  }

  /** Has a note written before a run needs it, unless one runs now. `used` is what the request takes, tokens. */
  prepare(used: number, write: () => Promise<PreparedNote | undefined>): void {
    if (this.#running === undefined) this.#ahead.start(this.#owner.view.basis(), used, write);
  }

  async #run(request: CompactRequest): Promise<CompactionResult> {
    const { view, ports, events } = this.#owner;
    const { trigger, strategy = this.#owner.strategy() } = request;
    const started = ports.elapsed();
    const waiting = this.#ahead.waiting(strategy);
    events.emit({ type: 'compaction-started', strategy, trigger, characters: this.#owner.characters(), ...waiting });
    const prepared = await this.#ahead.take(view.basis(), request.signal);
    await this.#owner.countAll();
    const tokensBefore = this.#owner.used();
    const basis = view.basis();
    const run = this.#owner.makeRun(request);
    const outcome = await runCompaction({ ...run, ...(prepared !== undefined && { prepared }) }, ports);
    const isVoid = outcome.kind === 'compacted' && !isSameBasis(basis, view.basis());
    const result: CompactionResult = isVoid ? { kind: 'cancelled', strategy } : outcome;
    const totals = result.kind === 'compacted' ? result.receipt : { tokensBefore, tokensAfter: tokensBefore };
    this.#owner.record(trigger, result);
    events.emit(
      {
        type: 'compaction-ended',
        trigger,
        result,
        tokensBefore: totals.tokensBefore,
        tokensAfter: totals.tokensAfter,
        overflowTokens: this.#owner.overflowTokens(),
        ms: ports.elapsed() - started,
      },
      { type: 'budget-changed' },
    );
    return result;
  }
}
