import * as vscode from 'vscode';

/**
 * Puts a text in the place of what is selected in the editor that was used last, and goes there; false when there is none, or it may not
 * be written.
 */
export async function insertAtCursor(text: string): Promise<boolean> {
  const shown = [vscode.window.activeTextEditor, ...vscode.window.visibleTextEditors];
  const editor = shown.find((one) => one !== undefined && one.document.uri.scheme !== 'output');
  if (editor === undefined) return false;
  const isInserted = await editor.edit((edit) => {
    for (const selection of editor.selections) edit.replace(selection, text);
  });
  const { document, viewColumn } = editor;
  if (isInserted) await vscode.window.showTextDocument(document, { ...(viewColumn !== undefined && { viewColumn }) });
  return isInserted;
}
