import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import type { KarlApi } from '../../../src/host/host.ts';
import { ProviderServer } from '../../adapters/server/providerServer.ts';
import { ACCEPT, activateKarl, restoreSettings, setSetting, until, untilEnded } from './karl.ts';

describe('a message that waits until a model is chosen', () => {
  let api: KarlApi;
  let server: ProviderServer;
  /** How often the server was asked for its models. */
  let lists: number;

  beforeEach(async () => {
    api = await activateKarl();
    lists = 0;
    server = await ProviderServer.start({
      pages: {
        get '/v1/models'() {
          lists += 1;
          return { object: 'list', data: [{ id: 'loopback-model' }] };
        },
      },
    });
    await setSetting('baseUrl', server.baseUrl);
    await vscode.commands.executeCommand('karl.new');
  });

  afterEach(async () => {
    // What was chosen in the dialog is the user's setting.
    await vscode.workspace.getConfiguration('karl').update('model', undefined, vscode.ConfigurationTarget.Global);
    await restoreSettings();
    await server.close();
  });

  const openId = () => api.viewState().conversation?.id;
  const chats = () => server.requests.filter(({ path }) => path.endsWith('/chat/completions'));

  /** Sends a message, does something while the dialog is open, and then takes the first model. */
  async function send(text: string, meanwhile: () => Promise<unknown>): Promise<boolean> {
    const before = lists;
    const sending = api.karl.send(text);
    await until(() => lists > before, 'the list for the dialog');
    await meanwhile();
    return await untilEnded(sending, ACCEPT);
  }

  it('goes to the conversation in which it was written', async () => {
    const own = openId();
    assert.equal(await send('Hello', async () => undefined), true);
    assert.equal(openId(), own);
    assert.match(JSON.stringify(chats().at(-1)?.body.messages), /Hello/);
  });

  it('is not sent if another conversation was opened meanwhile', async () => {
    const own = openId();
    const sent = await send('For the first one', () => vscode.commands.executeCommand('karl.new') as Promise<unknown>);
    assert.equal(sent, false);
    assert.notEqual(openId(), own);
    assert.deepEqual(chats(), []);
    assert.ok(api.conversation()?.transcript.messages.every(({ role }) => role !== 'user'));
    assert.equal(vscode.workspace.getConfiguration('karl').get('model'), 'loopback-model', 'the choice holds');
  });
});
