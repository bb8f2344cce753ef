import * as vscode from 'vscode';

/** Whether a document is open in a tab or an editor. A document outlives its tab for a while. */
function isOpen(document: vscode.TextDocument): boolean {
  const uri = document.uri.toString();
  const tabs = vscode.window.tabGroups.all.flatMap((group) => group.tabs);
  const isInTab = tabs.some(({ input }) => input instanceof vscode.TabInputText && input.uri.toString() === uri);
  return isInTab || vscode.window.visibleTextEditors.some((editor) => editor.document === document);
}

/** Remembers the text editor that was used last, since none is active while Karl's tab is in front. */
export class LastEditor implements vscode.Disposable {
  #last: vscode.TextEditor | undefined;
  readonly #subscription: vscode.Disposable;

  constructor() {
    this.#note(vscode.window.activeTextEditor);
    this.#subscription = vscode.window.onDidChangeActiveTextEditor((editor) => this.#note(editor));
  }

  /** Goes to that editor and replaces its selection by a text. False if it is gone, or its file is read-only. */
  async insert(text: string): Promise<boolean> {
    const last = this.#last;
    if (last === undefined || !isOpen(last.document)) return false;
    const { document, viewColumn } = last;
    // A tab behind Karl's has no editor: show it again, in its place and with its selection.
    const editor = await vscode.window.showTextDocument(document, {
      ...(viewColumn !== undefined && { viewColumn }),
      selection: last.selection,
    });
    return await editor.edit((edit) => {
      for (const each of editor.selections) edit.replace(each, text);
    });
  }

  dispose(): void {
    this.#subscription.dispose();
  }

  #note(editor: vscode.TextEditor | undefined): void {
    if (editor !== undefined && editor.document.uri.scheme !== 'output') this.#last = editor;
  }
}
