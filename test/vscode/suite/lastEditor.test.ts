import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { performIntent } from '../../../src/host/actions/intents.ts';
import { UserActions } from '../../../src/host/actions/userActions.ts';
import { LastEditor } from '../../../src/host/files/lastEditor.ts';
import type { ViewPage } from '../../../src/host/view/view.ts';
import { makeNotices, partsOf } from '../../host/kit.ts';

describe('code that is inserted at the cursor', () => {
  let last: LastEditor;
  beforeEach(async () => {
    await vscode.commands.executeCommand('workbench.action.closeAllEditors');
    last = new LastEditor();
  });
  afterEach(async () => {
    last.dispose();
    await vscode.commands.executeCommand('workbench.action.revertAndCloseActiveEditor');
    await vscode.commands.executeCommand('workbench.action.closeAllEditors');
  });

  it('goes into the last used editor, even if a tab with a web page is in front of it', async () => {
    const other = await vscode.workspace.openTextDocument({ content: 'other' });
    await vscode.window.showTextDocument(other, vscode.ViewColumn.Two);
    const document = await vscode.workspace.openTextDocument({ content: 'a = OLD;' });
    const selection = new vscode.Range(0, 4, 0, 7);
    await vscode.window.showTextDocument(document, { viewColumn: vscode.ViewColumn.One, selection });
    const panel = vscode.window.createWebviewPanel('test', 'Page', vscode.ViewColumn.One);
    assert.equal(await last.insert('new'), true);
    assert.deepEqual([document.getText(), other.getText()], ['a = new;', 'other']);
    panel.dispose();
  });

  it('asks for an editor in a notice, which goes away after the next insertion', async () => {
    const notices = makeNotices();
    const insert = () =>
      performIntent(
        { type: 'insert', text: 'new' },
        partsOf({ lastEditor: last, karl: new UserActions(partsOf({ notices })) }),
        {} as ViewPage,
      );
    await insert();
    assert.match(notices.states[0]?.text ?? '', /^Open a file that you can edit/);
    await vscode.window.showTextDocument(await vscode.workspace.openTextDocument({ content: '' }));
    await insert();
    assert.deepEqual(notices.states, []);
  });

  it('is not inserted if no editor was used, or its file is closed', async () => {
    assert.equal(await last.insert('new'), false);
    await vscode.window.showTextDocument(await vscode.workspace.openTextDocument({ content: '' }));
    await vscode.commands.executeCommand('workbench.action.closeAllEditors');
    assert.equal(await last.insert('new'), false);
  });
});
