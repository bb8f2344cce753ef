import assert from 'node:assert/strict';
import fs from 'node:fs';
import path from 'node:path';
import type { Page } from 'playwright-core';
import { ProviderServer, type RecordedRequest } from '../../adapters/server/providerServer.ts';
import { callsReply, type ScriptedReply, textReply } from '../../adapters/server/reply.ts';
import { focusChat, openChat, sendInChat, waitForAnswer } from '../harness/chat.ts';
import { copySampleWorkspace, type Editor, openEditor } from '../harness/editor.ts';
import { enterText, quickInput, runCommand } from '../harness/quickInput.ts';
import { waitUntilActive } from '../harness/ready.ts';
import { press, TRY_TIMEOUT, until } from '../harness/tries.ts';
import { copyImage } from '../harness/workbench.ts';

const MODEL = 'loopback-model';
const KEY = 'sk-typed-into-the-dialog';

describe("Karl's models in VS Code's own dialog and its other modes", () => {
  let server: ProviderServer;
  let editor: Editor;
  let workspace: string;

  before(async () => {
    const list = { object: 'list', data: [{ id: MODEL, object: 'model', max_model_len: 40_000 }] };
    server = await ProviderServer.start({ pages: { '/v1/models': list }, respond: play });
    editor = await openEditor({
      extension: { kind: 'linked' },
      chat: [],
      settings: { 'workbench.colorTheme': 'Dark Modern', 'chat.byokUtilityModelDefault': 'mainAgent' },
    });
    workspace = copySampleWorkspace(path.join(editor.server.folder, 'workspaces/modes'));
  });

  after(async () => {
    await editor.close();
    await server.close();
  });

  /** Requests of the chat; VS Code also asks for titles, without tools. */
  const asked = () => server.requests.filter(({ body }) => (body.tools?.length ?? 0) > 0);

  /** Reads a file, then answers. */
  function play({ body }: RecordedRequest): ScriptedReply | undefined {
    if ((body.tools?.length ?? 0) === 0) return undefined;
    if (body.messages?.at(-1)?.role === 'tool') return textReply('It is about shipping.');
    const args = { filePath: path.join(workspace, 'README.md'), startLine: 1, endLine: 10 };
    return callsReply([{ id: 'call_read', name: 'read_file', arguments: args }]);
  }

  it('are added with address and key, which is a secret, and answer in Ask mode with tools and an image', async () => {
    const page = await editor.openPage({ workspace, size: { width: 1400, height: 900 } });
    await waitUntilActive(page);
    await addModels(page, server.baseUrl);
    await page.locator('.models-table-container .monaco-list-row', { hasText: MODEL }).waitFor();
    const groups = fs.readFileSync(path.join(editor.server.folder, 'data/User/chatLanguageModels.json'), 'utf8');
    assert.ok(groups.includes(server.baseUrl) && !groups.includes(KEY), groups);
    await page.keyboard.press('Escape');

    await openChat(page, MODEL);
    const mode = page.locator('.interactive-session .chat-input-toolbars .action-item');
    const ask = page.locator('.action-widget .monaco-list-row', { hasText: /^Ask/ });
    // Modes come some time after the chat; a list that is open does not change.
    await until(ask, async () => {
      await page.keyboard.press('Escape');
      await mode.filter({ hasText: /^Agent$/ }).click({ timeout: TRY_TIMEOUT });
    });
    const modes = await page.locator('.action-widget .monaco-list-row').allInnerTexts();
    assert.ok(!modes.some((name) => name.startsWith('Edit')), 'README and ARCHITECTURE say that there is no Edit mode');
    await press(ask, mode.filter({ hasText: /^Ask$/ }));
    await pasteImage(page);
    await sendInChat(page, MODEL, 'What is in this picture, and what is README.md about?', () => asked().length > 0);
    await waitForAnswer(page, 'It is about shipping.');
    const [first, second] = asked();
    assert.equal(first?.headers.authorization, `Bearer ${KEY}`);
    assert.match(JSON.stringify(first.body.messages), /"url":"data:image\/png;base64,/);
    assert.match(JSON.stringify(second?.body.messages?.at(-1)), /shipping/i);
    const tools = JSON.stringify(second?.body.tools);
    assert.ok(tools.includes('"read_file"') && !tools.includes('"create_file"'), 'Ask mode changes nothing');
    await page.close();
  });
});

/** Goes through "Add Models" of VS Code's dialog. */
async function addModels(page: Page, url: string): Promise<void> {
  const add = page.getByRole('button', { name: 'Add Models' });
  await until(add, () => runCommand(page, 'Chat: Manage Language Models'));
  const vendor = page.locator('.action-widget .monaco-list-row, .monaco-menu .action-item', { hasText: /^Karl$/ });
  await press(add, vendor.first());
  await press(vendor.first(), quickInput(page, 'Group Name'));
  await enterText(page, 'Group Name', 'Loopback');
  await enterText(page, 'Loopback: Server URL', url);
  await enterText(page, 'Loopback: API key', KEY);
}

/** A picture from the clipboard. */
async function pasteImage(page: Page): Promise<void> {
  await copyImage(page);
  await until(page.locator('.interactive-session .chat-attached-context-attachment').first(), async () => {
    await focusChat(page);
    await page.keyboard.press('Control+V');
  });
}
