import assert from 'node:assert/strict';
import type { Frame, Page } from 'playwright-core';
import { ProviderServer } from '../../adapters/server/providerServer.ts';
import { errorReply } from '../../adapters/server/reply.ts';
import { enterText, leaveQuickInput, pick, quickInput, runCommand } from '../harness/quickInput.ts';
import { newConversation } from '../harness/ready.ts';
import { settingsOf, writeWhole } from '../harness/server.ts';
import { useSharedWindow } from '../harness/sharedEditor.ts';
import { takePicture } from '../harness/takePicture.ts';
import { expectCount, expectValue, press, waitFor } from '../harness/tries.ts';
import { expectNotification, findWebview, sendMessage } from '../harness/workbench.ts';

const MODEL = 'loopback-model';
const KEY = 'the-right-key';
const PAGES = { '/v1/models': { object: 'list', data: [{ id: MODEL, object: 'model', owned_by: 'vllm' }] } };

/** Answers only those who have the key, as hosted providers do; the list of models is public. */
const startGuarded = () =>
  ProviderServer.start({
    pages: PAGES,
    respond: ({ headers }) =>
      headers.authorization === `Bearer ${KEY}`
        ? undefined
        : errorReply(401, { error: { message: 'Incorrect API key provided.' } }),
  });

/** What the model was asked in turns. */
const chats = (server: ProviderServer) => server.requests.filter(({ path }) => path.endsWith('/chat/completions'));

describe('a server that does not answer as it should', () => {
  let server: ProviderServer;
  let page: Page;

  afterEach(() => server.close());

  const notice = (frame: Frame) => frame.locator('karl-notices .notice');
  const button = (frame: Frame, name: string | RegExp) => frame.getByRole('button', { name, exact: true }).first();

  /** Begins a conversation, and sends a first message, as a user who has chosen nothing yet. */
  async function open(text?: string): Promise<Frame> {
    page = await useSharedWindow();
    await newConversation(page);
    if (text !== undefined) await sendMessage(page, text);
    return await findWebview(page, 'karl-composer');
  }

  async function selectOther(baseUrl: string): Promise<void> {
    await pick(page, 'Other server');
    await enterText(page, 'Base URL', baseUrl);
  }

  it('has its key corrected beside the error, and the same turn goes on', async () => {
    server = await startGuarded();
    const frame = await open('What is left to do?');
    const asked = frame.locator('karl-message', { hasText: 'What is left to do?' });
    const waits = asked.locator('.mark', { hasText: 'waiting' });
    const writing = frame.locator('karl-composer textarea:focus');
    await waits.waitFor();
    await sendMessage(page, 'Then go on.');
    await expectCount(frame.locator('karl-message .mark', { hasText: 'waiting' }), 2);
    await takePicture(page, 'two-wait');
    // Leaving the dialog gives the messages back to who wrote them.
    await leaveQuickInput(page, 'Which server runs the model');
    await writing.waitFor();
    await expectValue(() => writing.inputValue(), 'What is left to do?\nThen go on.', 'the box has');
    await expectCount(waits, 0);
    await sendMessage(page, 'What is left to do?');
    await waits.waitFor();
    await selectOther(server.baseUrl);
    await pick(page, MODEL);
    const isRejected = notice(frame).getByText('The server rejected the API key (401)');
    const setKey = button(frame, 'Set API Key…');
    const box = quickInput(page, 'API key for');
    await isRejected.waitFor();
    await expectCount(waits, 0);
    await writing.waitFor();
    await press(setKey, box);
    await enterText(page, 'API key for', 'another wrong key');
    await expectValue(async () => chats(server).length, 2);
    await isRejected.waitFor();
    await press(setKey, box);
    await leaveQuickInput(page, 'API key for');
    // VS Code would give the focus to an editor.
    await waitFor(() => frame.evaluate(() => document.hasFocus()), Boolean, { what: 'that the view has the focus is' });
    await press(setKey, box);
    await enterText(page, 'API key for', KEY);
    await frame.getByText('Understood.').first().waitFor();
    await writing.waitFor();
    await expectCount(notice(frame), 0);
    const [first, , last] = chats(server);
    assert.deepEqual(last?.body.messages, first?.body.messages, 'the same turn, its message not sent twice');
  });

  it('is asked at the usual path when its address has none; what is no address is not taken', async () => {
    const model = 'loopback-$(sync)-model';
    const pages: Record<string, unknown> = { '/v1/models': { object: 'list', data: [{ id: model }] } };
    server = await ProviderServer.start({ pages });
    const frame = await open();
    await press(button(frame, 'Compress'), notice(frame).getByText('The conversation has no messages yet.'));
    assert.equal(await notice(frame).getByRole('button', { name: 'Other Strategy…' }).count(), 0);
    // What was said before goes when the turn begins.
    await sendMessage(page, 'Hello');
    await pick(page, 'Other server');
    for (const wrong of [new URL(server.origin).host, 'ftp://127.0.0.1/v1', 'http://me:s3cret@127.0.0.1/v1', 'http://'])
      await enterText(page, 'Base URL', wrong, 'Enter a URL that begins with http:// or https://');
    assert.equal(server.requests.length, 0);
    await enterText(page, 'Base URL', server.origin);
    const usual = quickInput(page).locator('.monaco-list-row', { hasText: `Try ${server.baseUrl}` });
    await quickInput(page, 'answered with status 404').waitFor();
    await usual.waitFor();
    await pick(page, 'Change the address');
    await enterText(page, 'Base URL', 'http://127.0.0.1:9/v1');
    await quickInput(page, 'http://127.0.0.1:9 does not answer').waitFor();
    pages['/models'] = { error: 'Unexpected endpoint or method. (GET /models)' };
    await pick(page, 'Change the address');
    await enterText(page, 'Base URL', server.origin);
    await quickInput(page, 'answered, but not with a list of models').waitFor();
    await pick(page, `Try ${server.baseUrl}`);
    await pick(page, 'loopback-$\u200b(sync)-model');
    await frame.getByText('Understood.').first().waitFor();
    await expectCount(notice(frame), 0);
  });

  it('is asked for a model by name where it lists none that can chat; without any list the one in use stays', async () => {
    const pages: Record<string, unknown> = { '/v1/models': { object: 'list', data: [] } };
    server = await ProviderServer.start({ pages });
    const frame = await open('Hello');
    await selectOther(server.baseUrl);
    await enterText(page, 'Name of the model', MODEL);
    await frame.getByText('Understood.').first().waitFor();
    // Another name of the same server.
    const again = server.baseUrl.replace('127.0.0.1', 'localhost');
    await runCommand(page, 'Karl: Select Server');
    await selectOther(again);
    await frame.getByRole('button', { name: `Server ${new URL(again).origin}, select another` }).waitFor();
    pages['/v1/models'] = { object: 'list', data: [{ id: 'embed', type: 'embedding' }] };
    await runCommand(page, 'Karl: Select Server');
    await selectOther(server.baseUrl);
    await enterText(page, 'Name of the model', 'loopback-other');
    await frame.getByText('loopback-other').first().waitFor();
  });

  it('is chosen together with its model: leaving the dialog keeps the server and the model in use', async () => {
    server = await ProviderServer.start({ pages: PAGES });
    const other = await ProviderServer.start({
      pages: { '/v1/models': { object: 'list', data: [{ id: 'another' }] } },
    });
    try {
      const frame = await open('Hello');
      await selectOther(server.baseUrl);
      await pick(page, MODEL);
      await frame.getByText('Understood.').first().waitFor();
      await runCommand(page, 'Karl: Select Server');
      await selectOther(other.baseUrl);
      await leaveQuickInput(page, 'Which model');
      await runCommand(page, 'Karl: Select Server');
      await selectOther('http://127.0.0.1:9/v1');
      await pick(page, 'Use it anyway');
      const name = quickInput(page, 'Name of the model').locator('input');
      await expectValue(() => name.inputValue(), MODEL, 'the proposed name is');
      await leaveQuickInput(page, 'Name of the model');
      await sendMessage(page, 'And now?');
      await waitFor(
        async () => [chats(server).length, chats(other).length],
        ([own, others]) => own === 2 && others === 0,
        { what: 'the messages that each server got are' },
      );
      await runCommand(page, 'Karl: Select Server');
      await selectOther(other.baseUrl);
      await pick(page, 'another');
      await frame.getByRole('button', { name: `Server ${other.origin}, select another` }).waitFor();
    } finally {
      await other.close();
    }
  });

  it('is found on this machine when the user asks for it', async () => {
    const list = (...ids: readonly string[]) => ({ object: 'list', data: ids.map((id) => ({ id })) });
    const pages = { '/v1/models': list('first', 'second$(sync)', 'third') };
    server = await ProviderServer.start({ pages, usualPort: true });
    const frame = await open('Hello');
    await pick(page, 'Find servers on this machine');
    await pick(page, `${server.baseUrl} · 3 models: first, second$\u200b(sync), third`);
    await pick(page, 'third');
    await frame.getByText('Understood.').first().waitFor();
    await frame.getByRole('button', { name: `Server ${server.origin}, select another` }).waitFor();
    pages['/v1/models'] = list('first', 'second$(sync)');
    await runCommand(page, 'Karl: Select Server');
    await pick(page, `LM Studio${server.baseUrl}`);
    await pick(page, 'second');
    await sendMessage(page, 'And now?');
    await expectValue(async () => chats(server).length, 2);
    const models = chats(server).map(({ body }) => body.model);
    assert.deepEqual(models, ['third', 'second$(sync)']);
  });

  it('that the workspace sets takes precedence over a dialog, which Karl says; a wrong one is refused at each change', async () => {
    server = await ProviderServer.start({ pages: PAGES });
    page = await useSharedWindow({ 'karl.baseUrl': server.baseUrl, 'karl.model': 'theirs' });
    await runCommand(page, 'Karl: Select Model');
    await pick(page, 'Send the conversations of this folder');
    await pick(page, MODEL);
    await expectNotification(page, 'karl.model is also set for this workspace');
    for (const wrong of ['no url, but s3cret', 'http://me:s3cret@127.0.0.1/v1', 'https://host/v1?code=s3cret']) {
      await runCommand(page, 'Notifications: Clear All Notifications');
      writeWhole(settingsOf(page), JSON.stringify({ 'karl.baseUrl': wrong }));
      const texts = await expectNotification(page, 'karl.baseUrl is invalid');
      assert.match(texts.join(), /allowed: empty, a URL that begins with http.* stays in effect/);
      assert.doesNotMatch(texts.join(), /s3cret/);
    }
  });
});
