import * as vscode from 'vscode';
import type { CompactionResult } from '../../core/compaction/compaction.ts';
import type { CompactionAbout } from '../../core/conversation/conversationOptions.ts';
import type { Words } from '../../core/language.ts';
import { afterInput, beforeInput, type HookInput, type HookVerdict, readHookEnd } from '../../core/session/hooks.ts';
import type { Host } from '../host.ts';
import { diskFolders } from '../settings/trust.ts';

/** Runs the user's command before a compaction. Returns the reason why the compaction may not run, if it may not. */
export async function runHookBefore(
  host: Host,
  conversation: string,
  about: CompactionAbout,
  signal?: AbortSignal,
): Promise<Words | undefined> {
  const verdict = await runHook(host, beforeInput(conversation, about), signal);
  return verdict.kind === 'veto' ? verdict.reason : undefined;
}

/** Runs the user's command after a compaction that was recorded. */
export async function runHookAfter(
  host: Host,
  owner: Parameters<typeof afterInput>[0],
  result: Extract<CompactionResult, { kind: 'compacted' }>,
): Promise<void> {
  await runHook(host, afterInput(owner, result));
}

/** No hook runs in an untrusted workspace. */
async function runHook(
  { adapters, log, settings }: Host,
  input: HookInput,
  signal?: AbortSignal,
): Promise<HookVerdict> {
  const command = settings.current[`hooks.${input.hook}`];
  if (command === '' || !vscode.workspace.isTrusted) return { kind: 'go-on' };
  const timeoutMs = settings.current['hooks.timeoutSeconds'] * 1000;
  const folder = diskFolders()[0]?.path ?? adapters.home;
  const end = await adapters.runHook({ command, folder, input, timeoutMs, signal });
  const verdict = readHookEnd(input.hook, end, timeoutMs);
  if (verdict.kind === 'broken') log.warn(verdict.problem);
  return verdict;
}
