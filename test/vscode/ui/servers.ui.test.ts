import assert from 'node:assert/strict';
import type { Frame, Page } from 'playwright-core';
import { ProviderServer } from '../../adapters/server/providerServer.ts';
import { errorReply, textReply } from '../../adapters/server/reply.ts';
import { type Editor, openEditor } from '../harness/editor.ts';
import { waitUntilActive } from '../harness/ready.ts';
import { enterText, findWebview, pick, runCommand, waitFor } from '../harness/workbench.ts';

const MODEL = 'loopback-model';
const KEY = 'the-right-key';
const PAGES = { '/v1/models': { object: 'list', data: [{ id: MODEL, object: 'model', owned_by: 'vllm' }] } };

/** Answers only to who has the key, as hosted providers do; the list of models is public. */
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
  let editor: Editor;
  let server: ProviderServer;
  let page: Page;

  beforeEach(async () => {
    editor = await openEditor({ extension: { kind: 'linked' } });
    page = await editor.openPage();
    await waitUntilActive(page);
    await runCommand(page, 'Karl: New Conversation');
  });

  afterEach(async () => {
    await editor.close();
    await server.close();
  });

  const openFrame = () => findWebview(page, 'karl-composer');
  const notice = (frame: Frame) => frame.locator('karl-notices .notice');
  const press = (frame: Frame, name: string) => frame.getByRole('button', { name, exact: true }).first().click();

  async function send(text: string): Promise<Frame> {
    const frame = await openFrame();
    await frame.locator('karl-composer textarea').fill(text);
    await frame.locator('karl-composer textarea').press('Enter');
    return frame;
  }

  async function selectOther(baseUrl: string): Promise<void> {
    await pick(page, 'Other server');
    await enterText(page, baseUrl);
  }

  it('has its key corrected beside the error, and the same turn goes on', async () => {
    server = await startGuarded();
    const frame = await send('What is left to do?');
    await selectOther(server.baseUrl);
    await pick(page, MODEL);
    await notice(frame).getByText('The server rejected the API key (401)').waitFor();
    await press(frame, 'Set API Key…');
    await enterText(page, 'another wrong key');
    await waitFor(
      async () => chats(server).length,
      (count) => count === 2,
    );
    await notice(frame).getByText('The server rejected the API key (401)').waitFor();
    await press(frame, 'Set API Key…');
    await page.keyboard.press('Escape');
    await press(frame, 'Set API Key…');
    await enterText(page, KEY);
    await frame.getByText('Understood.').first().waitFor();
    assert.equal(await notice(frame).count(), 0);
    const [first, , last] = chats(server);
    assert.deepEqual(last?.body.messages, first?.body.messages, 'the same turn, its message not sent twice');
  });

  it('has its address corrected beside the error, tested before it is used, and the same turn goes on', async () => {
    server = await ProviderServer.start({
      pages: { ...PAGES, '/models': PAGES['/v1/models'] },
      respond: ({ path }) => (path === '/v1/chat/completions' ? undefined : errorReply(404, '404 page not found')),
    });
    const frame = await send('What is left to do?');
    await selectOther(server.origin);
    await pick(page, MODEL);
    await notice(frame).getByText('The server has no chat completions at this address (404)').waitFor();
    await press(frame, 'Select Server…');
    await pick(page, 'Change the address');
    await enterText(page, 'http://127.0.0.1:9/v1');
    await page.getByText('http://127.0.0.1:9 does not answer').waitFor();
    await pick(page, 'Change the address');
    await enterText(page, server.baseUrl);
    await frame.getByText('Understood.').first().waitFor();
    assert.equal(await notice(frame).count(), 0);
    assert.equal(
      chats(server)
        .at(-1)
        ?.body.messages?.filter(({ role }) => role === 'user').length,
      1,
    );
  });

  it('that has no tools is asked without them, which is said once', async () => {
    server = await ProviderServer.start({
      pages: PAGES,
      respond: ({ body }) =>
        body.tools === undefined ? undefined : errorReply(400, { error: { message: 'it does not support tools' } }),
    });
    const frame = await send('Hello');
    await selectOther(server.baseUrl);
    await pick(page, MODEL);
    await notice(frame).getByText(`The server takes no tools for ${MODEL}`).waitFor();
    await frame.getByText('Understood.').first().waitFor();
    await press(frame, 'Dismiss');
    await send('And now?');
    await waitFor(
      async () => chats(server).length,
      (count) => count === 3,
    );
    await frame.getByText('Understood.').nth(1).waitFor();
    assert.equal(await notice(frame).count(), 0);
  });

  it('with a limit is asked again after the wait that it names, and Stop stops the queue too', async () => {
    const limit = errorReply(429, { error: { message: 'Too many requests' } }, { 'retry-after': '40' });
    let limited = true;
    server = await ProviderServer.start({ pages: PAGES, respond: () => (limited ? limit : textReply('Served.')) });
    const frame = await send('First');
    await selectOther(server.baseUrl);
    await pick(page, MODEL);
    await frame.getByText(/Retrying in \d\d s \(2 of 4\)/).waitFor();
    await send('Second');
    await frame.getByText('next', { exact: true }).waitFor();
    await frame.locator('karl-composer').getByRole('button', { name: 'Stop' }).click();
    await frame.getByText('1 message waits.').waitFor();
    assert.equal(chats(server).length, 1);
    limited = false;
    await press(frame, 'Send it');
    await frame.getByText('Served.').first().waitFor();
    assert.match(JSON.stringify(chats(server).at(-1)?.body.messages), /Second/);
  });

  it('is found on this machine when the user asks for it', async () => {
    server = await ProviderServer.start({ pages: PAGES, usualPort: true });
    const frame = await send('Hello');
    await pick(page, 'Find servers on this machine');
    await pick(page, server.baseUrl);
    await pick(page, MODEL);
    await frame.getByText('Understood.').first().waitFor();
    await frame.getByRole('button', { name: `Server ${server.origin}, select another` }).waitFor();
  });
});
