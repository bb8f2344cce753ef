import * as vscode from 'vscode';
import type { Compaction, Trigger } from '../../core/compaction/compaction.ts';
import type { CompactionResult } from '../../core/compaction/outcome.ts';
import type { CompactRequest } from '../../core/conversation/conversationOptions.ts';
import type { Announcer } from '../notices/announcer.ts';
import type { NoticeAction } from '../notices/notices.ts';
import { describeShares } from '../present/receipt.ts';
import { formatTokens, TRIGGER_WORDS } from '../present/words.ts';
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

/** What a run by command is asked for. */
export interface CommandRun extends Omit<CompactRequest, 'trigger' | 'signal'> {
  /** The view, which shows the run and can stop it, is in sight. */
  readonly isVisible: boolean;
}

/** Compresses by command: shows progress, and resolves with the end of the run. `abort` cancels it, as the user can. */
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
      title: `Karl: compressing${options.strategy === undefined ? '' : ` (${options.strategy})`}`,
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
 * Tells the user how a run ended. An automatic run that had nothing to do is no news, and neither is what the view shows
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
        const text = `The hook karl.hooks.beforeCompact stopped the compression (${TRIGGER_WORDS[trigger]}): ${result.message}`;
        void announcer.notify({ severity: 'warning', text, actions: [HOOK] });
        return;
      }
      if (trigger !== 'command') return;
      announcer.tell({
        id: NOTICE,
        severity: 'info',
        text: `Nothing was compressed: ${result.message}`,
        actions: [ANOTHER],
      });
      return;
    case 'failed': {
      // The preview itself says it.
      if (result.error.kind === 'stale-preview') return;
      const text = `Compression with ${result.strategy} failed (${TRIGGER_WORDS[trigger]}), nothing was changed: ${result.error.message}`;
      const cures = result.error.kind === 'no-summarizer' ? [MODEL, ANOTHER] : [ANOTHER];
      void announcer.notify({ severity: 'error', text, actions: cures });
      return;
    }
    case 'cancelled':
      if (!announcer.isVisible)
        void announcer.notify({ severity: 'info', text: 'Compression cancelled, nothing was changed.' });
      return;
  }
}

const NOTICE = 'compression';

/** Ways on after a run that changed nothing. */
const ANOTHER: NoticeAction = { label: 'Other Strategy…', run: () => runCommand('karl.compressWith') };
const MODEL: NoticeAction = { label: 'Select Model', run: () => runCommand('karl.selectModel') };
const HOOK: NoticeAction = { label: 'Open Settings', run: () => void openSetting('karl.hooks') };

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
  const { tokensBefore, tokensAfter, fellBackFrom, strategy, aim } = receipt;
  const tokens = `${formatTokens(tokensBefore)} → ${formatTokens(tokensAfter)} tokens`;
  const parts = [`Compressed: ${tokens}${describeShares(receipt)}`];
  if (fellBackFrom !== undefined) parts.push(`by the fallback ${strategy}, not by ${fellBackFrom}`);
  if (aim === 'half') parts.push('the target asked for little or nothing, half was aimed at');
  if (!reachedTarget) parts.push(aim === 'half' ? 'and not reached' : 'the target was not reached');
  const undo = { label: 'Undo', run: () => actions.undo(compaction.id) };
  const show = { label: 'Show', run: actions.show };
  void announcer.notify({ severity: 'info', text: `${parts.join('; ')}.`, actions: [undo, show] });
}
