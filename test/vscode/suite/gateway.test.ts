import assert from 'node:assert/strict';
import { once } from 'node:events';
import fs from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import OpenAI from 'openai';
import * as vscode from 'vscode';
import { EDITOR_MODELS } from '../../../src/core/model/providers.ts';
import { ProviderServer } from '../../adapters/server/providerServer.ts';
import { textReply } from '../../adapters/server/reply.ts';
import {
  activateKarl,
  copyClient,
  restoreSettings,
  SERVER,
  setSetting,
  showView,
  until,
  useServer,
  workspaceFolder,
} from './karl.ts';

const HELLO = [{ role: 'user' as const, content: 'hello from another agent' }];

/** A program that asks the gateway once, as an agent that it stands for is told to, and writes down what it was given. */
const agentThatSays = (file: string) => `#!${process.execPath}
const { OPENAI_BASE_URL, OPENAI_API_KEY, OPENAI_MODEL, QWEN_CODE_SYSTEM_SETTINGS_PATH: settings } = process.env;
const fs = require('node:fs');
const body = JSON.stringify({ model: OPENAI_MODEL, messages: [{ role: 'user', content: 'Hello.' }] });
const headers = { authorization: 'Bearer ' + OPENAI_API_KEY, 'content-type': 'application/json' };
fetch(OPENAI_BASE_URL + '/chat/completions', { method: 'POST', headers, body })
  .then((response) => response.json())
  .then(({ choices }) => {
    const given = { answer: choices[0].message.content, cwd: process.cwd(), settings };
    fs.writeFileSync('${file}.tmp', JSON.stringify(given));
    fs.renameSync('${file}.tmp', '${file}');
  });
setInterval(() => undefined, 1000);
`;

describe('the gateway of a window', () => {
  let server: ProviderServer;

  beforeEach(async () => {
    await activateKarl();
    server = await ProviderServer.start();
    await useServer(server, 'scripted');
    await setSetting('gateway.port', 0);
  });

  after(() => restoreSettings());
  afterEach(async () => {
    await vscode.commands.executeCommand('karl.stopGateway');
    await restoreSettings(SERVER);
    await server.close();
  });

  it('serves every client with its address and token, which stay the same', async () => {
    server.enqueue(textReply('Hello back.'), textReply('Again.'));
    await vscode.commands.executeCommand('karl.startGateway');
    const client = await copyClient();
    const answer = await client.chat.completions.stream({ model: 'scripted', messages: HELLO }).finalContent();
    assert.equal(answer, 'Hello back.');
    const asked = server.requests.filter(({ path }) => path === '/v1/chat/completions');
    assert.deepEqual(asked[0]?.body.messages, HELLO);
    await vscode.commands.executeCommand('karl.stopGateway');
    await assert.rejects(
      client.chat.completions.create({ model: 'scripted', messages: HELLO }),
      OpenAI.APIConnectionError,
    );
    const other = await copyClient();
    assert.equal(other.apiKey, client.apiKey);
    const { choices } = await other.chat.completions.create({ model: 'scripted', messages: HELLO });
    assert.equal(choices[0]?.message.content, 'Again.');
  });

  it('serves an agent in a terminal, whose own settings do not change', async function () {
    // A shebang is what starts the agent.
    if (process.platform === 'win32') return this.skip();
    const folder = fs.mkdtempSync(path.join(tmpdir(), 'karl-agent-test-'));
    const said = path.join(folder, 'said.json');
    const { PATH } = process.env;
    process.env.PATH = `${folder}:${PATH}`;
    try {
      fs.writeFileSync(path.join(folder, 'qwen'), agentThatSays(said), { mode: 0o700 });
      server.enqueue(textReply('Hello, agent.'));
      await vscode.commands.executeCommand('karl.openAgentTerminal', 'qwen');
      await until(() => fs.existsSync(said), 'what the agent says');
      const given = JSON.parse(fs.readFileSync(said, 'utf8')) as Record<string, string>;
      assert.equal(given.answer, 'Hello, agent.');
      assert.equal(given.cwd, workspaceFolder());
      const terminal =
        vscode.window.terminals.find(({ name }) => name === 'Qwen Code under Karl') ?? assert.fail('no terminal');
      assert.ok(fs.existsSync(given.settings ?? ''));
      terminal.dispose();
      await until(() => !fs.existsSync(given.settings ?? ''), 'the end of its files');
    } finally {
      process.env.PATH = PATH;
      fs.rmSync(folder, { recursive: true });
    }
  });

  it('keeps conversations only in memory if the setting says so, separate from stored ones', async () => {
    server.enqueue(...Array.from({ length: 4 }, () => textReply('Hello back.')));
    await vscode.commands.executeCommand('karl.startGateway');
    const client = await copyClient();
    const threadWith = async (isStored: boolean) => {
      await setSetting('storage.otherAgents', isStored);
      const messages = [{ role: 'user' as const, content: 'Where am I kept?' }];
      const { response } = await client.chat.completions.create({ model: 'scripted', messages }).withResponse();
      return /thread=(\w+)/.exec(response.headers.get('x-karl') ?? '')?.[1] ?? assert.fail();
    };
    const stored = await threadWith(true);
    const unstored = await threadWith(false);
    assert.notEqual(unstored, stored);
    assert.deepEqual([await threadWith(false), await threadWith(true)], [unstored, stored]);
  });

  it('reports in the visible view that it runs, what was copied, and that it was stopped', async () => {
    const api = await activateKarl();
    await showView(api);
    const told = () => api.viewState().notices.find(({ id }) => id === 'told');
    await vscode.commands.executeCommand('karl.startGateway');
    assert.match(told()?.text ?? '', /gateway is at http/);
    const labels = told()?.actions.map(({ label }) => label);
    assert.deepEqual(labels, ['Copy Settings for an Agent…']);
    await copyClient();
    assert.match(told()?.text ?? '', /^Copied for Another agent or program\./);
    await vscode.commands.executeCommand('karl.stopGateway');
    assert.equal(told()?.text, 'Karl: the gateway was stopped.');
  });

  it('starts and stops with its setting', async () => {
    const taken = createServer().listen(0, '127.0.0.1');
    await once(taken, 'listening');
    const { port } = taken.address() as { port: number };
    taken.close();
    await once(taken, 'close');
    const answers = () =>
      fetch(`http://127.0.0.1:${port}/v1/models`).then(
        ({ status }) => status === 401,
        () => false,
      );
    await setSetting('gateway.port', port);
    assert.equal(await answers(), false);
    await setSetting('gateway.enabled', true);
    await until(answers, 'the gateway to listen');
    await setSetting('baseUrl', EDITOR_MODELS);
    await until(async () => !(await answers()), 'the gateway to stop, for no other program may use these models');
    await setSetting('baseUrl', server.baseUrl);
    await until(answers, 'the gateway to listen again');
    await setSetting('gateway.port', 0);
    await until(async () => !(await answers()), 'the gateway to move to another port');
    await setSetting('gateway.port', port);
    await until(answers, 'the gateway to move back');
    await setSetting('gateway.enabled', false);
    await until(async () => !(await answers()), 'the gateway to stop');
  });
});
