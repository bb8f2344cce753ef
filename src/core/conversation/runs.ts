import type { MessageId } from '../chat/message.ts';
import { planByHand } from '../compaction/byHand.ts';
import type { Compaction, CompactionResult, HandAct, StrategyId } from '../compaction/compaction.ts';
import type { CompactionRun, WrittenNotes } from '../compaction/compactionRun.ts';
import { measureRun, prepareNote, runCompaction } from '../compaction/compactor.ts';
import { startDraft } from '../compaction/draft.ts';
import { findBrokenLaw } from '../compaction/laws.ts';
import { type Budget, describeShortage, isNearTrigger, overflowTokens } from '../model/budget.ts';
import { type Phrase, phrase } from '../phrase.ts';
import { err, ok, type Result } from '../result.ts';
import { orAborted, runInSlices, type Steps } from '../steps.ts';
import { NO_RUN } from './agentRecords.ts';
import { type CompactedView, isSameBasis, type ViewBasis } from './compactedView.ts';
import type { CompactionAbout, CompactRequest } from './conversationOptions.ts';
import type { ConversationParts } from './conversationParts.ts';
import { finishPreview, makeRun, type PreviewOutcome, type PreviewRequest, preparePreview } from './makeRun.ts';

/** The runs of one conversation. They never overlap: a second request normally joins the run under way. */
export class Runs {
  readonly #parts: ConversationParts;
  readonly #ahead = new NoteAhead();
  #hasWarned = false;
  #running: Running | undefined;

  constructor(parts: ConversationParts) {
    this.#parts = parts;
  }

  /**
   * Starts a run, or joins the one under way. A command with a strategy, target, instructions, messages to keep or preview
   * of its own runs after it, and so does a caller whose joined run was ended by another's signal. Never rejects for an
   * expected reason.
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

  /** Writes a note ahead when the view is near the threshold and no run is under way. */
  prepare(signal: AbortSignal): void {
    const { strategy, summarizer, settings, thresholds } = this.#parts.settings;
    if (strategy !== 'adaptive' || summarizer === undefined || settings.summary.when !== 'always') return;
    const budget = this.#parts.budget();
    const { used } = budget;
    if (this.#running !== undefined || !isNearTrigger(thresholds, budget, used.tokens)) return;
    const write = () => prepareNote(makeRun({ trigger: 'threshold', signal }, this.#parts), this.#parts.options.ports);
    this.#ahead.start(this.#parts.view.basis(), used.tokens, write);
  }

  byHand(act: HandAct, ids: readonly MessageId[]): ReturnType<typeof changeByHand> {
    return this.#running === undefined ? changeByHand(act, ids, this.#parts) : Promise.resolve(err(phrase('run.busy')));
  }

  async preview(request: PreviewRequest): Promise<PreviewOutcome> {
    const { strategy = this.#parts.settings.strategy } = request;
    await this.#parts.ready();
    const ahead = request.earlier === undefined ? await this.#readAhead(request, strategy) : undefined;
    return preparePreview(request, this.#parts, ahead);
  }

  async #run(request: CompactRequest): Promise<CompactionResult> {
    const { options, events, triggers } = this.#parts;
    const { ports } = options;
    const { trigger, strategy = this.#parts.settings.strategy } = request;
    const started = ports.elapsed();
    await this.#parts.ready();
    const { characters } = this.#parts.sum();
    const { instructions } = request;
    const isWaiting = instructions === undefined && strategy === 'adaptive' && this.#ahead.isWriting;
    const waitsFor = isWaiting ? 'summary' : undefined;
    events.emit({ type: 'compaction-started', strategy, trigger, characters, instructions, waitsFor });
    const vetoed = await this.#askBefore(request, strategy);
    const budget = this.#parts.budget();
    const tokensBefore = budget.used.tokens;
    const result = vetoed ?? (await this.#compact(request, strategy));
    const totals = result.kind === 'compacted' ? result.receipt : { tokensBefore, tokensAfter: tokensBefore };
    triggers.noteRun(trigger, result.kind, this.#parts.triggerInput(), strategy);
    events.emit(
      {
        type: 'compaction-ended',
        trigger,
        result,
        tokensBefore: totals.tokensBefore,
        tokensAfter: totals.tokensAfter,
        overflowTokens: overflowTokens(this.#parts.budget()),
        ms: ports.elapsed() - started,
      },
      { type: 'budget-changed' },
    );
    this.#warn(budget);
    return result;
  }

  /** Warns once if the window is too small whatever is compacted. */
  #warn(budget: Budget): void {
    const message = this.#hasWarned ? undefined : describeShortage(budget);
    if (message === undefined) return;
    this.#hasWarned = true;
    this.#parts.events.emit({ type: 'warning', message });
  }

  /** Asks the user's hook; a returned reason stops the run before it begins. */
  async #askBefore(request: CompactRequest, strategy: StrategyId): Promise<CompactionResult | undefined> {
    const { trigger, instructions, signal } = request;
    const { used, limit } = this.#parts.budget();
    const about: CompactionAbout = {
      trigger,
      strategy,
      model: this.#parts.settings.profile.id,
      instructions,
      tokens: { before: used.tokens, limit },
    };
    const message = await this.#parts.options.beforeCompact?.(about, signal);
    return message === undefined ? undefined : { kind: 'skipped', strategy, reason: 'vetoed', message };
  }

  /** The note written ahead, for `adaptive`. A run with instructions does not use it, since it does not follow them. */
  async #readAhead(
    { instructions, signal }: Pick<CompactRequest, 'instructions' | 'signal'>,
    strategy: StrategyId,
  ): Promise<WrittenNotes | undefined> {
    if (strategy !== 'adaptive' || instructions !== undefined) return undefined;
    return this.#ahead.read(this.#parts.view.basis(), signal);
  }

  /** Runs and records. Discards the result if records or pins have changed meanwhile. */
  async #compact(request: CompactRequest, strategy: StrategyId): Promise<CompactionResult> {
    const { view, options, meter } = this.#parts;
    const { ports } = options;
    const prepared = request.preview === undefined ? await this.#readAhead(request, strategy) : undefined;
    const basis = view.basis();
    const run = makeRun(request, this.#parts);
    const result =
      request.preview === undefined
        ? (await runCompaction({ ...run, prepared }, ports)).result
        : await finishPreview(request.preview, run, this.#parts);
    if (result.kind !== 'compacted') return result;
    const derived = await runInSlices(this.#parts.viewWith(result.compaction), ports);
    if (!isSameBasis(basis, view.basis()) || request.signal?.aborted === true)
      return { kind: 'cancelled', strategy: run.strategy };
    view.add(result.compaction, derived);
    meter.usage.forgetRequest();
    return result;
  }
}

interface Running {
  readonly result: Promise<CompactionResult>;
  readonly signal: AbortSignal | undefined;
}

/** After an attempt at a summary, the view must grow by this share before the next attempt. */
const REGROWTH = 0.05;

/** A summary written ahead of the compaction that needs it. One at a time; valid only for the view it was made for. */
class NoteAhead {
  #writing: Promise<void> | undefined;
  /** The last attempt, when this much was used. */
  #tried: { readonly basis: ViewBasis; readonly used: number; note?: WrittenNotes | undefined } | undefined;

  /**
   * Starts writing, unless a summary is being written or is ready for this view, or the view has hardly grown since the
   * last attempt. `write` may reject.
   */
  start(basis: ViewBasis, used: number, write: () => Promise<WrittenNotes | undefined>): void {
    const last = this.#tried;
    if (this.#writing !== undefined) return;
    if (last !== undefined && isSameBasis(last.basis, basis))
      if (last.note !== undefined || used < last.used * (1 + REGROWTH)) return;
    const tried: NonNullable<typeof last> = { basis, used };
    this.#tried = tried;
    this.#writing = write()
      .then((note) => {
        tried.note = note;
      })
      .finally(() => {
        this.#writing = undefined;
      });
  }

  get isWriting(): boolean {
    return this.#writing !== undefined;
  }

  /** The summary for a view; waits for one that is being written, unless the signal aborts. */
  async read(basis: ViewBasis, signal: AbortSignal | undefined): Promise<WrittenNotes | undefined> {
    if (this.#writing !== undefined) await orAborted(this.#writing, undefined, signal);
    const last = this.#tried;
    return last !== undefined && isSameBasis(last.basis, basis) ? last.note : undefined;
  }
}

/**
 * Drops, shortens or restores messages of the user's choice, in a record of its own: checked against the laws, taken back
 * by one undo, without a least gain. `refused`: why each unchanged message stays. An error says why nothing was changed.
 */
async function changeByHand(
  act: HandAct,
  ids: readonly MessageId[],
  parts: ConversationParts,
): Promise<Result<{ readonly compaction: Compaction; readonly refused: readonly Phrase[] }, Phrase>> {
  const { view, events, options } = parts;
  const { ports } = options;
  const started = ports.elapsed();
  await parts.ready();
  const basis = view.basis();
  const run = makeRun({ trigger: 'command' }, parts);
  const { transcript, pins, requests } = run;
  const id = ports.newId();
  const items = view.items();
  const planned = planByHand({ act, ids, items, blocks: transcript.blocks, pins, requests, mark: id });
  if (!planned.ok) return planned;
  const { refused, replacements, edits } = planned.value;
  const bare = {
    id,
    at: ports.now(),
    strategy: 'manual',
    trigger: act,
    transcriptLength: transcript.messages.length,
    replacements,
    ...(edits.length > 0 && { edits }),
  } as const;
  const made = await runInSlices(makeRecord(bare, run, view), ports);
  if (!made.ok) return made;
  const compaction = made.value;
  const derived = await runInSlices(parts.viewWith(compaction), ports);
  if (!isSameBasis(basis, view.basis())) return err(phrase('run.overtaken'));
  const tokensBefore = parts.budget().used.tokens;
  view.add(compaction, derived);
  parts.meter.usage.forgetRequest();
  const tokensAfter = parts.budget().used.tokens;
  const ms = ports.elapsed() - started;
  events.emit({ type: 'compaction-by-hand', compaction, tokensBefore, tokensAfter, ms }, { type: 'budget-changed' });
  return ok({ compaction, refused });
}

function* makeRecord(
  bare: Omit<Compaction, 'receipt'>,
  run: CompactionRun,
  view: CompactedView,
): Steps<Result<Compaction, Phrase>> {
  // Both drafts must start from the same moment, since messages may be appended meanwhile.
  const items = view.items();
  const { items: changed } = yield* view.with(bare);
  // The user may also change what the model has not read yet.
  const all = { ...run, unread: run.transcript.nextId };
  const before = yield* startDraft({ ...all, items });
  const after = yield* startDraft({ ...all, items: changed, made: bare.id });
  const laws = { before, after, ledger: run.ledger, promise: 'handles-only', limit: run.limit } as const;
  const broken = yield* findBrokenLaw({ ...laws, byHand: () => true });
  if (broken !== undefined) return err(phrase('by-hand.breaks-law', broken));
  const measured = yield* measureRun({ ...laws, gauge: run.gauge });
  return ok({ ...bare, receipt: { ...NO_RUN, ...measured, strategy: 'manual' } });
}
