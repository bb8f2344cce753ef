import assert from 'node:assert/strict';
import fs from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { Page } from 'playwright-core';
import { ProviderServer } from '../../adapters/server/providerServer.ts';
import { callsReply } from '../../adapters/server/reply.ts';
import { copySampleWorkspace, type Editor, openEditor } from '../harness/editor.ts';
import { runCommand } from '../harness/quickInput.ts';
import { newConversation, openKarlView, openSample, waitUntilActive, waitUntilReady } from '../harness/ready.ts';
import { listExtensionHosts } from '../harness/server.ts';
import { press, until, waitFor } from '../harness/tries.ts';
import {
  closeNotifications,
  findWebview,
  openViewContainer,
  readNotifications,
  sendMessage,
  statusItem,
} from '../harness/workbench.ts';

const MODEL = 'loopback-model';

/** The file that the user's hook before a compression writes, in the folder of the window. */
const HOOK_RAN = 'hook-ran';

const chats = (server: ProviderServer) => server.requests.filter((request) => request.path === '/v1/chat/completions');

/** One editor with the trust of folders switched on, and a model in the user's settings. */
describe('windows of every kind', () => {
  let folder: string;
  let server: ProviderServer;
  let editor: Editor;

  before(async () => {
    folder = fs.mkdtempSync(path.join(tmpdir(), 'karl-windows-'));
    server = await ProviderServer.start({
      respond: ({ path: address, body }) => {
        if (address !== '/v1/chat/completions') return undefined;
        const asked = JSON.stringify(body.messages?.at(-1) ?? '');
        return asked.includes('list all') ? callsReply([{ name: 'list_files', arguments: { path: '.' } }]) : undefined;
      },
    });
    editor = await openEditor({
      extension: { kind: 'linked' },
      builtins: 'few',
      settings: {
        'security.workspace.trust.enabled': true,
        'security.workspace.trust.startupPrompt': 'never',
        'karl.baseUrl': server.baseUrl,
        'karl.model': MODEL,
        'karl.log.directory': '/proc/karl-logs',
      },
    });
    // The user's own settings on the machine where the hook runs.
    const machine = path.join(editor.server.folder, 'data/Machine/settings.json');
    fs.mkdirSync(path.dirname(machine), { recursive: true });
    fs.writeFileSync(machine, JSON.stringify({ 'karl.hooks.beforeCompact': `echo > ${HOOK_RAN}` }));
  });

  after(async () => {
    await editor.close();
    await server.close();
    fs.rmSync(folder, { recursive: true, force: true });
  });

  async function open(workspace?: string | null): Promise<Page> {
    const page = await editor.openPage(workspace === undefined ? {} : { workspace });
    await waitUntilActive(page);
    return page;
  }

  it('without a folder Karl works, with no tool but recall, and keeps the conversation', async () => {
    const page = await open(null);
    await newConversation(page);
    const frame = await findWebview(page, 'karl-app');
    const why = frame.getByText('No folder is open: Karl cannot read files.');
    await why.first().waitFor();
    await sendMessage(page, 'Hello from nowhere');
    await frame.getByText('Understood.').first().waitFor();
    const names = chats(server)
      .at(-1)
      ?.body.tools?.map((tool) => (tool as { function: { name: string } }).function.name);
    assert.deepEqual(names, ['karl_recall']);
    await runCommand(page, 'Karl: Show What Fills the Window');
    await frame.locator('karl-contents').getByText('No folder is open: Karl cannot read files.').waitFor();
    await page.reload();
    await waitUntilReady(page);
    const again = await openKarlView(page);
    await again.getByText('Hello from nowhere').first().waitFor();
    await page.close();
  });

  it('with several folders the tools see each of them by its name', async () => {
    for (const name of ['first', 'second']) {
      fs.mkdirSync(path.join(folder, name), { recursive: true });
      fs.writeFileSync(path.join(folder, name, `only-in-${name}.txt`), 'x');
    }
    const file = path.join(folder, 'two.code-workspace');
    fs.writeFileSync(file, JSON.stringify({ folders: [{ path: 'first' }, { path: 'second' }] }));
    const page = await open(file);
    await waitForFolders(page, ['first', 'second']);
    await trust(page);
    await newConversation(page);
    const before = chats(server).length;
    await sendMessage(page, 'list all');
    const answer = await waitFor(
      async () =>
        chats(server)
          .slice(before)
          .map(({ body }) => body.messages?.at(-1))
          .find((message) => message?.role === 'tool'),
      (message) => message !== undefined,
    );
    const result = JSON.stringify(answer);
    assert.match(result, /only-in-first/);
    assert.match(result, /only-in-second/);
    await page.close();
  });

  it('in an untrusted folder Karl compresses, but asks no model, runs no hook and says why', async () => {
    const workspace = copySampleWorkspace(fs.mkdtempSync(path.join(folder, 'untrusted-')));
    const hookRan = () => fs.existsSync(path.join(workspace, HOOK_RAN));
    const page = await open(workspace);
    await newConversation(page);
    // It is said before anything is asked.
    const off = (await findWebview(page, 'karl-app')).getByText('This folder is not trusted: Karl shows');
    await off.first().waitFor();
    await openSample(page);
    const before = chats(server).length;
    await sendMessage(page, 'Go on');
    await waitFor(
      () => readNotifications(page),
      (texts) => texts.some((text) => text.includes('This folder is not trusted')),
    );
    await closeNotifications(page);
    const frame = await openKarlView(page);
    const composer = frame.locator('karl-composer textarea');
    await waitFor(
      () => composer.inputValue(),
      (draft) => draft === 'Go on',
    );
    await runCommand(page, 'Karl: Compress Conversation');
    await frame.locator('karl-compression article').first().waitFor({ state: 'attached' });
    // The turn of an earlier window may still have been going on: those of this one would name the sample's client.
    const asked = chats(server).slice(before);
    assert.equal(asked.filter(({ body }) => JSON.stringify(body).includes('northwind')).length, 0);
    assert.equal(hookRan(), false);
    // The log of this editor cannot be written: one warning, and the compression went on.
    const warnings = (await readNotifications(page)).filter((text) => text.includes('cannot be written'));
    assert.equal(warnings.length, 1);
    // It was the trust alone that the hook lacked.
    await closeNotifications(page);
    await trust(page);
    await runCommand(page, 'Karl: Undo Last Compression');
    await statusItem(page, /Karl\s+9\d\s*%/)
      .first()
      .waitFor();
    await runCommand(page, 'Karl: Compress Conversation');
    await waitFor(async () => hookRan(), Boolean);
    await page.close();
  });

  it('a crash of the extension host loses nothing, and the conversation can be written again', async () => {
    const earlier = new Set(listExtensionHosts(editor.server.pid));
    const page = await open();
    await openSample(page);
    const frame = await openKarlView(page);
    await runCommand(page, 'Karl: Compress Conversation');
    await frame.locator('karl-compression article').first().waitFor({ state: 'attached' });
    await statusItem(page, /Karl\s+[1-5]\d\s*%/)
      .first()
      .waitFor();
    const [host, ...others] = listExtensionHosts(editor.server.pid).filter((pid) => !earlier.has(pid));
    assert.ok(host !== undefined && others.length === 0, 'a window has one extension host');
    process.kill(host, 'SIGKILL');
    await waitFor(
      async () => listExtensionHosts(editor.server.pid).filter((pid) => pid !== host && !earlier.has(pid)),
      (hosts) => hosts.length === 1,
    );
    await waitUntilReady(page);
    const again = await openKarlView(page);
    await again.locator('karl-compression article').first().waitFor({ state: 'attached' });
    await runCommand(page, 'Karl: Undo Last Compression');
    await statusItem(page, /Karl\s+9\d\s*%/)
      .first()
      .waitFor();
    await page.close();
  });
});

/**
 * Waits until VS Code itself shows the folders of a workspace file, which it then has told its extensions. VS Code 1.139
 * in a browser on a busy machine may open the file without its folders and stay so: it is loaded again then, as its user
 * would.
 */
async function waitForFolders(page: Page, names: readonly string[]): Promise<void> {
  const rows = page.locator('.explorer-folders-view .monaco-list-row');
  const areThere = async () => {
    const shown = await rows.allInnerTexts();
    return names.every((name) => shown.some((text) => text.includes(name)));
  };
  await openViewContainer(page, 'Explorer');
  await until(areThere, async () => {
    if (!(await page.getByText('You have not yet added a folder to the workspace').isVisible())) return;
    await page.reload();
    await waitUntilActive(page);
    await openViewContainer(page, 'Explorer');
  });
}

/** Trusts the workspace as its user would. */
async function trust(page: Page): Promise<void> {
  const editor = page.locator('.workspace-trust-editor');
  const button = editor.locator('.monaco-button', { hasText: /^Trust\b/ }).first();
  await until(button, () => runCommand(page, 'Workspaces: Manage Workspace Trust'));
  await press(button, editor.getByText(/^You trust this (folder|workspace)$/).first());
}
