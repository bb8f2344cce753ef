import assert from 'node:assert/strict';
import type OpenAI from 'openai';
import * as vscode from 'vscode';
import type { KarlApi } from '../../../src/host/host.ts';
import { ProviderServer } from '../../adapters/server/providerServer.ts';
import { textReply } from '../../adapters/server/reply.ts';
import {
  activateKarl,
  copyClient,
  listConversations,
  openSample,
  restoreSettings,
  setSetting,
  shownCompressions,
  showView,
  until,
  useServer,
} from './karl.ts';

type Chat = OpenAI.ChatCompletionMessageParam[];

describe('a conversation of another agent, in the view', () => {
  let server: ProviderServer;
  let api: KarlApi;
  let client: OpenAI;
  const history: Chat = [];
  let title: string;

  before(async () => {
    api = await activateKarl();
    server = await ProviderServer.start();
    await useServer(server, 'scripted');
    await setSetting('gateway.port', 0);
    await setSetting('compaction.mode', 'manual');
    client = await copyClient({ 'x-title': 'Otherbot' });
    title = `Number the lines, ${Date.now()}.`;
    history.push({ role: 'user', content: title });
    for (let round = 0; round < 12; round += 1) {
      await ask(`Answer ${round}: ${`line ${round} of a long text, `.repeat(60)}`);
      history.push({ role: 'user', content: `Go on, ${round}.` });
    }
  });
  after(async () => {
    await vscode.commands.executeCommand('karl.stopGateway');
    await restoreSettings();
    await server.close();
  });

  async function ask(answer: string): Promise<void> {
    server.enqueue(textReply(answer));
    const { choices } = await client.chat.completions.create({ model: 'scripted', messages: history });
    assert.equal(choices[0]?.message.content, answer);
    history.push({ role: 'assistant', content: answer });
  }

  const choice = async () =>
    (await listConversations(api)).find((one) => one.title === title) ?? assert.fail('it is not in the list');

  it('is listed with its agent and fill level, and opens read-only with its whole transcript', async () => {
    const { id, client: agent, figures } = await choice();
    assert.equal(agent, 'Otherbot');
    assert.ok((figures?.used ?? 0) > 1_000, JSON.stringify(figures));
    await api.karl.openConversation(id);
    const { conversation, entries, gauge, unfinished } = api.viewState();
    assert.deepEqual([conversation?.id, conversation?.readOnly, unfinished], [id, undefined, undefined]);
    assert.match(conversation?.otherAgent ?? '', /^A conversation of Otherbot: continue it there/);
    await showView(api);
    await vscode.commands.executeCommand('karl.rename');
    const told = 'A conversation of another agent is named by its first words.';
    assert.ok(api.viewState().notices.some(({ text }) => text === told));
    assert.equal(gauge?.used, figures?.used);
    const texts = entries.flatMap((entry) => (entry.kind === 'message' ? [entry.text] : []));
    assert.equal(texts[0], title);
    assert.match(texts.at(-1) ?? '', /^Answer 11: /, 'the last answer, which no request has brought yet');
    assert.match(texts.at(-2) ?? '', /^Go on, 10\./);
    assert.equal(await api.karl.send('Not from here.'), false);
  });

  it('can be compressed and undone here, and its agent continues with the result', async () => {
    await api.karl.openConversation((await choice()).id);
    const before = shownCompressions(api).length;
    await api.karl.compress('heuristic');
    await until(() => shownCompressions(api).length === before + 1, 'the compression');
    await until(async () => (await choice()).figures?.compressions === before + 1, 'the compression in the list');
    await ask('After the compression.');
    const sent = server.requests.at(-1)?.body.messages ?? [];
    assert.ok(sent.length < history.length - 1, `${sent.length} messages were sent`);
    await until(() => JSON.stringify(api.viewState().entries).includes('Go on, 11.'), 'the new request in the view');
    await api.karl.undo();
    history.push({ role: 'user', content: 'And now?' });
    await ask('After the undo.');
    assert.equal(server.requests.at(-1)?.body.messages?.length, history.length - 1);
  });

  it('shows its warnings and how its compression ended only if it is open', async () => {
    await showView(api);
    await api.karl.openConversation((await choice()).id);
    const conversation = api.conversation() ?? assert.fail('nothing is open');
    const stop = conversation.on(() => assert.fail('of a test'));
    const shown = () => api.viewState().notices.flatMap(({ id }) => (/^(?:warning|compression)$/.test(id) ? [id] : []));
    const compressNothing = async () => {
      const targetTokens = conversation.budget().limit;
      const { kind } = await conversation.compact({ trigger: 'command', strategy: 'heuristic', targetTokens });
      assert.equal(kind, 'skipped');
    };
    await compressNothing();
    assert.deepEqual(shown().toSorted(), ['compression', 'warning']);
    await openSample(api);
    await compressNothing();
    assert.deepEqual(shown(), []);
    stop();
  });

  it("is closed for one of Karl's own, and can be deleted like them", async () => {
    const { id } = await choice();
    await openSample(api);
    assert.equal(api.viewState().conversation?.otherAgent, undefined);
    await api.conversations.delete(id);
    assert.ok(!(await listConversations(api)).some((one) => one.id === id));
    const response = await client.chat.completions.create({ model: 'scripted', messages: history }).asResponse();
    assert.notEqual(/thread=(\w+)/.exec(response.headers.get('x-karl') ?? '')?.[1], id);
  });
});
