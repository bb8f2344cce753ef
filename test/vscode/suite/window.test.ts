import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import type { KarlApi } from '../../../src/host/host.ts';
import { countTokens, ProviderServer } from '../../adapters/server/providerServer.ts';
import { activateKarl, openSample, restoreSettings, setSetting, until, useServer } from './karl.ts';

/** What vLLM lists. */
const models = (windows: Readonly<Record<string, number>>) => ({
  '/v1/models': { data: Object.entries(windows).map(([id, max_model_len]) => ({ id, max_model_len })) },
});

describe('the window of the model', () => {
  let api: KarlApi;
  let server: ProviderServer;

  before(async () => {
    api = await activateKarl();
  });
  afterEach(async () => {
    await restoreSettings();
    await server.close();
  });

  async function use(started: ProviderServer, model: string): Promise<void> {
    server = started;
    await useServer(server, model);
  }

  /** The window that the view shows, and where it is from. */
  const shown = () => [api.viewState().gauge?.window, api.viewState().gauge?.windowSource];
  const newConversation = () => vscode.commands.executeCommand('karl.new');

  it('comes from the server; a switch to a smaller model compresses before the request', async () => {
    await use(await ProviderServer.start({ pages: models({ large: 64_000, small: 8_000 }) }), 'large');
    const conversation = await openSample(api);
    await api.karl.send('Go on.');
    assert.equal(conversation.compactions().length, 0);
    assert.deepEqual(shown(), [64_000, 'from the server']);
    await setSetting('model', 'small');
    await api.karl.send('And now with less.');
    assert.equal(conversation.compactions()[0]?.trigger, 'hard-limit');
    assert.equal(shown()[0], 8_000);
    const sent = JSON.stringify(server.requests.at(-1)?.body.messages);
    assert.ok(sent.includes('And now with less.') && sent.length / 4 < 8_000, String(sent.length / 4));
  });

  it('is requested before the first message, and not again for the next conversation', async () => {
    const pages: Record<string, unknown> = {};
    await use(await ProviderServer.start({ pages }), 'asked');
    Object.assign(pages, models({ asked: 48_000 }));
    await newConversation();
    await until(() => shown()[0] === 48_000);
    await server.close();
    await newConversation();
    assert.deepEqual(shown(), [48_000, 'from the server']);
    assert.ok(!server.requests.some(({ path }) => path.endsWith('/chat/completions')));
    server = await ProviderServer.start();
  });

  it('is that of the model in the settings, even if the conversation ran with a larger one', async () => {
    await use(await ProviderServer.start({ pages: models({ huge: 96_000, tiny: 7_000 }) }), 'huge');
    await newConversation();
    const { id } = api.karl.active ?? assert.fail('nothing is open');
    await api.karl.send('Hello.');
    assert.equal(shown()[0], 96_000);
    await newConversation();
    await setSetting('model', 'tiny');
    await api.karl.openConversation(id);
    await until(() => shown()[0] === 7_000);
  });

  it('is not requested from an earlier server once the settings name none', async () => {
    await use(await ProviderServer.start(), 'earlier');
    await newConversation();
    const { id } = api.karl.active ?? assert.fail('nothing is open');
    await api.karl.send('Hello.');
    const earlier = server;
    await setSetting('model', undefined);
    await setSetting('baseUrl', undefined);
    await newConversation();
    const before = earlier.requests.length;
    await api.karl.openConversation(id);
    assert.equal(api.viewState().conversation?.model, 'earlier');
    await use(await ProviderServer.start({ pages: models({ later: 48_000 }) }), 'later');
    await until(() => shown()[0] === 48_000);
    assert.equal(earlier.requests.length, before);
    await earlier.close();
  });

  it("is the user's figure before the server's and the profile's; one learned from an error holds in its conversation", async () => {
    await use(await ProviderServer.start({ pages: models({ set: 64_000 }), window: 25_000 }), 'set');
    const conversation = await openSample(api);
    await setSetting('contextWindows', { set: 20_000, other: 5_000 });
    await api.karl.send('Go on.');
    assert.deepEqual(shown(), [20_000, 'from the settings']);
    await setSetting('contextWindows', { set: 30_000 });
    await until(() => shown()[0] === 30_000);
    conversation.configure({ thresholds: { fraction: 1 } });
    await api.karl.send(`Read this: ${'word '.repeat(26_000)}`);
    assert.deepEqual(shown(), [25_000, 'learned from an error']);
    await vscode.commands.executeCommand('karl.forgetWindow');
    assert.deepEqual(shown(), [30_000, 'from the settings']);
    await setSetting('contextWindows', undefined);
    // The reset forgot what the server had said too, so it is asked.
    await until(() => shown()[1] === 'from the server');
    assert.deepEqual(shown(), [64_000, 'from the server']);
  });

  it('is learned from an overflow, stored for all conversations when a second one agrees, and forgotten by command', async () => {
    await use(await ProviderServer.start({ window: 12_000 }), 'unknown-large');
    const conversation = await openSample(api);
    conversation.configure({ thresholds: { fraction: 1 } });
    // With the sample it is too large, and fits once the sample was compressed: one error.
    await api.karl.send(`Read this: ${'word '.repeat(2_000)}`);
    assert.deepEqual(shown(), [12_000, 'learned from an error']);
    await api.karl.send('hello');
    assert.equal(shown()[1], 'learned from an error', 'it holds in its conversation');
    await newConversation();
    await api.karl.send('hello');
    assert.notEqual(shown()[1], 'learned from an error', 'one error may be misread: it holds nowhere else');
    await api.karl.send(`Read that: ${'other '.repeat(13_000)}`);
    await newConversation();
    await api.karl.send('hello');
    assert.deepEqual(shown(), [12_000, 'learned from an error']);
    await vscode.commands.executeCommand('karl.forgetWindow');
    assert.notEqual(shown()[1], 'learned from an error');
  });

  it('that was learned from one error also limits the summaries of its conversation', async () => {
    const window = 12_000;
    await use(await ProviderServer.start({ window, pages: models({ boastful: 64_000 }) }), 'boastful');
    const conversation = await openSample(api);
    // The sample alone is too large for it.
    await api.karl.send('hello');
    assert.equal(shown()[1], 'learned from an error');
    const asked = server.requests.length;
    // More than two windows by the server's count, and more by Karl's.
    const figures = (from: number) => Array.from({ length: 700 }, (_, index) => from + index).join(' ');
    for (let from = 100; from < 300; from += 5) {
      conversation.append([
        { role: 'user', content: `Which figures follow ${from}?` },
        { role: 'assistant', content: `These: ${figures(from)}` },
      ]);
    }
    await api.karl.compress('karl');
    const sizes = server.requests.slice(asked).map(({ body }) => countTokens(body));
    assert.ok(sizes.length > 0 && sizes.every((size) => size <= window), sizes.join());
  });

  it('of Ollama comes with a warning that it silently drops messages', async () => {
    const loaded = { '/api/ps': { models: [{ model: 'tiny:latest', name: 'tiny:latest', context_length: 6_000 }] } };
    await use(await ProviderServer.start({ pages: loaded }), 'tiny');
    await newConversation();
    await api.karl.send('hello');
    assert.deepEqual(shown(), [6_000, 'from the server']);
    const notice = api.viewState().notices.find(({ id }) => id === 'drops-oldest');
    assert.match(notice?.text ?? '', /drops the oldest messages.*6,000 tokens/);
  });
});
