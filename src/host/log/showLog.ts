import * as vscode from 'vscode';
import { t } from '../../core/language.ts';
import type { LogPort } from './eventSinks.ts';
import type { Output } from './output.ts';

/** Opens today's log with everything that has happened until now; tells when there is none yet. */
export async function showLog(log: LogPort, output: Output, tell: (text: string) => void): Promise<void> {
  await log.flush();
  const uri = vscode.Uri.file(log.path());
  try {
    await vscode.window.showTextDocument(uri, { preview: true });
  } catch (error) {
    // VS Code rejects when the file is not there; nothing else can be wrong with a path that Karl made.
    const reason = error instanceof Error ? error.message : String(error);
    tell(t('There is no log for today yet: {0}', uri.fsPath));
    output.say('info', `log not opened: ${reason}`);
  }
}
