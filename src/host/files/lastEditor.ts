import * as vscode from 'vscode';

/** A document outlives its tab for a while. */
function isOpen(document: vscode.TextDocument): boolean {
  const uri = document.uri.toString();
  const tabs = vscode.window.tabGroups.all.flatMap((group) => group.tabs);
  const isInTab = tabs.some(({ input }) => input instanceof vscode.TabInputText && input.uri.toString() === uri);
  return isInTab || vscode.window.visibleTextEditors.some((editor) => editor.document === document);
}

/** Remembers the text editor that was used last: while Karl's tab is in front, none is active. */
export class LastEditor implements vscode.Disposable {
  #last: vscode.TextEditor | undefined;
  readonly #subscription: vscode.Disposable;

  constructor() {
    this.#note(vscode.window.activeTextEditor);
    this.#subscription = vscode.window.onDidChangeActiveTextEditor((editor) => this.#note(editor));
  }

  /**
   * Replaces what is selected there by a text, and goes there; false when there is no editor, its file is closed, or
   * the file may not be written.
   */
  async insert(text: string): Promise<boolean> {
    const last = this.#last;
    if (last === undefined || !isOpen(last.document)) return false;
    const { document, viewColumn } = last;
    // A tab that is behind Karl's has no editor: it is shown again, where it was and with what was selected.
    const selection = last.selection;
    const editor = await vscode.window.showTextDocument(document, {
      ...(viewColumn !== undefined && { viewColumn }),
      selection,
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
