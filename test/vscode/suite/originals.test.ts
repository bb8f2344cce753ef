import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { handleOf } from '../../../src/core/chat/handle.ts';
import { activateKarl, openSample, until } from './karl.ts';

describe('the tab of an original message', () => {
  after(() => vscode.commands.executeCommand('workbench.action.closeAllEditors'));

  it('shows it as soon as its conversation is open, and keeps showing it beside another', async () => {
    const api = await activateKarl();
    await openSample(api);
    const { id, conversation } = api.karl.active ?? assert.fail('the sample is open');
    const text = conversation.transcript.messages[1]?.wire.content;
    assert.ok(typeof text === 'string');
    await api.karl.newConversation();
    const query = new URLSearchParams({ conversation: id, part: 'messages', of: handleOf({ from: 1, to: 1 }) });
    const uri = vscode.Uri.from({ scheme: 'karl-original', path: '/Original', query: query.toString() });
    const document = await vscode.workspace.openTextDocument(uri);
    await vscode.window.showTextDocument(document);
    assert.match(document.getText(), /is not open/);
    await api.karl.openConversation(id);
    await until(() => document.getText().includes(text));
    await api.karl.newConversation();
    assert.ok(document.getText().includes(text));
  });
});
