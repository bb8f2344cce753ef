import * as vscode from 'vscode';
import type { Compaction, Trigger } from '../core/compaction/compaction.ts';
import type { CompactionResult } from '../core/compaction/outcome.ts';
import type { CompactRequest } from '../core/conversation/conversationOptions.ts';
import { plainText } from './plainText.ts';
import { describeShares } from './present/receipt.ts';
import { formatTokens, TRIGGER_WORDS } from './present/words.ts';

/** What a user can do with the result of a compaction. */
export interface ResultActions {
  readonly undo: (id: string) => void;
  readonly show: () => void;
  /** The view is in sight: it shows what a run did, so that no message need tell of it. */
  readonly isShown: boolean;
}

/** The part of a conversation that compresses. */
export interface Compressible {
  compact(run: CompactRequest): Promise<CompactionResult>;
}

/** Compresses by command: shows progress, and resolves with the end of the run. `abort` cancels it, as the user can. */
export async function compressWithProgress(
  conversation: Compressible,
  abort: AbortController,
  options: Pick<CompactRequest, 'strategy' | 'instructions'>,
): Promise<CompactionResult> {
  return await vscode.window.withProgress(
    {
      location: vscode.ProgressLocation.Notification,
      title: `Karl: compressing${options.strategy === undefined ? '' : ` (${options.strategy})`}`,
      cancellable: true,
    },
    async (_progress, token) => {
      const subscription = token.onCancellationRequested(() => abort.abort());
      try {
        return await conversation.compact({ trigger: 'command', signal: abort.signal, ...options });
      } finally {
        subscription.dispose();
      }
    },
  );
}

/** Tells the user how a run ended. An automatic run that had nothing to do is no news. */
export function announceResult(result: CompactionResult, trigger: Trigger, actions: ResultActions): void {
  switch (result.kind) {
    case 'compacted':
      if (!actions.isShown) announceCompaction(result.compaction, result.reachedTarget, actions);
      return;
    case 'skipped':
      if (result.reason === 'vetoed') {
        const text = `The hook karl.hooks.beforeCompact stopped the compression (${TRIGGER_WORDS[trigger]}): ${result.message}`;
        offer(vscode.window.showWarningMessage(plainText(text), HOOK));
        return;
      }
      if (trigger !== 'command') return;
      offer(vscode.window.showInformationMessage(plainText(`Nothing was compressed: ${result.message}`), ANOTHER));
      return;
    case 'failed': {
      const text = `Compression with ${result.strategy} failed (${TRIGGER_WORDS[trigger]}), nothing was changed: ${result.error.message}`;
      const cures = result.error.kind === 'no-summarizer' ? [MODEL, ANOTHER] : [ANOTHER];
      offer(vscode.window.showErrorMessage(plainText(text), ...cures));
      return;
    }
    case 'cancelled':
      void vscode.window.showInformationMessage('Compression cancelled, nothing was changed.');
      return;
  }
}

/** Ways on after a run that changed nothing, by the label of their button. */
const ANOTHER = 'Other Strategy…';
const MODEL = 'Select Model';
const HOOK = 'Open Settings';
/** In a remote window the settings of its machine have a page of their own. */
const SETTINGS_PAGE = vscode.env.remoteName === undefined ? 'openSettings' : 'openRemoteSettings';
const WAYS_ON: Readonly<Record<string, readonly [command: string, ...values: unknown[]]>> = {
  [ANOTHER]: ['karl.compressWith'],
  [MODEL]: ['karl.selectModel'],
  [HOOK]: [`workbench.action.${SETTINGS_PAGE}`, { query: 'karl.hooks' }],
};

function offer(choice: Thenable<string | undefined>): void {
  void choice.then((label) => {
    const way = WAYS_ON[label ?? ''];
    if (way !== undefined) void vscode.commands.executeCommand(...way);
  });
}

function announceCompaction(compaction: Compaction, reachedTarget: boolean, actions: ResultActions): void {
  const { receipt } = compaction;
  const { tokensBefore, tokensAfter, fellBackFrom, strategy, aim } = receipt;
  const tokens = `${formatTokens(tokensBefore)} → ${formatTokens(tokensAfter)} tokens`;
  const parts = [`Compressed: ${tokens}${describeShares(receipt)}`];
  if (fellBackFrom !== undefined) parts.push(`by the fallback ${strategy}, not by ${fellBackFrom}`);
  if (aim === 'half') parts.push('below the target already, half was aimed at');
  if (!reachedTarget) parts.push(aim === 'half' ? 'and not reached' : 'the target was not reached');
  void vscode.window.showInformationMessage(`${parts.join('; ')}.`, 'Undo', 'Show').then((choice) => {
    if (choice === 'Undo') actions.undo(compaction.id);
    else if (choice === 'Show') actions.show();
  });
}
