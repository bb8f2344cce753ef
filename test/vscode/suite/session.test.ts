import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import type { KarlApi } from '../../../src/host/host.ts';
import { TOOL_NAMES } from '../../../src/host/settings/settingRules.ts';
import { ProviderServer } from '../../adapters/server/providerServer.ts';
import { callsReply, errorReply, textReply } from '../../adapters/server/reply.ts';
import {
  activateKarl,
  openSample,
  restoreSettings,
  SERVER,
  setSetting,
  shownCompressions,
  showView,
  until,
  useServer,
  writeProfile,
} from './karl.ts';

const MODEL = 'test-model';

/** What the server says when nothing else is scripted. */
const ANSWER = 'Understood.';

/** What the model was asked; Karl also asks a server for its window. */
const requests = (server: ProviderServer) =>
  server.requests.filter((request) => request.path === '/v1/chat/completions');

/** Hides the view, which opening a conversation brought to the front. */
async function hideView(api: KarlApi): Promise<void> {
  await vscode.commands.executeCommand('workbench.view.explorer');
  await until(() => !api.isViewVisible(), 'the hidden view');
}

const pressNewest = () => vscode.commands.executeCommand('notification.acceptPrimaryAction');

/** What the view says about a button that has nothing left to do. */
const SETTLED = 'This has already been settled.';

/** A compression asks the model for its summary; a turn is every other request. */
const isSummary = (request: ProviderServer['requests'][number]) =>
  JSON.stringify(request.body.messages?.[0]?.content).includes('hand-over of a part');
const chats = (server: ProviderServer) => requests(server).filter((request) => !isSummary(request));

describe('a message to the agent', () => {
  let api: KarlApi;
  let server: ProviderServer;

  before(async () => {
    api = await activateKarl();
    await writeProfile(MODEL);
  });

  beforeEach(async () => {
    server = await ProviderServer.start();
    await useServer(server, MODEL);
  });

  after(() => restoreSettings());
  afterEach(async () => {
    await restoreSettings(SERVER);
    await server.close();
  });

  it('compresses a conversation over its threshold before the request, and reports it', async () => {
    const conversation = await openSample(api);
    await api.karl.send('Ask Priya now.');
    const [compaction] = conversation.compactions();
    assert.equal(compaction?.trigger, 'threshold');
    assert.equal(chats(server).length, 1);
    assert.equal(requests(server).filter(isSummary).length, 1, 'the summary was asked for, once');
    assert.equal(compaction.receipt.modelTokens?.output, 3, 'what the server reported is in the receipt');
    const receipt = shownCompressions(api)[0]?.receipt.join(' ') ?? '';
    assert.match(receipt, /tokens in and 3 out\. Net: [\d,]+ tokens for the summary/);
    const sent = JSON.stringify(chats(server)[0]?.body.messages);
    assert.ok(sent.includes('Ask Priya now.') && sent.includes('karl-history'));
    assert.equal(conversation.transcript.messages.at(-1)?.text, ANSWER);
    assert.ok(conversation.budget().used.tokens < 12_000);
  });

  it('is a point in the token history beside its compression, also after a reload', async () => {
    const conversation = await openSample(api);
    await api.karl.send('Ask Priya now.');
    assert.ok((await conversation.changeByHand('dropped', [conversation.transcript.messages.length - 1])).ok);
    const id = api.viewState().conversation?.id ?? assert.fail('nothing is open');
    await api.karl.newConversation();
    await api.karl.openConversation(id);
    await api.karl.showContents();
    const history = api.viewState().contents?.groups.find(({ kind }) => kind === 'history')?.rows ?? [];
    const [byHand, request, compressed] = history;
    assert.match(byHand?.label ?? '', / · Changed by you: /);
    assert.match(compressed?.label ?? '', / · Compressed: /);
    assert.match(request?.label ?? '', / · Request: \d,\d{3} tokens, \d\d% of the budget$/);
    assert.equal(api.conversation()?.transcript.messages[request?.at?.from ?? -1]?.text, 'Ask Priya now.');
  });

  it('opens a conversation with the system prompt and the AGENTS.md of the workspace', async () => {
    await vscode.commands.executeCommand('karl.new');
    await api.karl.send('Say hello');
    const [system] = chats(server)[0]?.body.messages ?? [];
    assert.equal(system?.role, 'system');
    assert.match(String(system?.content), /AGENTS\.md/);
    const names = chats(server)[0]?.body.tools?.map((tool) => (tool as { function: { name: string } }).function.name);
    assert.deepEqual(names?.toSorted(), TOOL_NAMES.toSorted());
    assert.equal(api.viewState().conversation?.title, 'Say hello');
    const { entries } = api.viewState();
    const shown = entries.map((entry) => entry.kind === 'message' && `${entry.role}: ${entry.text}`);
    assert.deepEqual(shown.slice(1), ['user: Say hello', `assistant: ${ANSWER}`]);
  });

  it('runs the tools of the agent in the workspace and shows what the server measured', async () => {
    await vscode.commands.executeCommand('karl.new');
    const usage = { prompt_tokens: 1500, completion_tokens: 5, prompt_tokens_details: { cached_tokens: 1024 } };
    let asked = 0;
    const scripted = await ProviderServer.start({
      respond: ({ path: address }) => {
        if (address !== '/v1/chat/completions') return undefined;
        asked += 1;
        const read = { name: 'read_file', arguments: { path: 'AGENTS.md' } };
        return asked === 1 ? callsReply([read]) : textReply('I have read it.', { usage });
      },
    });
    await setSetting('baseUrl', scripted.baseUrl);
    await api.karl.send('Read AGENTS.md');
    await scripted.close();
    const { entries } = api.viewState();
    const kinds = entries.map((entry) => (entry.kind === 'message' ? entry.role : entry.kind));
    assert.deepEqual(kinds, ['system', 'user', 'call', 'assistant']);
    const [, , call] = entries;
    assert.ok(call?.kind === 'call');
    assert.deepEqual([call.name, call.target, call.outcome], ['read_file', 'AGENTS.md', 'done']);
    assert.equal(api.viewState().gauge?.cached, 1024);
  });

  it('keeps the profiles that it ran with, with their sources', async () => {
    await vscode.commands.executeCommand('karl.new');
    await api.karl.send('Hello');
    await setSetting('model', 'nobody-knows-this');
    await api.karl.send('Hello again');
    const { id } = api.karl.active ?? assert.fail('nothing is open');
    await vscode.commands.executeCommand('karl.new');
    await api.karl.openConversation(id);
    const ran = api.karl.active?.profiles.map(({ profile, matches }) => `${profile.id}: ${matches.at(-1)?.rule}`);
    assert.deepEqual(ran, [`${MODEL}: exact`, 'nobody-knows-this: default']);
    const lines = api.viewState().conversation?.modelHint?.split('\n') ?? [];
    assert.deepEqual(lines.slice(1, 3), ['Profile: built-in: no entry, defaults', 'Previously used:']);
    assert.match(lines[3] ?? '', /^test-model on .*model-profiles\.json: entry test-model \(exact\)\)$/);
  });

  describe('in the mode "ask"', () => {
    async function sendAndBeAsked(): Promise<{ readonly sending: Promise<boolean> }> {
      await setSetting('compaction.mode', 'ask');
      await openSample(api);
      await hideView(api);
      const sending = api.karl.send('Go on.');
      await until(() => api.karl.active?.agent?.question.isOpen === true, 'the question');
      return { sending };
    }

    it('goes on without a compression when the notification of a hidden view is dismissed', async () => {
      const { sending } = await sendAndBeAsked();
      await until(async () => {
        await vscode.commands.executeCommand('notifications.clearAll');
        return api.karl.active?.agent?.question.isOpen === false;
      }, 'the answer');
      assert.equal(await sending, true);
      assert.deepEqual([api.conversation()?.compactions().length, chats(server).length], [0, 1]);
      assert.deepEqual(api.viewState().notices, []);
    });

    it('takes every compression by command as the answer, even with another strategy', async () => {
      for (const strategy of [undefined, 'heuristic'] as const) {
        const { sending } = await sendAndBeAsked();
        await api.karl.compress(strategy);
        assert.equal(await sending, true);
        const [compaction] = api.conversation()?.compactions() ?? [];
        assert.equal(compaction?.strategy, strategy ?? 'adaptive');
      }
    });

    it('sends a queued message with the tools that are set when its turn begins', async () => {
      const { sending } = await sendAndBeAsked();
      const waiting = api.karl.send('And then?');
      await until(() => api.karl.active?.agent?.queue.length === 1, 'the message in the queue');
      await setSetting('tools.enabled', ['list_files']);
      await setSetting('compaction.mode', 'manual');
      api.karl.active?.agent?.question.answer(false);
      await Promise.all([sending, waiting]);
      const offered = chats(server).map(({ body }) => body.tools?.length);
      assert.deepEqual(offered, [TOOL_NAMES.length, 1]);
    });

    it('ends the waiting turn when it is stopped', async () => {
      const { sending } = await sendAndBeAsked();
      await vscode.commands.executeCommand('karl.cancel');
      assert.equal(await sending, true);
      assert.deepEqual([api.viewState().activity, chats(server).length], [{ kind: 'idle' }, 0]);
      assert.deepEqual(api.viewState().notices, []);
    });
  });

  it('shows a long compression, which can be cancelled without a change', async () => {
    await setSetting('compaction.mode', 'manual');
    const conversation = await openSample(api);
    await api.karl.send('Go on.');
    const before = JSON.stringify(conversation.request());
    server.enqueue({ neverAnswer: true, steps: [] });
    const compressing = api.karl.compress('karl');
    await until(() => requests(server).some(isSummary), 'the request for a note');
    assert.equal(api.viewState().activity.kind, 'compacting');
    await vscode.commands.executeCommand('karl.cancel');
    await compressing;
    assert.deepEqual(api.viewState().activity, { kind: 'idle' });
    assert.equal(conversation.compactions().length, 0);
    assert.equal(JSON.stringify(conversation.request()), before);
  });

  it('is followed by a compression without the summary that the server refuses, which can be repeated in its place', async () => {
    await setSetting('compaction.mode', 'manual');
    await setSetting('summary.when', 'always');
    await openSample(api);
    await api.karl.send('Go on.');
    await showView(api);
    server.enqueue(errorReply(401, { error: { message: 'Incorrect API key provided.' } }));
    await api.karl.compress();
    const [missing] = shownCompressions(api);
    assert.match(missing?.receipt.join(' ') ?? '', /A summary by the model was left out/);
    const told = () => api.viewState().notices.find(({ id }) => id === 'compression')?.text;
    assert.match(told() ?? '', /^Compressed without a summary by the model\./);
    await api.karl.compress('adaptive', undefined, missing?.id);
    const undone = shownCompressions(api).map((one) => one.undone);
    assert.deepEqual([undone, told()], [[true, false], undefined]);
  });

  it('that fails while the view is hidden is reported in a notification, whose buttons work until it is cured', async () => {
    await vscode.commands.executeCommand('notifications.clearAll');
    await vscode.commands.executeCommand('karl.new');
    await setSetting('tools.maxRounds', 1);
    await hideView(api);
    const fail = async () => {
      server.enqueue(callsReply([{ id: 'a', name: 'list_files', arguments: { pattern: '*.md' } }]));
      await api.karl.send('List the files.');
      const isTold = api.viewState().notices.some(({ id }) => id === 'turn');
      assert.ok(isTold, JSON.stringify(api.viewState().notices));
    };
    await fail();
    await pressNewest();
    await until(() => api.conversation()?.transcript.messages.at(-1)?.text === ANSWER, 'the answer');
    await fail();
    await api.karl.resume();
    const asked = chats(server).length;
    await showView(api);
    await pressNewest();
    await until(() => api.viewState().notices.some(({ text }) => text === SETTLED), 'the notice');
    assert.equal(chats(server).length, asked);
  });

  it('adds no notice to the next conversation after its own was closed', async () => {
    await openSample(api);
    const closed = api.karl.active ?? assert.fail('nothing is open');
    await openSample(api);
    await vscode.commands.executeCommand('karl.undo');
    const { notices } = api.viewState();
    assert.equal(notices.length, 1);
    await closed.saveAndReport();
    await closed.agent?.send?.('Too late.');
    await closed.conversation.compact({ trigger: 'command', strategy: 'sandwich', instructions: 'None.' });
    assert.deepEqual(api.viewState().notices, notices);
  });

  it('is sent again in a fork, with everything before it and its compressions; the original stays', async () => {
    const conversation = await openSample(api);
    await setSetting('compaction.mode', 'manual');
    await vscode.commands.executeCommand('karl.compress');
    await api.karl.setPins([1], true);
    await api.karl.send('First words.');
    const { messages } = conversation.transcript;
    const asked = messages.findIndex(({ text }) => text === 'First words.');
    const { id, title } = api.karl.active ?? assert.fail('nothing is open');
    assert.equal(await api.karl.send('Other words.', { inPlaceOf: asked }), true);
    const fork = api.conversation() ?? assert.fail('nothing is open');
    assert.notEqual(api.karl.active?.id, id);
    assert.equal(api.karl.active?.title, `${title} (2)`);
    const texts = fork.transcript.messages.slice(asked).map(({ text }) => text);
    assert.deepEqual(texts, ['Other words.', ANSWER]);
    const wires = fork.transcript.messages.slice(0, asked).map(({ wire }) => wire);
    const before = messages.slice(0, asked).map(({ wire }) => wire);
    assert.deepEqual(wires, before);
    assert.deepEqual(fork.compactions(), conversation.compactions());
    assert.deepEqual([...fork.pins()], [1]);
    await api.karl.retry(asked);
    assert.equal(api.karl.active?.title, `${title} (3)`);
    assert.equal(api.conversation()?.transcript.messages[asked]?.text, 'Other words.');
    await api.karl.openConversation(id);
    assert.equal(api.conversation()?.transcript.messages[asked]?.text, 'First words.');
  });
});
