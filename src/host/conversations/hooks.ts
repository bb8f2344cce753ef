import * as vscode from 'vscode';
import type { CompactionResult } from '../../core/compaction/compaction.ts';
import type { CompactionAbout } from '../../core/conversation/conversationOptions.ts';
import type { Words } from '../../core/language.ts';
import { afterInput, beforeInput, type HookInput, type HookVerdict, readHookEnd } from '../../core/session/hooks.ts';
import type { Host } from '../host.ts';
import { diskFolders } from '../settings/trust.ts';

/** The user's commands before and after a compaction. None runs in an untrusted workspace. */
export class Hooks {
  readonly #host: Host;

  constructor(host: Host) {
    this.#host = host;
  }

  /** Runs the hook before a compaction. The reason why the compaction may not run; undefined when it may. */
  async before(conversation: string, about: CompactionAbout, signal?: AbortSignal): Promise<Words | undefined> {
    const verdict = await this.#run(beforeInput(conversation, about), signal);
    return verdict.kind === 'veto' ? verdict.reason : undefined;
  }

  /** Runs the hook after a compaction that was recorded. */
  async after(
    owner: Parameters<typeof afterInput>[0],
    result: Extract<CompactionResult, { kind: 'compacted' }>,
  ): Promise<void> {
    await this.#run(afterInput(owner, result), undefined);
  }

  async #run(input: HookInput, signal: AbortSignal | undefined): Promise<HookVerdict> {
    const { adapters, log } = this.#host;
    const settings = this.#host.settings.current;
    const command = settings[`hooks.${input.hook}`];
    if (command === '' || !vscode.workspace.isTrusted) return { kind: 'go-on' };
    const timeoutMs = settings['hooks.timeoutSeconds'] * 1000;
    const folder = diskFolders()[0]?.path ?? adapters.home;
    const verdict = readHookEnd(
      input.hook,
      await adapters.runHook({ command, folder, input, timeoutMs, signal }),
      timeoutMs,
    );
    if (verdict.kind === 'broken') log.warn(verdict.problem);
    return verdict;
  }
}
