import * as vscode from 'vscode';
import { readTypedWindow } from '../core/model/windows.ts';
import { translate } from '../language/language.ts';

/** Asks for a number of tokens; `window` is undefined for an empty text. Undefined if the user cancelled. */
export async function askTokens(
  options: vscode.InputBoxOptions,
): Promise<{ readonly window: number | undefined } | undefined> {
  const validateInput = (text: string) => {
    const read = readTypedWindow(text);
    return read.ok ? undefined : translate(read.error);
  };
  // A previous dialog may return the focus to the view after this one has opened.
  const typed = await vscode.window.showInputBox({ ...options, validateInput, ignoreFocusOut: true });
  const read = typed === undefined ? undefined : readTypedWindow(typed);
  return read?.ok === true ? { window: read.value } : undefined;
}

/** Does something that may take long, in a notification whose button aborts it. `report`: the share that is done, 0 to 1. */
export async function withCancel<Done>(
  title: string,
  abort: AbortController,
  work: (report: (share: number) => void) => Promise<Done>,
): Promise<Done> {
  const options = { location: vscode.ProgressLocation.Notification, title, cancellable: true };
  return await vscode.window.withProgress(options, async (progress, token) => {
    token.onCancellationRequested(() => abort.abort());
    let percent = 0;
    return await work((share) => {
      const increment = Math.floor(share * 100) - percent;
      percent += increment;
      if (increment > 0) progress.report({ increment });
    });
  });
}

/** Does something that takes a moment, and says so in the status bar. */
export async function withProgress<Done>(title: string, work: () => Promise<Done>): Promise<Done> {
  return await vscode.window.withProgress({ location: vscode.ProgressLocation.Window, title }, work);
}
