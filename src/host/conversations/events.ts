import * as vscode from 'vscode';
import type { KarlEvent } from '../../core/events/event.ts';
import type { ModelProfile } from '../../core/model/profile.ts';
import { hasCode } from '../../core/phrase.ts';
import { afterInput, type HookInput, type HookVerdict, readHookEnd } from '../../core/session/hooks.ts';
import { translate } from '../../language/language.ts';
import type { Basics } from '../basics.ts';
import { diskFolders } from '../settings/trust.ts';

/**
 * Handles an event of any conversation: logs it, runs the user's command after a recorded compaction, and records a
 * window that was learned from an error. A warning is shown only if the view shows its conversation; others are in the
 * log.
 */
export function handleEvent(
  parts: Basics,
  conversation: string,
  profile: ModelProfile,
  event: KarlEvent,
  isShown: boolean,
): void {
  const { log, notices, windows } = parts;
  const model = profile.id;
  log.record(event, { at: Date.now(), conversation, model });
  if (event.type === 'compaction-ended' && event.result.kind === 'compacted')
    log.run(runHook(parts, afterInput({ conversation, model }, event.result)));
  if (event.type === 'window-learned' && event.window.source === 'error') log.run(windows.hear(profile, event.window));
  if (event.type === 'warning' && isShown) {
    const id = hasCode(event.message, 'window.shortage') ? 'shortage' : 'warning';
    notices.show({ id, severity: 'warning', text: translate(event.message), passing: true });
  }
}

/** Runs the user's command for a hook, but none in an untrusted workspace. A command that fails is reported. */
export async function runHook(
  { adapters, log, settings }: Basics,
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
