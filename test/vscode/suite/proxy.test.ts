import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import * as vscode from 'vscode';
import { ProviderServer } from '../../adapters/server/providerServer.ts';
import { ACCEPT, activateKarl, restoreSettings, untilEnded, useServer } from './karl.ts';

/** No machine has this name: an answer came through the proxy. */
const HOST = 'model.invalid';

const setProxy = (address: string | undefined) =>
  vscode.workspace.getConfiguration('http').update('proxy', address, vscode.ConfigurationTarget.Global);

describe('the proxy of http.proxy', () => {
  afterEach(async () => {
    await setProxy(undefined);
    await restoreSettings();
  });

  async function send(baseUrl: string, text: string): Promise<string> {
    const api = await activateKarl();
    await useServer({ baseUrl }, 'some-model');
    await vscode.commands.executeCommand('karl.new');
    // Asked for a key for a server that is not on this machine, the user says that none is needed.
    await untilEnded(api.karl.send(text), ACCEPT);
    return JSON.stringify(api.viewState());
  }

  it('gets requests over http', async () => {
    const proxy = await ProviderServer.start();
    try {
      await setProxy(proxy.origin);
      const shown = await send(`http://${HOST}/v1`, 'hello through a proxy');
      const asked = proxy.requests.at(-1);
      assert.equal(asked?.path, `http://${HOST}/v1/chat/completions`, 'asked as a proxy is');
      assert.match(JSON.stringify(asked.body), /hello through a proxy/);
      assert.match(shown, /Understood\./);
    } finally {
      await proxy.close();
    }
  });

  it('is asked for a tunnel over https; a refusal fails the request', async () => {
    const tunnels: (string | undefined)[] = [];
    const proxy = createServer().on('connect', (request, socket) => {
      tunnels.push(request.url);
      socket.end('HTTP/1.1 403 Forbidden\r\n\r\n');
    });
    proxy.listen(0, '127.0.0.1');
    await once(proxy, 'listening');
    try {
      await setProxy(`http://127.0.0.1:${(proxy.address() as AddressInfo).port}`);
      const shown = await send(`https://${HOST}/v1`, 'hello');
      assert.deepEqual([...new Set(tunnels)], [`${HOST}:443`]);
      assert.match(shown, /does not allow this request \(403\)/, "the proxy's answer");
    } finally {
      proxy.close();
    }
  });
});
