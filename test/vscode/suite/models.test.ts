import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { ProviderServer } from '../../adapters/server/providerServer.ts';
import { callsReply, errorReply, type ScriptedReply, textReply } from '../../adapters/server/reply.ts';
import { activateKarl, restoreSettings, setSetting, until } from './karl.ts';

const MODEL = 'chat-model';
const CHAT = '/v1/chat/completions';
const USER = vscode.LanguageModelChatMessage.User;
const ASSISTANT = vscode.LanguageModelChatMessage.Assistant;
/** A picture of one pixel: VS Code opens the images that it passes on. */
const PIXEL = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';
const TOOL = { name: 'look', description: 'Looks.', inputSchema: { type: 'object', properties: {} } };

describe("Karl's models for other extensions and VS Code's chat", () => {
  let server: ProviderServer;
  let model: vscode.LanguageModelChat;
  let replies: ScriptedReply[];

  beforeEach(async () => {
    const list = { object: 'list', data: [MODEL, 'another'].map((id) => ({ id, object: 'model' })) };
    replies = [];
    server = await ProviderServer.start({
      pages: { '/v1/models': list },
      // Karl asks the server for the model's window too.
      respond: ({ path }) => (path === CHAT ? replies.shift() : errorReply(404, 'no such path')),
    });
    await activateKarl();
    await setSetting('baseUrl', server.baseUrl);
    let models: readonly vscode.LanguageModelChat[] = [];
    await until(async () => {
      models = await vscode.lm.selectChatModels({ vendor: 'karl' });
      return models.some(({ id }) => id === MODEL);
    }, 'the list of models');
    assert.deepEqual(models.map(({ id }) => id).sort(), ['another', MODEL]);
    model = models.find(({ id }) => id === MODEL) ?? assert.fail();
  });

  afterEach(async () => {
    await restoreSettings();
    await server.close();
  });

  const chats = () => server.requests.filter(({ path }) => path === CHAT);

  it('state a limit far above their window, so that only Karl compresses', () => {
    assert.equal(model.maxInputTokens, 10_000_000);
    assert.equal(model.vendor, 'karl');
  });

  it('count with Karl’s tokenizer', async () => {
    await until(async () => (await model.countTokens('one two three four')) === 4, 'an exact count');
    assert.ok((await model.countTokens(USER('one two three four'))) > 4);
  });

  it('stream text and calls, and continue with the result of the tool', async () => {
    const call = callsReply([{ id: 'c1', name: 'look', arguments: { at: 'src' } }], { text: 'Let me look. ' });
    replies.push(call, textReply('It is there.'));
    const options = { tools: [TOOL], modelOptions: { temperature: 0.1, _own: 1 } };
    const first = await read(await model.sendRequest([USER('Where is it?')], options));
    assert.deepEqual(first, { text: 'Let me look. ', calls: [{ id: 'c1', name: 'look', input: { at: 'src' } }] });
    const result = new vscode.LanguageModelToolResultPart('c1', [new vscode.LanguageModelTextPart('src/a.ts')]);
    const said = new vscode.LanguageModelTextPart('Let me look. ');
    const made = new vscode.LanguageModelToolCallPart('c1', 'look', { at: 'src' });
    const history = [USER('Where is it?'), ASSISTANT([said, made]), USER([result])];
    assert.deepEqual(await read(await model.sendRequest(history, options)), { text: 'It is there.', calls: [] });
    const [asked, again] = chats();
    assert.equal(asked?.body.temperature, 0.1);
    assert.equal(asked?.body._own, undefined);
    const names = asked?.body.tools?.map((tool) => (tool as { function: { name: string } }).function.name);
    assert.deepEqual(names, ['look', 'karl_recall']);
    const roles = again?.body.messages?.map(({ role }) => role);
    assert.deepEqual(roles, ['user', 'assistant', 'tool']);
    assert.equal(again?.body.messages?.[2]?.content, 'src/a.ts');
  });

  it('get the images of the user and of tool results', async () => {
    replies.push(textReply('Two squares.'));
    // VS Code has it from 1.106 on; the declarations are those of the oldest that Karl supports.
    const { LanguageModelDataPart: Data } = vscode as unknown as {
      readonly LanguageModelDataPart: { image(data: Uint8Array, mime: string): vscode.LanguageModelTextPart };
    };
    const image = Data.image(Buffer.from(PIXEL, 'base64'), 'image/png');
    const history = [
      USER([new vscode.LanguageModelTextPart('Compare them.'), image]),
      ASSISTANT([new vscode.LanguageModelToolCallPart('c1', 'look', {})]),
      USER([new vscode.LanguageModelToolResultPart('c1', [image])]),
    ];
    assert.equal((await read(await model.sendRequest(history, { tools: [TOOL] }))).text, 'Two squares.');
    const sent = (chats()[0]?.body.messages ?? []).map(({ role, content }) => [role, content]);
    const part = { type: 'image_url', image_url: { url: `data:image/png;base64,${PIXEL}` } };
    assert.deepEqual(sent, [
      ['user', [{ type: 'text', text: 'Compare them.' }, part]],
      ['assistant', ''],
      ['tool', '[image]'],
      ['user', [{ type: 'text', text: 'Tool result: images' }, part]],
    ]);
  });

  it('must call a tool if the request demands it', async () => {
    const toolMode = vscode.LanguageModelChatToolMode.Required;
    await read(await model.sendRequest([USER('Go.')], { tools: [TOOL], toolMode }));
    assert.equal(chats()[0]?.body.tool_choice, 'required');
  });

  it('report an error with what to do next, without a stack', async () => {
    replies.push(errorReply(401, { error: { message: 'no such key' } }));
    await assert.rejects(
      async () => read(await model.sendRequest([USER('Hello?')])),
      (error: Error) => /API key \(401\).*karl\.baseUrl/s.test(error.message) && !/\n\s+at /.test(error.message),
    );
  });

  it('stop the request at the server when it is cancelled', async () => {
    replies.push({ neverAnswer: true, steps: [] });
    const source = new vscode.CancellationTokenSource();
    const asked = model.sendRequest([USER('Take your time.')], {}, source.token).then(read, () => undefined);
    await until(() => chats().length === 1, 'the request');
    source.cancel();
    await chats()[0]?.clientLeft;
    await asked;
  });
});

async function read(response: vscode.LanguageModelChatResponse) {
  const calls: { id: string; name: string; input: object }[] = [];
  let text = '';
  for await (const part of response.stream) {
    if (part instanceof vscode.LanguageModelTextPart) text += part.value;
    if (part instanceof vscode.LanguageModelToolCallPart)
      calls.push({ id: part.callId, name: part.name, input: part.input });
  }
  return { text, calls };
}
