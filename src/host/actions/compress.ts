import * as vscode from 'vscode';
import type { CompactionResult } from '../../core/compaction/compaction.ts';
import type { CompactRequest } from '../../core/conversation/conversationOptions.ts';
import { t } from '../../core/language.ts';

/** The part of a conversation that compresses. */
interface Compressible {
  compact(run: CompactRequest): Promise<CompactionResult>;
}

/** What the user asks of a run by command. */
interface CommandRun extends Omit<CompactRequest, 'trigger' | 'signal'> {
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
