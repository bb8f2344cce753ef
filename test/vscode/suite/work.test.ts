import assert from 'node:assert/strict';
import fs from 'node:fs';
import path from 'node:path';
import * as vscode from 'vscode';
import { ProviderServer } from '../../adapters/server/providerServer.ts';
import { callsReply, type ScriptedCall, textReply } from '../../adapters/server/reply.ts';
import { activateKarl, restoreSettings, SERVER, setSetting, until } from './karl.ts';

describe('the agent in the editor', () => {
  let server: ProviderServer;
  const folder = vscode.workspace.workspaceFolders?.[0]?.uri.fsPath ?? assert.fail();
  const fileOf = (name: string): string => path.join(folder, name);

  beforeEach(async () => {
    server = await ProviderServer.start();
    await setSetting('baseUrl', server.baseUrl);
    await setSetting('model', 'scripted');
    await vscode.commands.executeCommand('karl.new');
  });
  after(() => restoreSettings());
  afterEach(async () => {
    await vscode.commands.executeCommand('workbench.action.closeAllEditors');
    await restoreSettings(SERVER);
    await server.close();
    for (const name of ['work.txt', 'other.txt']) fs.rmSync(fileOf(name), { force: true });
  });

  /** Sends a message that the model answers with these calls, which are allowed; gives the results. */
  async function work(...calls: readonly ScriptedCall[]): Promise<readonly string[]> {
    const { karl } = await activateKarl();
    server.enqueue(callsReply(calls), textReply('Done.'));
    const sent = karl.send('Do it.');
    let isDone = false;
    void sent.then(() => {
      isDone = true;
    });
    await until(() => {
      const question = karl.active?.agent?.work.question;
      if (question !== undefined)
        karl.active?.agent?.work.answer({ id: question.id, answer: 'allow', reason: '', offer: 0 });
      return isDone;
    });
    const messages = server.requests.at(-1)?.body.messages ?? [];
    return messages.flatMap(({ role, content }) => (role === 'tool' ? [String(content)] : [])).slice(-calls.length);
  }
  const edit = (old_text: string, new_text: string): ScriptedCall => ({
    name: 'edit_file',
    arguments: { path: 'work.txt', edits: [{ old_text, new_text }] },
  });

  it("edits what the user sees: unsaved text included, with the file's line ends, and can be undone like typing", async () => {
    fs.writeFileSync(fileOf('work.txt'), 'one\r\ntwo\r\n');
    const document = await vscode.workspace.openTextDocument(fileOf('work.txt'));
    const editor = await vscode.window.showTextDocument(document);
    await editor.edit((builder) => builder.insert(new vscode.Position(0, 0), 'unsaved '));
    assert.deepEqual(await work(edit('two', 'three')), ['Changed work.txt: +1 -1 lines.']);
    assert.equal(fs.readFileSync(fileOf('work.txt'), 'utf8'), 'unsaved one\r\nthree\r\n');
    await vscode.window.showTextDocument(document);
    await vscode.commands.executeCommand('undo');
    assert.equal(document.getText(), 'unsaved one\r\ntwo\r\n');
    await document.save();
  });

  it('keeps byte order marks and encodings, and reports what cannot be read or written', async () => {
    fs.writeFileSync(fileOf('work.txt'), Buffer.from('\ufeffone\n', 'utf16le'));
    assert.deepEqual(await work(edit('one', 'two ü')), ['Changed work.txt: +1 -1 lines.']);
    assert.equal(fs.readFileSync(fileOf('work.txt'), 'utf16le'), '\ufefftwo ü\n');
    fs.writeFileSync(fileOf('work.txt'), '\ufeffone\n');
    await vscode.commands.executeCommand('workbench.action.closeAllEditors');
    await work(edit('one', 'two'));
    assert.equal(fs.readFileSync(fileOf('work.txt'), 'utf8'), '\ufefftwo\n');
    fs.writeFileSync(fileOf('work.txt'), Buffer.from([0, 1, 2, 255, 0, 254]));
    await vscode.commands.executeCommand('workbench.action.closeAllEditors');
    const [binary = ''] = await work(edit('one', 'two'));
    assert.match(binary, /binary/);
    fs.rmSync(fileOf('work.txt'));
    fs.mkdirSync(fileOf('work.txt'));
    const [isFolder = ''] = await work({ name: 'edit_file', arguments: { path: 'work.txt', content: 'x' } });
    assert.match(isFolder, /is a folder/);
    fs.rmdirSync(fileOf('work.txt'));
  });

  it("gets the editor's diagnostics for a file that it has changed", async () => {
    fs.writeFileSync(fileOf('work.txt'), 'one\n');
    const found = vscode.languages.createDiagnosticCollection('test');
    const subscription = vscode.workspace.onDidSaveTextDocument(({ uri }) =>
      found.set(uri, [new vscode.Diagnostic(new vscode.Range(0, 4, 0, 5), 'a word is missing')]),
    );
    const results = await work(edit('one', 'two'), { name: 'get_diagnostics', arguments: { path: './work.txt' } });
    subscription.dispose();
    found.dispose();
    const problem = 'Problems that the editor shows:\nwork.txt:1:5 error: a word is missing';
    assert.deepEqual(results, [`Changed work.txt: +1 -1 lines.\n${problem}`, problem]);
  });

  it('calls enabled tools of an MCP server after the user has agreed to each call', async () => {
    const { karl } = await activateKarl();
    const find = () => vscode.lm.tools.find(({ name }) => /^mcp_.*karl.*budget$/.test(name))?.name;
    await until(async () => {
      await vscode.commands.executeCommand('workbench.mcp.startServer', '*', { waitForLiveTools: true });
      return find() !== undefined;
    }, 'the tool of the server');
    const name = find() ?? assert.fail();
    assert.ok(!JSON.stringify(server.requests.at(-1)?.body.tools ?? []).includes(name));
    await setSetting('tools.others', [name]);
    await until(
      () => karl.active === undefined || JSON.stringify(karl.active.conversation.settings.tools).includes(name),
    );
    const [result = ''] = await work({ name, arguments: {} });
    assert.match(result, /Conversations of this workspace/);
  });
});
