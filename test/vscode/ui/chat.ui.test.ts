import assert from 'node:assert/strict';
import fs from 'node:fs';
import path from 'node:path';
import type { Page } from 'playwright-core';
import { countTokens, ProviderServer, type RecordedRequest } from '../../adapters/server/providerServer.ts';
import { callsReply, type ScriptedReply, textReply } from '../../adapters/server/reply.ts';
import {
  allow,
  chooseModel,
  focusChat,
  openChat,
  readContextRing,
  readPicker,
  sendInChat,
  waitForAnswer,
} from '../harness/chat.ts';
import { copySampleWorkspace, type Editor, openEditor } from '../harness/editor.ts';
import { enterText, pick, quickInput, runCommand } from '../harness/quickInput.ts';
import { waitUntilActive } from '../harness/ready.ts';
import { press, pressAway, readText, TRY_TIMEOUT, until, waitFor } from '../harness/tries.ts';
import { copyImage, findWebview, statusItem } from '../harness/workbench.ts';

const MODEL = 'loopback-model';
const GROUP = 'Loopback';

/** Tokens. VS Code's own tools take about 14,000 of them. */
const WINDOW = 40_000;
/** What Karl keeps free for the reply, an eighth. */
const RESERVE = 5_000;
const FILES = 9;
/** Lines of 40 characters: 14,000 tokens a file. */
const LINES = 1400;
/** Ends what hangs, milliseconds. */
const ANSWER_TIMEOUT = 120_000;

/** Of the group that is made in VS Code's dialog. */
const KEYED = 'keyed-model';
const KEY = 'sk-typed-into-the-dialog';

const listing = (id: string, window: number) => ({
  '/v1/models': { object: 'list', data: [{ id, object: 'model', max_model_len: window }] },
});

describe("Karl's models in VS Code's own chat, without an account", () => {
  let server: ProviderServer;
  let guarded: ProviderServer;
  let editor: Editor;
  let workspace: string;
  let page: Page;
  let script: Iterator<ScriptedReply>;

  before(async () => {
    server = await ProviderServer.start({ window: WINDOW, pages: listing(MODEL, WINDOW), respond: play });
    guarded = await ProviderServer.start({ pages: listing(KEYED, WINDOW), respond: readAndAnswer });
    editor = await openEditor({
      extension: { kind: 'linked' },
      // A group without an address is for the server of Karl's settings.
      chat: [{ name: GROUP, vendor: 'karl' }],
      settings: {
        'karl.baseUrl': server.baseUrl,
        'workbench.colorTheme': 'Dark Modern',
        'chat.tools.global.autoApprove': true,
        'chat.tools.terminal.autoApprove': { '/.*/': true },
        'chat.byokUtilityModelDefault': 'mainAgent',
      },
    });
    workspace = copySampleWorkspace(path.join(editor.server.folder, 'workspaces/chat'));
    for (let index = 0; index < FILES; index += 1) {
      fs.writeFileSync(path.join(workspace, `notes${index}.txt`), notes(index));
    }
    page = await editor.openPage({ workspace, size: { width: 1400, height: 900 } });
    await waitUntilActive(page);
  });

  after(async () => {
    await editor.close();
    await Promise.all([server.close(), guarded.close()]);
  });

  /** Every request that is the agent's; VS Code also asks for titles and the like, without tools. */
  const turns = () => server.requests.filter(({ body }) => (body.tools?.length ?? 0) > 3);

  function play({ body }: RecordedRequest): ScriptedReply | undefined {
    if ((body.tools?.length ?? 0) <= 3) return undefined;
    const next = script.next();
    const usage = { prompt_tokens: countTokens(body), completion_tokens: 20, total_tokens: countTokens(body) + 20 };
    return next.done === true ? textReply('All is done.', { usage }) : next.value;
  }

  it('run a task of the agent mode through three windows: files are changed, nothing overflows, the status bar follows', async () => {
    script = longTask(workspace);
    await openChat(page, MODEL);
    // The group and the settings name one server: until Karl knows of the group, its models are those of the settings.
    await waitFor(
      () => readPicker(page, MODEL),
      ([label, ...others]) => label?.startsWith(`${MODEL}, ${GROUP}`) === true && others.length === 0,
      { what: 'the models in the picker are' },
    );
    await chooseModel(page, MODEL);
    await sendInChat(page, MODEL, 'Read all notes, then fix the greeting.', () => turns().length > 0);
    await allow(page, ANSWER_TIMEOUT);
    await waitForAnswer(page, 'All is done.', ANSWER_TIMEOUT);
    assert.equal(fs.readFileSync(path.join(workspace, 'greeting.txt'), 'utf8'), 'Hello, world\n');
    assert.equal(fs.readFileSync(path.join(workspace, 'told.txt'), 'utf8').trim(), 'told');
    const sizes = turns().map(({ body }) => countTokens(body));
    assert.ok((FILES * LINES * 40) / 4 > 3 * WINDOW);
    assert.ok(Math.max(...sizes) <= WINDOW - RESERVE, `a request had ${Math.max(...sizes)} tokens`);
    const sent = JSON.stringify(server.requests.map(({ body }) => body.messages));
    assert.ok(sent.includes('<karl-history'), 'Karl compresses');
    assert.ok(!sent.includes('summary of the entire conversation'), 'VS Code does not');
    const last = sizes.at(-1) ?? 0;
    assert.ok(last > WINDOW / 4, 'the end of a long task is no small request');
    await showsPercent(() => readText(statusItem(page).first()), (last / (WINDOW - RESERVE)) * 100);
    await showsPercent(() => readContextRing(page), (last / WINDOW) * 100);
    await showsConversation(page, ((last / (WINDOW - RESERVE)) * 100) | 0);
  });

  /** Requests of the guarded server's chat. */
  const asked = () => guarded.requests.filter(({ body }) => (body.tools?.length ?? 0) > 0);

  function readAndAnswer({ body }: RecordedRequest): ScriptedReply | undefined {
    if ((body.tools?.length ?? 0) === 0) return undefined;
    if (body.messages?.at(-1)?.role === 'tool') return textReply('It is about shipping.');
    const args = { filePath: path.join(workspace, 'README.md'), startLine: 1, endLine: 10 };
    return callsReply([{ id: 'call_read', name: 'read_file', arguments: args }]);
  }

  it('are added in its dialog with address and key, which is a secret, and answer in Ask mode with tools and an image', async () => {
    await addModels(page, guarded.baseUrl);
    await page.locator('.models-table-container .monaco-list-row', { hasText: KEYED }).waitFor();
    const groups = fs.readFileSync(path.join(editor.server.folder, 'data/User/chatLanguageModels.json'), 'utf8');
    assert.ok(groups.includes(guarded.baseUrl) && !groups.includes(KEY), groups);
    await page.keyboard.press('Escape');

    await openChat(page, MODEL);
    const edited = page.locator('.part.auxiliarybar .monaco-button:visible', { hasText: /^Keep$/ });
    await pressAway(edited.first());
    const plus = page.locator('.part.auxiliarybar a.action-label[aria-label^="New Chat"]').first();
    await pressAway(plus, page.locator('.interactive-session .interactive-request').first());
    await chooseModel(page, KEYED, MODEL);
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
    await sendInChat(page, KEYED, 'What is in this picture, and what is README.md about?', () => asked().length > 0);
    await waitForAnswer(page, 'It is about shipping.');
    const [first, second] = asked();
    assert.equal(first?.headers.authorization, `Bearer ${KEY}`);
    assert.match(JSON.stringify(first.body.messages), /"url":"data:image\/png;base64,/);
    assert.match(JSON.stringify(second?.body.messages?.at(-1)), /shipping/i);
    const tools = JSON.stringify(second?.body.tools);
    assert.ok(tools.includes('"read_file"') && !tools.includes('"create_file"'), 'Ask mode changes nothing');
  });
});

/** Goes through "Add Models" of VS Code's dialog. */
async function addModels(page: Page, url: string): Promise<void> {
  const add = page.getByRole('button', { name: 'Add Models' });
  await until(add, () => runCommand(page, 'Chat: Manage Language Models'));
  const vendor = page.locator('.action-widget .monaco-list-row, .monaco-menu .action-item', { hasText: /^Karl$/ });
  await press(add, vendor.first());
  await press(vendor.first(), quickInput(page, 'Group Name'));
  await enterText(page, 'Group Name', 'Guarded');
  await enterText(page, 'Guarded: Server URL', url);
  await enterText(page, 'Guarded: API key', KEY);
}

/** A picture from the clipboard. */
async function pasteImage(page: Page): Promise<void> {
  await copyImage(page);
  await until(page.locator('.interactive-session .chat-attached-context-attachment').first(), async () => {
    await focusChat(page);
    await page.keyboard.press('Control+V');
  });
}

/** The list of conversations has the chat's, with how full it is and its compressions; the view shows it read-only. */
async function showsConversation(page: Page, percent: number): Promise<void> {
  const row = quickInput(page).locator('.monaco-list-row', { hasText: 'Read all notes' });
  const isAbout = (text: string) => Math.abs(Number(/(\d+)%/.exec(text)?.[1]) - percent) <= 4;
  // The figures of the list are those that were stored last.
  await waitFor(
    async () => {
      if (await row.isVisible()) await page.keyboard.press('Escape');
      await until(row, () => runCommand(page, 'Karl: Open Conversation'));
      return await readText(row);
    },
    (text) => isAbout(text) && /VS Code's chat.*compressed \d+ times, last/.test(text),
    { what: `the row, which should have about ${percent}%, is` },
  );
  await pick(page, 'Read all notes');
  const frame = await findWebview(page, 'karl-app');
  await frame.getByText("A conversation of VS Code's chat: continue it there.").waitFor();
  await frame.getByText('All is done.').waitFor();
  assert.equal(await frame.locator('karl-composer textarea').isDisabled(), true);
  assert.equal(await frame.getByRole('button', { name: 'Take Over' }).count(), 0);
}

/** What is shown soon after the last answer is at most a few percent above the request for it. */
async function showsPercent(read: () => Promise<string>, expected: number): Promise<void> {
  await waitFor(read, (shown) => Math.abs(Number(/(\d+)\s*%/.exec(shown)?.[1]) - expected) <= 4);
}

/** Reads every file, makes one, changes it and runs a command; what the model would do. */
function* longTask(workspace: string): Generator<ScriptedReply> {
  const file = (name: string) => path.join(workspace, name);
  let id = 0;
  const call = (name: string, args: Record<string, unknown>) => {
    id += 1;
    return callsReply([{ id: `call_${id}`, name, arguments: args }], { text: `Step ${id}. ` });
  };
  yield call('create_file', { filePath: file('greeting.txt'), content: 'Helo, world\n' });
  for (let index = 0; index < FILES; index += 1) {
    yield call('read_file', { filePath: file(`notes${index}.txt`), startLine: 1, endLine: LINES });
  }
  yield call('replace_string_in_file', { filePath: file('greeting.txt'), oldString: 'Helo', newString: 'Hello' });
  yield call('run_in_terminal', {
    command: 'echo told > told.txt',
    explanation: 'Tell it',
    goal: 'Tell it',
    mode: 'sync',
    isBackground: false,
    timeout: 10_000,
  });
}

/** Lines that differ: what is said twice would be dropped as a duplicate. */
function notes(file: number): string {
  const line = (index: number) => `${file}.${index} the rate of zone ${index * 7 + file} is ${index * 13 + file}`;
  return `${Array.from({ length: LINES }, (_, index) => line(index).slice(0, 39).padEnd(39, '.')).join('\n')}\n`;
}
