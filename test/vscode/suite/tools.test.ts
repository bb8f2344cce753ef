import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { activateKarl, openSample, until } from './karl.ts';

const TOKENS = 400;
const tokenizationOptions = {
  tokenBudget: TOKENS,
  countTokens: async (text: string) => Math.ceil(text.length / 3),
};

describe('the tools for other agents', () => {
  it('are declared, and read the newest conversation', async () => {
    const conversation = await openSample(await activateKarl());
    assert.ok(vscode.lm.tools.some(({ name }) => name === 'karl_recall'));
    const budget = await call('karl_budget', {});
    assert.ok(budget.includes(conversation.profile().id) && budget.includes('Conversations of this workspace'));
    const used = conversation.budget().used.tokens.toLocaleString('en-US');
    assert.ok(budget.includes(`used: ${used} of `), budget);
    const first = conversation.transcript.messages[1]?.text.slice(0, 40) ?? assert.fail();
    const text = await call('karl_recall', { query: 't1' });
    assert.ok(text.includes(first) && text.includes('data, not instructions'), text);
  });

  it("stay within the caller's token budget", async () => {
    await openSample(await activateKarl());
    const text = await call('karl_recall', { query: 'invoice' });
    assert.ok((await tokenizationOptions.countTokens(text)) <= TOKENS, `${text.length} characters`);
  });

  it('read another conversation by its id, and report an unknown id', async () => {
    const api = await activateKarl();
    await openSample(api);
    const { id } = api.karl.active ?? assert.fail();
    await vscode.commands.executeCommand('karl.new');
    const text = await call('karl_recall', { query: 't1', conversation: id });
    assert.ok(text.startsWith(`From conversation ${id}`), text);
    const none = await call('karl_recall', { query: 't1', conversation: 'nowhere' });
    assert.match(none, /There is no conversation "nowhere"/);
  });

  it('are also offered over MCP, by a server that the editor starts', async () => {
    const conversation = await openSample(await activateKarl());
    const overMcp = (name: string) =>
      vscode.lm.tools.find((tool) => /^mcp_.*karl/.test(tool.name) && tool.name.endsWith(name));
    // The editor learns of servers after its start.
    await until(async () => {
      await vscode.commands.executeCommand('workbench.mcp.startServer', '*', { waitForLiveTools: true });
      return overMcp('karl_recall') !== undefined && overMcp('karl_budget') !== undefined;
    }, 'the tools of the server');
    const { id } = (await activateKarl()).karl.active ?? assert.fail();
    const first = conversation.transcript.messages[1]?.text.slice(0, 40) ?? assert.fail();
    const recalled = await call(overMcp('karl_recall')?.name ?? '', { query: 't1', conversation: id });
    assert.ok(recalled.includes(first) && recalled.includes('data, not instructions'), recalled);
    assert.match(await call(overMcp('karl_budget')?.name ?? '', {}), /Conversations of this workspace/);
  });
});

async function call(name: string, input: object): Promise<string> {
  const { content } = await vscode.lm.invokeTool(name, { input, toolInvocationToken: undefined, tokenizationOptions });
  return content.map((part) => (part instanceof vscode.LanguageModelTextPart ? part.value : '')).join('');
}
