import * as vscode from 'vscode';
import type { CompactionError, CompactionResult, StrategyId, Trigger } from '../../core/compaction/compaction.ts';
import { t, translate } from '../../language/language.ts';
import type { Basics } from '../basics.ts';
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

/** What the results of compressions are announced with. */
export interface ResultParts extends Basics {
  readonly karl: Remedies;
  /** The id of the conversation that the view shows. */
  readonly shown: () => string | undefined;
}

/** A run that has ended. */
interface Ended {
  readonly id: string;
  readonly parts: ResultParts;
  readonly announcer: Teller;
  /** Absent for another agent's conversation, whose server is not that of the settings. */
  readonly own?: {
    /** Repeats the run by command, in place of the record with the id, if any. */
    readonly again: ((inPlaceOf?: string) => void) | undefined;
  };
}

/**
 * Tells the user how a run ended. An automatic run that found nothing to do is not announced, nor is what the visible view
 * already shows.
 */
export function announceResult(result: CompactionResult, trigger: Trigger, ended: Ended): void {
  const { announcer } = ended;
  switch (result.kind) {
    case 'compacted':
      announcer.remove('compression');
      if (!announcer.isVisible) announceCompaction(result, ended);
      else if (result.unwritten?.kind === 'summarizer-failed') {
        const again = ended.own?.again;
        const { why, buttons } = adviseOn(result.unwritten, ended, again && (() => again(result.compaction.id)));
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
        tell(announcer, 'info', describeSkipped(result), result.reason === 'empty' ? [] : another(ended));
      return;
    case 'failed':
      // An outdated preview shows its problem itself.
      if (result.error.kind !== 'stale-preview') tellFailure(result, trigger, ended);
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

/** What the user can do after a run that changed nothing in the conversation that the view shows. */
function another({ id, parts, announcer }: Ended): readonly NoticeAction[] {
  const choose = () =>
    void vscode.commands.executeCommand('karl.compressWith', announcer.isVisible ? 'view' : undefined);
  return parts.shown() === id ? [{ label: t('Other Strategy…'), run: choose }] : [];
}

function tellFailure(
  { strategy, error }: Extract<CompactionResult, { kind: 'failed' }>,
  trigger: Trigger,
  ended: Ended,
): void {
  const { why, buttons } = adviseOn(error, ended, ended.own?.again);
  const text =
    trigger === 'command'
      ? t('Nothing was compressed ({0}): {1}', strategy, why)
      : t('Nothing was compressed ({0}, {1}): {2}', strategy, triggerWords(trigger), why);
  tell(ended.announcer, 'error', text, [...buttons, ...another(ended)]);
}

/** Why there is no summary and what to do about it, and the buttons for it. `again` repeats the run. */
function adviseOn(
  error: CompactionError,
  { parts: { karl, log, settings }, announcer, own }: Ended,
  again: (() => void) | undefined,
): { readonly why: string; readonly buttons: readonly NoticeAction[] } {
  const summaryModel = settings.current['summary.model'];
  const { next, cures } = own === undefined ? { next: '', cures: [] } : adviseOnCompaction(error, summaryModel);
  const retry = again === undefined || error.kind === 'no-summarizer' ? [] : [{ label: t('Retry'), run: again }];
  const mend = async (cure: Cure): Promise<void> => {
    if (!(await karl.mend(cure))) return;
    announcer.remove('compression');
    again?.();
  };
  const isLasting = error.kind === 'summarizer-failed' && error.refusal?.retryable === false;
  const buttons = buttonsFor(cures, (cure) => log.run(mend(cure)), retry, isLasting);
  return { why: `${translate(withStop(error.message))} ${next}`.trimEnd(), buttons };
}

function announceCompaction(
  { compaction, reachedTarget, unwritten }: Extract<CompactionResult, { kind: 'compacted' }>,
  { id, parts: { karl, shown, view, log }, announcer }: Ended,
): void {
  const said = [describeFigures(compaction.receipt)];
  if (unwritten !== undefined) said.push(t('without a summary by the model'));
  if (!reachedTarget) said.push(t('the target was not reached'));
  const show = () => (shown() === id ? view.reveal() : karl.openConversation(id));
  // Another agent's conversation is shown first: an undo concerns what is shown.
  const undo = async () => {
    if (shown() !== id) await karl.openConversation(id);
    if (shown() === id) await karl.undo(compaction.id);
  };
  const actions = [
    { label: t('Undo'), run: () => log.run(undo()) },
    { label: t('Show'), run: () => log.run(show()) },
  ];
  void announcer.notify({ severity: 'info', text: `${said.join('; ')}.`, actions });
}
