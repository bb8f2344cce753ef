import * as vscode from 'vscode';
import type { CompactionError, CompactionResult, StrategyId, Trigger } from '../../core/compaction/compaction.ts';
import { t, translate } from '../../core/language.ts';
import { describeEnd, describeFigures, describeSkipped } from '../present/receipt.ts';
import { triggerWords } from '../present/words.ts';
import { openSetting } from '../settings/settings.ts';
import { type Cure, withStop } from './describeModelError.ts';
import { adviseOnCompaction, buttonsFor } from './describeProblem.ts';
import type { Notice, NoticeAction, Teller } from './notices.ts';

/** What the buttons of notices about conversations do. */
export interface Remedies {
  /** Opens the dialog or setting that cures a problem. True if the user completed it. */
  readonly mend: (cure: Cure) => Promise<boolean>;
  readonly undo: (id: string) => Promise<void>;
  /** Repeats a compression, in place of the record with the id, if there is one. */
  readonly compress: (strategy: StrategyId, instructions?: string, inPlaceOf?: string) => Promise<void>;
  readonly openConversation: (id: string) => Promise<void>;
}

/** What a user can do after a compaction. */
interface ResultActions {
  readonly undo: (id: string) => void;
  readonly show: () => void;
  /** Whether the conversation is open, so that the user can choose another strategy for it. */
  readonly mayChoose: boolean;
  /** Opens the dialog or setting that cures a problem, then runs `after` if the cure is in force. Absent for other agents. */
  readonly mend?: (cure: Cure, after: () => void) => void;
  /** Repeats the run by command, in place of the record with the id, if any; absent for other agents. */
  readonly again?: ((inPlaceOf?: string) => void) | undefined;
  /** The setting `karl.summary.model`. */
  readonly summaryModel: string;
}

/**
 * Tells the user how a run ended. An automatic run that found nothing to do is not announced, nor is what the visible view
 * already shows.
 */
export function announceResult(
  result: CompactionResult,
  trigger: Trigger,
  announcer: Teller,
  actions: ResultActions,
): void {
  switch (result.kind) {
    case 'compacted':
      announcer.remove('compression');
      if (!announcer.isVisible) announceCompaction(result, announcer, actions);
      else if (result.unwritten?.kind === 'summarizer-failed') {
        const { again } = actions;
        const repeat = again && (() => again(result.compaction.id));
        const { why, buttons } = adviseOn(result.unwritten, announcer, actions, repeat);
        tell(announcer, 'warning', t('Compressed without a summary by the model. {0}', why), buttons);
      }
      return;
    case 'skipped':
      if (result.reason === 'vetoed') {
        const text = t(
          'The hook karl.hooks.beforeCompact stopped the compression ({0}): {1}',
          triggerWords(trigger),
          describeEnd(result),
        );
        const open = { label: t('Open Settings'), run: () => void openSetting('karl.hooks') };
        tell(announcer, 'warning', text, [open]);
      } else if (trigger === 'command')
        tell(announcer, 'info', describeSkipped(result), result.reason === 'empty' ? [] : another(actions, announcer));
      return;
    case 'failed':
      // An outdated preview shows its problem itself.
      if (result.error.kind !== 'stale-preview') tellFailure(result, trigger, announcer, actions);
      return;
    case 'cancelled':
      if (!announcer.isVisible)
        void announcer.notify({ severity: 'info', text: t('Compression cancelled, nothing was changed.') });
      return;
  }
}

function tell(announcer: Teller, severity: Notice['severity'], text: string, actions: readonly NoticeAction[]): void {
  announcer.tell({ id: 'compression', severity, text, actions, passing: true });
}

/** What the user can do after a run that changed nothing. */
function another({ mayChoose }: ResultActions, { isVisible }: Teller): readonly NoticeAction[] {
  const choose = () => void vscode.commands.executeCommand('karl.compressWith', isVisible ? 'view' : undefined);
  return mayChoose ? [{ label: t('Other Strategy…'), run: choose }] : [];
}

function tellFailure(
  { strategy, error }: Extract<CompactionResult, { kind: 'failed' }>,
  trigger: Trigger,
  announcer: Teller,
  actions: ResultActions,
): void {
  const { why, buttons } = adviseOn(error, announcer, actions, actions.again);
  const text =
    trigger === 'command'
      ? t('Nothing was compressed ({0}): {1}', strategy, why)
      : t('Nothing was compressed ({0}, {1}): {2}', strategy, triggerWords(trigger), why);
  tell(announcer, 'error', text, [...buttons, ...another(actions, announcer)]);
}

/** Why there is no summary and what to do about it, and the buttons for it. `again` repeats the run. */
function adviseOn(
  error: CompactionError,
  announcer: Teller,
  { mend, summaryModel }: ResultActions,
  again: (() => void) | undefined,
): { readonly why: string; readonly buttons: readonly NoticeAction[] } {
  const { next, cures } = mend === undefined ? { next: '', cures: [] } : adviseOnCompaction(error, summaryModel);
  const retry = again === undefined || error.kind === 'no-summarizer' ? [] : [{ label: t('Retry'), run: again }];
  const mended = (): void => {
    announcer.remove('compression');
    again?.();
  };
  const isLasting = error.kind === 'summarizer-failed' && error.refusal?.retryable === false;
  const buttons = buttonsFor(cures, (cure) => mend?.(cure, mended), retry, isLasting);
  return { why: `${translate(withStop(error.message))} ${next}`.trimEnd(), buttons };
}

function announceCompaction(
  { compaction, reachedTarget, unwritten }: Extract<CompactionResult, { kind: 'compacted' }>,
  announcer: Teller,
  actions: ResultActions,
): void {
  const parts = [describeFigures(compaction.receipt)];
  if (unwritten !== undefined) parts.push(t('without a summary by the model'));
  if (!reachedTarget) parts.push(t('the target was not reached'));
  const undo = { label: t('Undo'), run: () => actions.undo(compaction.id) };
  const show = { label: t('Show'), run: actions.show };
  void announcer.notify({ severity: 'info', text: `${parts.join('; ')}.`, actions: [undo, show] });
}
