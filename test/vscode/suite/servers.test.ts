import assert from 'node:assert/strict';
import { mkdir, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import * as vscode from 'vscode';
import { ProviderServer } from '../../adapters/server/providerServer.ts';
import { ACCEPT, activateKarl, LEAVE, restoreSettings, untilEnded, useServer, workspaceFolder } from './karl.ts';

/** What in a folder can name a server, how it does so, and how that is undone. */
const WAYS = {
  'the profile file': {
    name: async (folder: string, baseUrl: string) => {
      await mkdir(path.join(folder, '.karl'), { recursive: true });
      await writeFile(path.join(folder, '.karl/model-profiles.json'), JSON.stringify({ id: '*', baseUrl }));
    },
    takeBack: (folder: string) => rm(path.join(folder, '.karl/model-profiles.json')),
  },
  'the settings': {
    name: async (_folder: string, baseUrl: string) => await setForWorkspace(baseUrl),
    takeBack: async () => await setForWorkspace(undefined),
  },
};

async function setForWorkspace(baseUrl: string | undefined): Promise<void> {
  const configuration = vscode.workspace.getConfiguration('karl');
  await configuration.update('baseUrl', baseUrl, vscode.ConfigurationTarget.Workspace);
}

for (const [what, way] of Object.entries(WAYS))
  describe(`a server that ${what} of a folder names`, () => {
    let own: ProviderServer;
    let named: ProviderServer;

    beforeEach(async () => {
      own = await ProviderServer.start();
      named = await ProviderServer.start();
      await useServer(own, 'some-model');
      await way.name(workspaceFolder(), named.baseUrl);
    });

    afterEach(async () => {
      await way.takeBack(workspaceFolder());
      await vscode.commands.executeCommand('karl.forgetServers');
      await restoreSettings();
      await own.close();
      await named.close();
    });

    const send = async (text: string, answer: string) => untilEnded((await activateKarl()).karl.send(text), answer);

    it('gets nothing before the user has answered, or if the answer is no', async () => {
      const api = await activateKarl();
      await vscode.commands.executeCommand('karl.new');
      assert.equal(await send('not sent', LEAVE), false);
      assert.ok(!JSON.stringify(own.requests).includes('not sent'));
      // What is safe is the first choice.
      assert.equal(await send('secret', ACCEPT), true);
      assert.match(JSON.stringify(own.requests.at(-1)?.body), /secret/);
      assert.equal(await api.karl.send('again'), true, 'the answer is remembered');
      assert.equal(named.requests.length, 0, 'not even its window was asked for');
      assert.equal(api.viewState().conversation?.server, new URL(own.baseUrl).origin);
    });

    it('is used without a key if the user allowed it for the folder; the view shows where messages go', async () => {
      const api = await activateKarl();
      await vscode.commands.executeCommand('karl.new');
      const { origin } = new URL(named.baseUrl);
      await api.karl.decideServer({ folder: workspaceFolder(), origin, source: what }, true);
      assert.equal(await api.karl.send('hello'), true);
      assert.match(JSON.stringify(named.requests.at(-1)?.body), /hello/);
      assert.ok(named.requests.every(({ headers }) => headers.authorization === undefined));
      assert.equal(api.viewState().conversation?.server, origin);
      const asked = named.requests.length;
      await vscode.commands.executeCommand('karl.forgetServers');
      assert.equal(await send('not sent', LEAVE), false, 'it is asked about again');
      assert.equal(named.requests.length, asked);
      assert.equal(api.viewState().conversation?.server, new URL(own.baseUrl).origin);
    });
  });
