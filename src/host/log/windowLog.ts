import * as vscode from 'vscode';
import type { DailyLog } from '../../adapters/node/dailyLog.ts';
import type { HostAdapters, Warn } from '../../adapters.ts';
import type { KarlEvent } from '../../core/events/event.ts';
import type { Words } from '../../core/phrase.ts';
import { reasonOf } from '../../core/result.ts';
import { inEnglish, t, translate } from '../../language/language.ts';
import { resolveLogDirectory } from '../conversations/storage.ts';
import { plainText } from '../present/words.ts';
import type { Settings } from '../settings/settings.ts';
import { type EventContext, formatEvent } from './formatEvent.ts';

/** The logs of this window: the output channel "Karl", and the daily log in the folder that a setting names. */
export class WindowLog {
  /** Must contain no message text and no key. */
  readonly output = vscode.window.createOutputChannel('Karl', { log: true });
  readonly file: DailyLog;

  /** `storage`: the folder that `${storage}` stands for. */
  constructor(adapters: HostAdapters, settings: Settings, storage: string) {
    const directory = () =>
      resolveLogDirectory(settings.current['log.directory'], {
        storage,
        workspaceFolder: vscode.workspace.workspaceFolders?.[0]?.uri.fsPath,
        home: adapters.home,
      });
    this.file = adapters.createLog(directory, (message) => this.warn(message));
  }

  /** Writes an event of a conversation to both logs. */
  record(event: KarlEvent, context: EventContext): void {
    const line = formatEvent(event, context);
    if (line === undefined) return;
    this.file.write(line);
    this.output[levelOf(event)](line);
  }

  /** Runs work that nobody waits for. An error that it throws is a bug, and is shown. */
  readonly run = (work: Promise<unknown>): void => {
    work.catch((error: unknown) => {
      this.output.error(error instanceof Error ? (error.stack ?? error.message) : String(error));
      void vscode.window.showErrorMessage(plainText(`Karl: ${reasonOf(error)}`));
    });
  };

  /** Writes to the output channel, and shows a warning of VS Code. */
  readonly warn: Warn = (message) => {
    this.note(message);
    void vscode.window.showWarningMessage(plainText(`Karl: ${translate(message)}`));
  };

  /** Writes to the output channel alone. */
  readonly note = (message: Words): void => this.output.warn(inEnglish(message));

  /** Opens today's log with everything that has happened so far; `tell` is told if there is none yet. */
  async open(tell: (text: string) => void): Promise<void> {
    await this.file.flush();
    const uri = vscode.Uri.file(this.file.path());
    try {
      // The newest line: VS Code goes no further than the last.
      const selection = new vscode.Range(1e6, 0, 1e6, 0);
      await vscode.window.showTextDocument(uri, { preview: true, selection });
    } catch (error) {
      // VS Code rejects if the file does not exist; nothing else can be wrong with a path that Karl made.
      tell(t('There is no log for today yet: {0}', uri.fsPath));
      this.output.info(`log not opened: ${reasonOf(error)}`);
    }
  }
}

function levelOf(event: KarlEvent): 'info' | 'warn' | 'error' {
  if (event.type === 'model-error') return 'error';
  const hasFailed = event.type === 'compaction-ended' && event.result.kind === 'failed';
  return hasFailed || ['warning', 'retry', 'tools-refused'].includes(event.type) ? 'warn' : 'info';
}
