import * as vscode from 'vscode';
import type { Compaction, Trigger } from '../../core/compaction/compaction.ts';
import type { CompactionResult } from '../../core/compaction/outcome.ts';
import type { CompactRequest } from '../../core/conversation/conversationOptions.ts';
import { t } from '../../core/language.ts';
import type { Announcer } from '../notices/announcer.ts';
import type { NoticeAction } from '../notices/notices.ts';
import { describeEnd } from '../present/end.ts';
import { describeFigures } from '../present/receipt.ts';
import { triggerWords } from '../present/words.ts';
import { openSetting } from '../settings/settingsPage.ts';

/** What a user can do with the result of a compaction. */
export interface ResultActions {
  readonly undo: (id: string) => void;
  readonly show: () => void;
}

/** The part of a conversation that compresses. */
export interface Compressible {
  compact(run: CompactRequest): Promise<CompactionResult>;
}

/** What the user asks of a run by command. */
export interface CommandRun extends Omit<CompactRequest, 'trigger' | 'signal'> {
  /** The view, which shows the run and can stop it, is in sight. */
  readonly isVisible: boolean;
}

/**
 * Compresses by command: shows progress, and resolves when the run has ended. Either the user or `abort` can cancel it.
 */
export async function compressWithProgress(
  conversation: Compressible,
  abort: AbortController,
  { isVisible, ...options }: CommandRun,
): Promise<CompactionResult> {
  const run = { ...options, trigger: 'command', signal: abort.signal } as const;
  if (isVisible) return await conversation.compact(run);
  return await vscode.window.withProgress(
    {
      location: vscode.ProgressLocation.Notification,
      title: options.strategy === undefined ? t('Karl: compressing') : t('Karl: compressing ({0})', options.strategy),
      cancellable: true,
    },
    async (_progress, token) => {
      const subscription = token.onCancellationRequested(() => abort.abort());
      try {
        return await conversation.compact(run);
      } finally {
        subscription.dispose();
      }
    },
  );
}

/**
 * Tells the user how a run ended. Not announced: an automatic run that found nothing to do, and what the view shows
 * while it is in sight.
 */
export function announceResult(
  result: CompactionResult,
  trigger: Trigger,
  announcer: Announcer,
  actions: ResultActions,
): void {
  switch (result.kind) {
    case 'compacted':
      if (!announcer.isVisible) announceCompaction(result.compaction, result.reachedTarget, announcer, actions);
      return;
    case 'skipped':
      if (result.reason === 'vetoed') {
        const text = t(
          'The hook karl.hooks.beforeCompact stopped the compression ({0}): {1}',
          triggerWords(trigger),
          describeEnd(result),
        );
        void announcer.notify({
          severity: 'warning',
          text,
          actions: [{ label: t('Open Settings'), run: () => void openSetting('karl.hooks') }],
        });
        return;
      }
      if (trigger !== 'command') return;
      announcer.tell({
        id: NOTICE,
        severity: 'info',
        text: t('Nothing was compressed: {0}', describeEnd(result)),
        actions: result.reason === 'empty' ? [] : [another()],
        passing: true,
      });
      return;
    case 'failed': {
      // The preview says so itself.
      if (result.error.kind === 'stale-preview') return;
      const text = t(
        'Compression with {0} failed ({1}), nothing was changed: {2}',
        result.strategy,
        triggerWords(trigger),
        describeEnd(result),
      );
      const cures = result.error.kind === 'no-summarizer' ? [model(), another()] : [another()];
      void announcer.notify({ severity: 'error', text, actions: cures });
      return;
    }
    case 'cancelled':
      if (!announcer.isVisible)
        void announcer.notify({ severity: 'info', text: t('Compression cancelled, nothing was changed.') });
      return;
  }
}

const NOTICE = 'compression';

/** What the user can do next after a run that changed nothing. */
const another = (): NoticeAction => ({ label: t('Other Strategy…'), run: () => runCommand('karl.compressWith') });
const model = (): NoticeAction => ({ label: t('Select Model'), run: () => runCommand('karl.selectModel') });

function runCommand(command: string): void {
  void vscode.commands.executeCommand(command);
}

function announceCompaction(
  compaction: Compaction,
  reachedTarget: boolean,
  announcer: Announcer,
  actions: ResultActions,
): void {
  const { receipt } = compaction;
  const { fellBackFrom, strategy, aim } = receipt;
  const parts = [describeFigures(receipt)];
  if (fellBackFrom !== undefined) parts.push(t('by the fallback {0}, not by {1}', strategy, fellBackFrom));
  if (aim === 'half') parts.push(t('the target called for little or no saving, so Karl aimed at half'));
  if (!reachedTarget) parts.push(aim === 'half' ? t('which was not reached') : t('the target was not reached'));
  const undo = { label: t('Undo'), run: () => actions.undo(compaction.id) };
  const show = { label: t('Show'), run: actions.show };
  void announcer.notify({ severity: 'info', text: `${parts.join('; ')}.`, actions: [undo, show] });
}
