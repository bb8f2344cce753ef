import type { CompactionResult, HandAct, StrategyId, Trigger } from '../compaction/compaction.ts';
import type { CompactionRun, PreparedNote } from '../compaction/compactionRun.ts';
import { prepareNote, runCompaction } from '../compaction/compactor.ts';
import type { Emitter } from '../events/fanout.ts';
import { t } from '../language.ts';
import type { MessageId } from '../messages/message.ts';
import { type Budget, describeShortage, isNearTrigger, overflowTokens } from '../model/budget.ts';
import { err } from '../result.ts';
import { orAborted, runInSlices } from '../steps.ts';
import { changeByHand } from './changeByHand.ts';
import { type CompactedView, isSameBasis, type PreparedRecord } from './compactedView.ts';
import type { CompactionAbout, CompactRequest, ConversationOptions, Standing } from './conversationOptions.ts';
import type { MeasuredView } from './measuredView.ts';
import { NoteAhead } from './noteAhead.ts';
import { finishPreview, type PreviewOutcome, type PreviewRequest, preparePreview } from './preview.ts';

/** What runs need from their conversation. */
export interface RunOwner {
  readonly view: CompactedView;
  readonly measured: MeasuredView;
  readonly events: Emitter;
  readonly options: Pick<ConversationOptions, 'ports' | 'counter' | 'beforeCompact'>;
  /** The settings in force. */
  change(): Standing;
  /** Everything a run works with, as it is now. */
  makeRun(request: CompactRequest): CompactionRun;
  budget(): Budget;
  /** Forgets the server's last report, since it was about another view. */
  forgetRequest(): void;
  /** Takes note of a run's result; its record is in the view by then. */
  noteRun(trigger: Trigger, result: CompactionResult['kind'], strategy: StrategyId): void;
}

/** The runs of one conversation. They never overlap: a second request normally joins the run under way. */
export class Runs {
  readonly #owner: RunOwner;
  readonly #ahead = new NoteAhead();
  #hasWarned = false;
  #running: Running | undefined;

  constructor(owner: RunOwner) {
    this.#owner = owner;
  }

  /**
   * Starts a run, or joins the one under way. A command that asks for something which that run does not do (a strategy,
   * a target, instructions, messages to keep, a preview) runs after it, and so does whoever joined a run that another's
   * signal ended. Never rejects for an expected reason.
   */
  start(request: CompactRequest): Promise<CompactionResult> {
    const { trigger, strategy, targetTokens, instructions, keep, upTo, preview } = request;
    const own = [strategy, targetTokens, instructions, keep, upTo, preview];
    const isOwn = trigger === 'command' && own.some((asked) => asked !== undefined);
    const running = this.#running;
    if (running !== undefined)
      return running.result.then((result) =>
        isOwn || (running.signal?.aborted === true && request.signal?.aborted !== true) ? this.start(request) : result,
      );
    const result = this.#run(request).finally(() => {
      this.#running = undefined;
    });
    this.#running = { result, signal: request.signal };
    return result;
  }

  /** Has a note written ahead when the view is near the threshold and no run is under way. */
  prepare(signal: AbortSignal): void {
    const { strategy, summarizer, settings, thresholds } = this.#owner.change();
    if (strategy !== 'adaptive' || summarizer === undefined || settings.summary.when !== 'always') return;
    const budget = this.#owner.budget();
    const { used } = budget;
    if (this.#running !== undefined || !isNearTrigger(thresholds, budget, used.tokens)) return;
    const write = () => prepareNote(this.#owner.makeRun({ trigger: 'threshold', signal }), this.#owner.options.ports);
    this.#ahead.start(this.#owner.view.basis(), used.tokens, write);
  }

  /** See `changeByHand`. */
  byHand(act: HandAct, ids: readonly MessageId[]): ReturnType<typeof changeByHand> {
    return this.#running === undefined
      ? changeByHand(act, ids, this.#owner)
      : Promise.resolve(err(t('Karl is compressing. Wait or press Stop.')));
  }

  /** Makes a run without recording it. */
  async preview(request: PreviewRequest): Promise<PreviewOutcome> {
    const { options, measured, view, change } = this.#owner;
    const { strategy = change().strategy, instructions, signal, earlier } = request;
    await runInSlices(measured.prepare(), options.ports);
    await orAborted(Promise.resolve(options.counter.settled?.()), undefined, signal);
    const isServed = strategy === 'adaptive' && instructions === undefined && earlier === undefined;
    const ahead = isServed ? await this.#ahead.read(view.basis(), signal) : undefined;
    return preparePreview(request, this.#owner, ahead);
  }

  async #run(request: CompactRequest): Promise<CompactionResult> {
    const { options, events, measured, view } = this.#owner;
    const { ports, counter } = options;
    const { trigger, strategy = this.#owner.change().strategy } = request;
    const started = ports.elapsed();
    await runInSlices(measured.prepare(), ports);
    const { characters } = measured.sum();
    const { instructions } = request;
    const more = instructions === undefined ? this.#ahead.waiting(strategy) : { instructions };
    events.emit({ type: 'compaction-started', strategy, trigger, characters, ...more });
    // Waits for exact counts to replace estimates, so that equal transcripts are planned equally.
    await orAborted(Promise.resolve(counter.settled?.()), undefined, request.signal);
    const vetoed = await this.#askBefore(request, strategy);
    const prepared = vetoed === undefined ? await this.#takePrepared(request, strategy) : undefined;
    const budget = this.#owner.budget();
    const tokensBefore = budget.used.tokens;
    const { result, record } = vetoed === undefined ? await this.#compact(request, prepared) : { result: vetoed };
    const totals = result.kind === 'compacted' ? result.receipt : { tokensBefore, tokensAfter: tokensBefore };
    if (record !== undefined) view.add(record);
    this.#owner.noteRun(trigger, result.kind, strategy);
    events.emit(
      {
        type: 'compaction-ended',
        trigger,
        result,
        tokensBefore: totals.tokensBefore,
        tokensAfter: totals.tokensAfter,
        overflowTokens: overflowTokens(this.#owner.budget()),
        ms: ports.elapsed() - started,
      },
      { type: 'budget-changed' },
    );
    this.#warn(budget);
    return result;
  }

  /** Says once that the window is too small, whatever is compacted. */
  #warn(budget: Budget): void {
    const message = this.#hasWarned ? undefined : describeShortage(budget);
    if (message === undefined) return;
    this.#hasWarned = true;
    this.#owner.events.emit({ type: 'warning', message });
  }

  /** Asks the user's hook; a reason from it ends the run before it began. */
  async #askBefore(request: CompactRequest, strategy: StrategyId): Promise<CompactionResult | undefined> {
    const { trigger, instructions, signal } = request;
    const { used, limit } = this.#owner.budget();
    const about: CompactionAbout = {
      trigger,
      strategy,
      model: this.#owner.change().profile.id,
      ...(instructions !== undefined && { instructions }),
      usedTokens: used.tokens,
      limitTokens: limit,
    };
    const message = await this.#owner.options.beforeCompact?.(about, signal);
    return message === undefined ? undefined : { kind: 'skipped', strategy, reason: 'vetoed', message };
  }

  /**
   * The note that was written ahead, for `adaptive`. It does not follow instructions, so a run with instructions does
   * without it.
   */
  async #takePrepared(
    { instructions, signal, preview }: CompactRequest,
    strategy: StrategyId,
  ): Promise<PreparedNote | undefined> {
    if (strategy !== 'adaptive' || preview !== undefined) return undefined;
    if (instructions === undefined) return this.#ahead.take(this.#owner.view.basis(), signal);
    this.#ahead.drop();
    return undefined;
  }

  /** The run itself. Its result is void when records or pins have changed meanwhile. */
  async #compact(request: CompactRequest, prepared: PreparedNote | undefined): Promise<Outcome> {
    const { view, measured, options } = this.#owner;
    const { ports } = options;
    const basis = view.basis();
    const run = this.#owner.makeRun(request);
    const ahead = prepared === undefined ? {} : { prepared: [prepared], spent: prepared.use };
    const { result } =
      request.preview === undefined
        ? await runCompaction({ ...run, ...ahead }, ports)
        : await finishPreview(request.preview, run, this.#owner);
    if (result.kind !== 'compacted') return { result };
    const record = await runInSlices(measured.prepareRecord(result.compaction), ports);
    return isSameBasis(basis, view.basis()) && request.signal?.aborted !== true
      ? { result, record }
      : { result: { kind: 'cancelled', strategy: run.strategy } };
  }
}

/** A run under way, and the signal that ends it. */
interface Running {
  readonly result: Promise<CompactionResult>;
  readonly signal: AbortSignal | undefined;
}

/** The result of a run, with its record when it compacted. */
interface Outcome {
  readonly result: CompactionResult;
  readonly record?: PreparedRecord;
}
