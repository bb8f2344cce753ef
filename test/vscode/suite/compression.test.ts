import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import * as vscode from 'vscode';
import { activateKarl, listConversations, openSample, restoreSettings, setSetting, until } from './karl.ts';

describe('the sample conversation', () => {
  afterEach(() => restoreSettings());

  it('is compressed with the strategy of the settings', async () => {
    const conversation = await openSample(await activateKarl());
    await setSetting('strategy', 'heuristic');
    await until(() => conversation.settings.strategy === 'heuristic');
    await vscode.commands.executeCommand('karl.compress');
    assert.equal(conversation.compactions()[0]?.strategy, 'heuristic');
  });

  it('leaves a line in the daily log', async () => {
    const directory = path.join(tmpdir(), `karl-log-${process.pid}-${Date.now()}`);
    await setSetting('log.directory', directory);
    const api = await activateKarl();
    const conversation = await openSample(api);
    await vscode.commands.executeCommand('karl.compress');
    // Swedish writes days as the log does.
    const file = path.join(directory, `karl_${new Date().toLocaleDateString('sv')}.log`);
    const read = () => readFile(file, 'utf8').catch(() => '');
    await until(async () => /event=compaction-ended/.test(await read()), `a line in ${file}`);
    const line = (await read()).split('\n').find((text) => text.includes('event=compaction-ended')) ?? '';
    const fields = ['strategy=adaptive', 'trigger=command', 'outcome=compacted', 'profile=sample-16k'];
    for (const field of fields) assert.ok(line.includes(field), `${field} in ${line}`);
    const [, before, after] = /tokens_before=(\d+).*tokens_after=(\d+)/.exec(line) ?? [];
    assert.ok(Number(after) < Number(before) * 0.6, line);
    assert.equal(conversation.compactions().length, 1);
    assert.doesNotMatch(line, / model=/, 'no model wrote anything');
    assert.ok(!line.includes('northwind'), 'the log holds no message text');
  });
});

it('a conversation is listed, renamed and deleted', async () => {
  const api = await activateKarl();
  await openSample(api);
  const { id } = api.karl.active ?? assert.fail('nothing is open');
  await api.conversations.rename(id, 'March invoices');
  assert.equal(api.viewState().conversation?.title, 'March invoices');
  assert.equal((await listConversations(api)).find((listing) => listing.id === id)?.title, 'March invoices');
  await api.conversations.delete(id);
  assert.ok(!(await listConversations(api)).some((listing) => listing.id === id));
  assert.equal(api.viewState().conversation, undefined);
});
