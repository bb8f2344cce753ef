import assert from 'node:assert/strict';
import { ProviderServer } from '../../adapters/server/providerServer.ts';
import { enterText, pick, runCommand } from '../harness/quickInput.ts';
import { newConversation, waitUntilActive } from '../harness/ready.ts';
import { settingsOf, writeWhole } from '../harness/server.ts';
import { useSharedWindow } from '../harness/sharedEditor.ts';
import { expectNotification, findWebview, sendMessage } from '../harness/workbench.ts';

const MODEL = 'loopback-model';

describe('a base URL and a model', () => {
  let server: ProviderServer;

  before(async () => {
    server = await ProviderServer.start({ pages: { '/v1/models': { object: 'list', data: [{ id: MODEL }] } } });
  });

  after(() => server.close());

  it('that is wrong is refused by name, and not repeated, at each change', async () => {
    const page = await useSharedWindow();
    await waitUntilActive(page);
    for (const wrong of ['no url, but s3cret', 'http://me:s3cret@127.0.0.1/v1', 'https://host/v1?code=s3cret']) {
      writeWhole(settingsOf(page), JSON.stringify({ 'karl.baseUrl': wrong }));
      const texts = await expectNotification(page, 'karl.baseUrl is wrong');
      assert.match(texts.join(), /allowed: empty, a URL that begins with http.*"" stays in effect/);
      assert.doesNotMatch(texts.join(), /s3cret/);
      await runCommand(page, 'Notifications: Clear All Notifications');
    }
  });

  it('that the workspace sets take precedence over what is chosen in a dialog, and Karl says so', async () => {
    const page = await useSharedWindow({ 'karl.baseUrl': server.baseUrl, 'karl.model': 'theirs' });
    await runCommand(page, 'Karl: Select Model');
    await pick(page, 'Send the conversations of this folder');
    await pick(page, MODEL);
    await expectNotification(page, 'karl.model is also set for this workspace');
  });

  it('that is no URL is not taken by the dialog, which says what is allowed', async () => {
    const before = server.requests.length;
    const page = await useSharedWindow({ 'karl.model': MODEL });
    await newConversation(page);
    await sendMessage(page, 'Hello');
    await pick(page, 'Other server');
    for (const wrong of ['no url', 'ftp://127.0.0.1/v1', 'http://me:s3cret@127.0.0.1/v1', 'http://']) {
      await enterText(page, 'Base URL', wrong, 'Enter a URL that begins with');
    }
    assert.equal(server.requests.length, before);
    await enterText(page, 'Base URL', server.baseUrl);
    const frame = await findWebview(page, 'karl-app');
    await frame.getByText('Understood.').first().waitFor();
    assert.equal(server.requests.at(-1)?.path, '/v1/chat/completions');
  });
});
