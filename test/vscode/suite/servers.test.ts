import assert from 'node:assert/strict';
import { mkdir, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import * as vscode from 'vscode';
import { ProviderServer } from '../../adapters/server/providerServer.ts';
import { activateKarl, restoreSettings, setSetting, until } from './karl.ts';

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
    const folder = () => vscode.workspace.workspaceFolders?.[0]?.uri.fsPath ?? assert.fail('no folder is open');

    beforeEach(async () => {
      own = await ProviderServer.start();
      named = await ProviderServer.start();
      await setSetting('baseUrl', own.baseUrl);
      await setSetting('model', 'some-model');
      await way.name(folder(), named.baseUrl);
    });

    afterEach(async () => {
      await way.takeBack(folder());
      await vscode.commands.executeCommand('karl.forgetServers');
      await restoreSettings();
      await own.close();
      await named.close();
    });

    /** Sends a message; `answer` is done again and again while the dialog may be open. */
    async function send(text: string, answer: string): Promise<boolean> {
      const api = await activateKarl();
      let sent: boolean | undefined;
      const sending = api.karl.send(text).then((was) => {
        sent = was;
      });
      await until(async () => {
        await vscode.commands.executeCommand(answer);
        return sent !== undefined;
      }, 'the end of the turn');
      await sending;
      return sent === true;
    }

    it('gets nothing while the user has not answered, and nothing when the answer is no', async () => {
      const api = await activateKarl();
      await vscode.commands.executeCommand('karl.new');
      assert.equal(await send('not sent', 'workbench.action.closeQuickOpen'), false);
      assert.ok(!JSON.stringify(own.requests).includes('not sent'));
      // What is safe is the first choice.
      assert.equal(await send('secret', 'workbench.action.acceptSelectedQuickOpenItem'), true);
      assert.match(JSON.stringify(own.requests.at(-1)?.body), /secret/);
      assert.equal(await api.karl.send('again'), true, 'the answer is remembered');
      assert.equal(named.requests.length, 0, 'not even its window was asked for');
      assert.equal(api.viewState().conversation?.server, new URL(own.baseUrl).origin);
    });

    it('is used, without a key, when that was allowed for the folder; the view shows where messages go', async () => {
      const api = await activateKarl();
      await vscode.commands.executeCommand('karl.new');
      const { origin } = new URL(named.baseUrl);
      await api.karl.decideServer({ folder: folder(), origin, source: what }, true);
      assert.equal(await api.karl.send('hello'), true);
      assert.match(JSON.stringify(named.requests.at(-1)?.body), /hello/);
      assert.ok(named.requests.every(({ headers }) => headers.authorization === undefined));
      assert.equal(api.viewState().conversation?.server, origin);
      const asked = named.requests.length;
      await vscode.commands.executeCommand('karl.forgetServers');
      assert.equal(await send('not sent', 'workbench.action.closeQuickOpen'), false, 'it is asked about again');
      assert.equal(named.requests.length, asked);
      assert.equal(api.viewState().conversation?.server, new URL(own.baseUrl).origin);
    });
  });

describe('a dialog that is open', () => {
  afterEach(restoreSettings);

  it('stays when it is asked for again: what was typed into it is not lost', async () => {
    await activateKarl();
    await setSetting('baseUrl', 'https://models.test/v1');
    let isLeft = false;
    const first = Promise.resolve(vscode.commands.executeCommand('karl.setApiKey')).then(() => {
      isLeft = true;
    });
    await vscode.commands.executeCommand('karl.setApiKey');
    assert.equal(isLeft, false);
    await until(async () => {
      await vscode.commands.executeCommand('workbench.action.closeQuickOpen');
      return isLeft;
    }, 'the end of the dialog');
    await first;
  });
});
