import type { MessageId, MessageRange } from '../../core/chat/message.ts';
import { type CompactionError, STRATEGY_IDS, type StrategyId } from '../../core/compaction/compaction.ts';
import type { NoteEdit } from '../../core/compaction/compactionRun.ts';
import type { Conversation } from '../../core/conversation/conversation.ts';
import type { PreparedPreview } from '../../core/conversation/conversationOptions.ts';
import { t, translate } from '../../language/language.ts';
import type { PreviewState } from '../../protocol/preview.ts';
import type { Basics } from '../basics.ts';
import type { Cure } from '../notices/describeModelError.ts';
import { adviseOnCompaction } from '../notices/describeProblem.ts';
import { PREVIEW_ROWS, presentBox, presentPreview } from '../present/preview.ts';
import { describeEnd } from '../present/receipt.ts';
import { cureLabel } from '../present/words.ts';

/** The user's choices in a preview. */
interface Choices {
  readonly strategy: StrategyId;
  /** This message and all after it stay as they are. */
  readonly upTo: MessageId | undefined;
  /** What to keep, in the user's words, or ''. */
  readonly instructions: string;
  readonly keep: readonly MessageId[];
  /** Messages to set aside although the run would keep them. */
  readonly aside: readonly MessageId[];
  readonly edits: readonly NoteEdit[];
}

/** The running work and the controller that stops it. */
interface Work {
  readonly kind: Exclude<PreviewState['busy'], false>;
  readonly abort: AbortController;
}

/** A compression that is shown before it is done, with the user's changes. Records nothing itself. */
export class CompressionPreview {
  readonly #conversation: Conversation;
  readonly #parts: Basics;
  choices: Choices;
  /** How many rows of a group are shown. */
  #mostRows = PREVIEW_ROWS;
  #prepared: PreparedPreview | undefined;
  #problem: string | undefined;
  /** Why the model did not write a summary. */
  #unwritten: CompactionError | undefined;
  #work: Work | undefined;
  #shown: Omit<PreviewState, 'asked' | 'notNow'> | undefined;

  constructor(conversation: Conversation, upTo: MessageId | undefined, parts: Basics) {
    this.#conversation = conversation;
    this.#parts = parts;
    const { strategy } = conversation.settings;
    this.choices = { strategy, upTo, instructions: '', keep: [], aside: [], edits: [] };
  }

  /** The prepared preview, if it can be applied now. */
  get ready(): PreparedPreview | undefined {
    return this.#work === undefined && this.#problem === undefined ? this.#prepared : undefined;
  }

  /** The cures for a summary that the model did not write. */
  get cures(): readonly Cure[] {
    return this.#unwritten === undefined
      ? []
      : adviseOnCompaction(this.#unwritten, this.#parts.settings.current['summary.model']).cures;
  }

  /** The state for the view. The same object until something changes. */
  get state(): Omit<PreviewState, 'asked' | 'notNow'> {
    const { strategy, upTo, instructions, keep, aside, edits } = this.choices;
    this.#shown ??= {
      strategy,
      strategies: STRATEGY_IDS,
      upTo,
      instructions,
      busy: this.#work?.kind ?? false,
      problem: this.#problem,
      cures: this.cures.map(cureLabel),
      plan:
        this.#prepared &&
        presentPreview({
          preview: this.#prepared.shown,
          transcript: this.#conversation.transcript,
          keep: new Set(keep),
          aside: new Set(aside),
          edited: new Set(edits.map(({ range }) => range.from)),
          mostRows: this.#mostRows,
        }),
    };
    return this.#shown;
  }

  /** Shows more rows of long groups. */
  showMore(): void {
    this.#mostRows += PREVIEW_ROWS;
    this.#change();
  }

  /** Plans again with the current choices. False if a newer change has stopped this plan. */
  async plan(): Promise<boolean> {
    this.stop();
    const { abort } = this.#begin('planning');
    const choices = this.choices;
    const outcome = await this.#conversation.preview({
      ...choices,
      trigger: 'command',
      instructions: choices.instructions || undefined,
      earlier: this.#prepared,
      signal: abort.signal,
    });
    if (this.#work?.abort !== abort) return false;
    this.#work = undefined;
    // If the choices leave nothing to do, the rows stay, so that the user can take choices back.
    if (outcome.kind === 'previewed') this.#prepared = outcome.preview;
    // The rows of another strategy would be misleading.
    else if (this.#prepared?.request.strategy !== choices.strategy) this.#prepared = undefined;
    this.#problem = describeProblem(outcome);
    this.#unwritten = unwrittenOf(outcome);
    this.#change();
    return true;
  }

  /**
   * Keeps messages whole in this run, or sets them aside. If the opposite was chosen before, taking that back may be
   * enough. While a summary is edited the rows cannot be changed.
   */
  async keep({ from, to }: MessageRange, keep: boolean): Promise<void> {
    if (this.choices.edits.length > 0) return;
    const ids = Array.from({ length: to - from + 1 }, (_, index) => from + index);
    const isBack = (keep ? this.choices.aside : this.choices.keep).includes(from);
    const without = (chosen: readonly MessageId[]) => chosen.filter((id) => id < from || id > to);
    this.choices = { ...this.choices, keep: without(this.choices.keep), aside: without(this.choices.aside) };
    if (isBack) {
      const isNewest = await this.plan();
      const row = this.#prepared?.shown.rows.find(({ range }) => range.from === from);
      if (!isNewest || row === undefined) return;
      const box = presentBox(row, { keep: new Set(this.choices.keep), aside: new Set(this.choices.aside) });
      if (box.kept === keep || box.fixed !== undefined) return;
    }
    const list = keep ? 'keep' : 'aside';
    await this.#choose({ [list]: [...this.choices[list], ...ids] });
  }

  async useStrategy(strategy: string): Promise<void> {
    const found = STRATEGY_IDS.find((id) => id === strategy);
    if (found !== undefined && this.choices.edits.length === 0) await this.#choose({ strategy: found });
  }

  /** Replaces the instructions on what to keep. */
  async instruct(text: string): Promise<void> {
    const instructions = text.trim();
    if (instructions === this.choices.instructions || this.choices.edits.length > 0) return;
    this.choices = { ...this.choices, instructions };
    // The existing summaries do not reflect the instructions.
    await this.rewrite();
  }

  /** Plans again, with new summaries by the model. */
  async rewrite(): Promise<void> {
    const made = this.#prepared?.made;
    if (this.#prepared !== undefined && made !== undefined)
      this.#prepared = { ...this.#prepared, made: { ...made, written: { ...made.written, notes: [] } } };
    await this.plan();
  }

  /** Replaces the summary of a range by the user's text. */
  async edit({ from, to }: MessageRange, text: string): Promise<void> {
    const others = this.choices.edits.filter(({ range }) => range.from !== from);
    await this.#choose({ edits: [...others, { range: { from, to }, text }] });
  }

  /** Discards the user's texts. */
  async unedit(): Promise<void> {
    await this.#choose({ edits: [] });
  }

  /** Starts again from the current conversation. */
  async again(): Promise<void> {
    this.#prepared = undefined;
    await this.#choose({ keep: [], aside: [], edits: [] });
  }

  /**
   * Applies the preview: `apply` records what was prepared, unless `stop` aborts it, and returns a problem, which the
   * preview then shows. True if it was applied.
   */
  async apply(
    apply: (prepared: PreparedPreview, abort: AbortController) => Promise<string | undefined>,
  ): Promise<boolean> {
    const prepared = this.ready;
    if (prepared === undefined) return false;
    const { abort } = this.#begin('applying');
    const problem = await apply(prepared, abort);
    if (this.#work?.abort === abort) {
      this.#work = undefined;
      this.#problem = problem;
      this.#change();
    }
    return problem === undefined;
  }

  /** Marks the preview as outdated, because records have changed. */
  noteRecords(): void {
    // The run that applies this preview reports its result itself.
    if (this.#work?.kind === 'applying') return;
    this.stop();
    this.#problem = t('The conversation was compressed, or a compression was undone, since this was previewed.');
    this.#change();
  }

  /** Stops the running work. */
  stop(): void {
    this.#work?.abort.abort();
    this.#work = undefined;
  }

  async #choose(choices: Partial<Choices>): Promise<void> {
    this.choices = { ...this.choices, ...choices };
    await this.plan();
  }

  #begin(kind: Work['kind']): Work {
    const work = { kind, abort: new AbortController() };
    this.#work = work;
    this.#change();
    return work;
  }

  #change(): void {
    this.#shown = undefined;
    this.#parts.view.refresh();
  }
}

function describeProblem(outcome: Awaited<ReturnType<Conversation['preview']>>): string | undefined {
  switch (outcome.kind) {
    case 'previewed': {
      const { problem } = outcome.preview.shown;
      return problem && translate(problem);
    }
    case 'failed':
    case 'skipped':
      return describeEnd(outcome);
    case 'cancelled':
      return t('The preview was stopped.');
  }
}

function unwrittenOf(outcome: Awaited<ReturnType<Conversation['preview']>>): CompactionError | undefined {
  if (outcome.kind === 'failed') return outcome.error;
  return outcome.kind === 'previewed'
    ? (outcome.preview.made.fellBack?.error ?? outcome.preview.made.notes.error)
    : undefined;
}
