import * as vscode from 'vscode';

/**
 * Puts a text in the place of what is selected in the editor that was used last; false when there is none, or it may not
 * be written.
 */
export async function insertAtCursor(text: string): Promise<boolean> {
  const shown = [vscode.window.activeTextEditor, ...vscode.window.visibleTextEditors];
  const editor = shown.find((one) => one !== undefined && one.document.uri.scheme !== 'output');
  if (editor === undefined) return false;
  return await editor.edit((edit) => {
    for (const selection of editor.selections) edit.replace(selection, text);
  });
}
