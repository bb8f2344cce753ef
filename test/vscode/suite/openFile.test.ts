import assert from 'node:assert/strict';
import fs from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import * as vscode from 'vscode';
import { performIntent } from '../../../src/host/actions/intents.ts';
import { UserActions } from '../../../src/host/actions/userActions.ts';
import { openFile } from '../../../src/host/files/openFile.ts';
import type { Notices } from '../../../src/host/notices/notices.ts';
import type { ViewPage } from '../../../src/host/view/view.ts';
import { makeNotices, partsOf } from '../../host/kit.ts';
import { workspaceFolder } from './karl.ts';

describe('a file named in a call', () => {
  const shown = () => vscode.window.activeTextEditor;
  const texts = ({ states }: Notices) => states.map(({ text }) => text);

  beforeEach(() => vscode.commands.executeCommand('workbench.action.closeAllEditors'));
  after(() => vscode.commands.executeCommand('workbench.action.closeAllEditors'));

  it('opens at its line, by relative or absolute path', async () => {
    for (const name of ['AGENTS.md', path.join(workspaceFolder(), 'AGENTS.md')]) {
      await openFile(name, 2);
      assert.equal(shown()?.document.uri.fsPath, path.join(workspaceFolder(), 'AGENTS.md'));
      assert.equal(shown()?.selection.active.line, 1);
      await vscode.commands.executeCommand('workbench.action.closeAllEditors');
    }
  });

  it('opens only if it exists inside the workspace folders', async () => {
    const climbing = path.relative(workspaceFolder(), '/etc/hostname');
    for (const name of [
      '/etc/hostname',
      climbing,
      `${workspaceFolder()}/../../etc/hostname`,
      'src',
      'missing.ts',
      '',
      '.',
    ]) {
      await openFile(name, 1);
      assert.equal(shown(), undefined, name);
    }
  });

  it('is reported as missing, until another one opens or a turn begins', async () => {
    const notices = makeNotices();
    const open = (path: string) =>
      performIntent(
        { type: 'open-file', path, line: 1 },
        partsOf({ karl: new UserActions(partsOf({ notices })) }),
        {} as ViewPage,
      );
    const missing = ['There is no file missing.ts in this workspace.'];
    await open('missing.ts');
    assert.deepEqual(texts(notices), missing);
    await open('AGENTS.md');
    assert.deepEqual(texts(notices), []);
    await open('missing.ts');
    assert.deepEqual(texts(notices), missing);
    notices.removePassing();
    assert.deepEqual(texts(notices), []);
  });

  it('does not open through a link, which may lead out of the workspace', async () => {
    const outside = fs.mkdtempSync(path.join(tmpdir(), 'karl-outside-'));
    fs.writeFileSync(path.join(outside, 'id.txt'), 'secret');
    const link = path.join(workspaceFolder(), 'linked');
    fs.symlinkSync(outside, link, 'junction');
    try {
      assert.match((await openFile('linked/id.txt', 1)) ?? '', /^linked is a link/);
      assert.equal(shown(), undefined);
    } finally {
      fs.rmSync(link);
      fs.rmSync(outside, { recursive: true });
    }
  });
});

describe('code that is inserted at the cursor', () => {
  it('replaces the selection of the editor in sight; without one, a notice asks for it', async () => {
    await vscode.commands.executeCommand('workbench.action.closeAllEditors');
    const notices = makeNotices();
    const parts = partsOf<Parameters<typeof performIntent>[1]>({ karl: new UserActions(partsOf({ notices })) });
    const insert = () => performIntent({ type: 'insert', text: 'new' }, parts, {} as ViewPage);
    await insert();
    assert.match(notices.states[0]?.text ?? '', /^Open a file that you can edit/);
    const document = await vscode.workspace.openTextDocument({ content: 'a = OLD;' });
    await vscode.window.showTextDocument(document, { selection: new vscode.Range(0, 4, 0, 7) });
    const panel = vscode.window.createWebviewPanel('test', 'Page', vscode.ViewColumn.Beside);
    await insert();
    assert.equal(document.getText(), 'a = new;', 'also while a page beside it has the focus');
    assert.deepEqual(notices.states, []);
    panel.dispose();
    await vscode.window.showTextDocument(document);
    await vscode.commands.executeCommand('workbench.action.revertAndCloseActiveEditor');
  });
});
