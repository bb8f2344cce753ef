import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import * as vscode from 'vscode';
import { targetTokens, triggerTokens } from '../../../src/core/model/budget.ts';
import { activateKarl, openSample, restoreSettings, setSetting, shownCompressions, until } from './karl.ts';

describe('the sample conversation', () => {
  afterEach(() => restoreSettings());

  it('is over the threshold of its 16k window, and fits into it', async () => {
    const conversation = await openSample(await activateKarl());
    const budget = conversation.budget();
    const { used, limit, window } = budget;
    assert.equal(window, 16_384);
    assert.ok(conversation.transcript.messages.length >= 60);
    assert.ok(used.tokens > triggerTokens(conversation.thresholds(), budget), `${used.tokens} of ${limit}`);
    assert.ok(used.tokens <= limit, `${used.tokens} of ${limit}`);
    assert.equal(conversation.due(), 'threshold');
  });

  it('is compressed to its target by the command, without a model, and says what was done', async () => {
    const api = await activateKarl();
    const conversation = await openSample(api);
    const before = api.viewState().gauge?.used;
    await vscode.commands.executeCommand('karl.compress');
    const [compaction] = conversation.compactions();
    assert.ok(compaction, 'nothing was compressed');
    const { strategy, trigger, receipt } = compaction;
    assert.deepEqual([strategy, trigger, receipt.modelCalls], ['adaptive', 'command', 0]);
    const budget = conversation.budget();
    const { used, limit } = budget;
    assert.ok(used.tokens <= targetTokens(conversation.thresholds(), budget), `${used.tokens} of ${limit}`);
    const { gauge, compressions } = api.viewState();
    const [shown, ...others] = shownCompressions(api);
    assert.deepEqual([shown?.before, shown?.after, shown?.limit], [before, gauge?.used, gauge?.limit]);
    assert.deepEqual([others.length, compressions], [0, [conversation.transcript.messages.length]]);
    assert.equal(gauge?.level, 'calm');
  });

  it('comes back byte for byte when the compression is undone, and is compressed again as it was by a redo', async () => {
    const api = await activateKarl();
    const conversation = await openSample(api);
    const before = JSON.stringify(conversation.request());
    const told = () => api.viewState().notices.find(({ id }) => id === 'told')?.text;
    await vscode.commands.executeCommand('karl.undo');
    assert.equal(told(), 'There is no compression to undo.');
    await vscode.commands.executeCommand('karl.compress');
    const compressed = JSON.stringify(conversation.request());
    assert.notEqual(compressed, before);
    await vscode.commands.executeCommand('karl.undo');
    assert.equal(JSON.stringify(conversation.request()), before);
    assert.equal(shownCompressions(api)[0]?.undone, true);
    await vscode.commands.executeCommand('karl.redo');
    assert.equal(JSON.stringify(conversation.request()), compressed);
    assert.equal(shownCompressions(api)[0]?.undone, false);
    assert.equal(told(), undefined);
  });

  it('is compressed with the strategy of the setting', async () => {
    const conversation = await openSample(await activateKarl());
    await setSetting('strategy', 'heuristic');
    await until(() => conversation.strategy() === 'heuristic');
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

describe('a conversation', () => {
  it('survives being closed and opened again, with its compressions and pins', async () => {
    const api = await activateKarl();
    const conversation = await openSample(api);
    const { id } = api.karl.active ?? assert.fail('nothing is open');
    await vscode.commands.executeCommand('karl.compress');
    await api.karl.setPins([1], true);
    const before = JSON.stringify(conversation.request());
    await vscode.commands.executeCommand('karl.new');
    assert.equal(api.conversation()?.transcript.messages.length, 0);
    await api.karl.openConversation(id);
    const again = api.conversation() ?? assert.fail('nothing is open');
    assert.notEqual(again, conversation);
    assert.equal(JSON.stringify(again.request()), before);
    assert.equal(again.compactions().length, 1);
    assert.deepEqual([...again.pins()], [1]);
  });

  it('is listed, renamed and deleted', async () => {
    const api = await activateKarl();
    await openSample(api);
    const { id } = api.karl.active ?? assert.fail('nothing is open');
    await api.karl.renameConversation(id, 'March invoices');
    assert.equal(api.viewState().conversation?.title, 'March invoices');
    assert.equal((await api.karl.list()).find((listing) => listing.id === id)?.title, 'March invoices');
    await api.karl.deleteConversation(id);
    assert.ok(!(await api.karl.list()).some((listing) => listing.id === id));
    assert.equal(api.viewState().conversation, undefined);
  });
});

describe('settings', () => {
  afterEach(() => restoreSettings());

  it('keep the last good value when a wrong one is set', async () => {
    const conversation = await openSample(await activateKarl());
    await setSetting('thresholds.fraction', 0.7);
    await until(() => conversation.thresholds().fraction === 0.7);
    await setSetting('thresholds.fraction', 7);
    await setSetting('thresholds.target', 0.4);
    await until(() => conversation.thresholds().target === 0.4, 'the setting after it');
    assert.equal(conversation.thresholds().fraction, 0.7);
  });
});
