import assert from 'node:assert/strict';
import type { Frame } from 'playwright-core';
import { ProviderServer } from '../../adapters/server/providerServer.ts';
import { chunk } from '../../adapters/server/reply.ts';
import { enterText, leaveQuickInput, pick, readPicks, runCommand, runCommandThatAsks } from '../harness/quickInput.ts';
import { newConversation, waitUntilActive, waitUntilReady } from '../harness/ready.ts';
import { folderOf } from '../harness/server.ts';
import { openSharedPage, useSharedWindow } from '../harness/sharedEditor.ts';
import {
  expectCount,
  expectValue,
  press,
  pressAway,
  TRY_TIMEOUT,
  until,
  untilGone,
  waitFor,
} from '../harness/tries.ts';
import { findWebview, reloadWindow, sendMessage } from '../harness/workbench.ts';

const MODEL = 'loopback-model';

/** What the model was asked in turns; Karl also asks a server for its window, and for the summary of a compression. */
const chats = (server: ProviderServer) =>
  server.requests.filter(
    ({ path: address, body }) =>
      address === '/v1/chat/completions' &&
      !JSON.stringify(body.messages?.[0]?.content).includes('hand-over of a part'),
  );

/** A reply that goes on until it is stopped. */
const ENDLESS = {
  steps: [chunk({ content: 'The first half. ' }), { endless: chunk({ content: 'And on. ' }), everyMs: 200 }],
};
/** What it has said after a second. */
const HALF = /^The first half\. (And on\. ){8}/;

describe('the agent in its view', () => {
  let server: ProviderServer;

  beforeEach(async () => {
    const list = { object: 'list', data: [{ id: MODEL, object: 'model', max_model_len: 16_384 }] };
    server = await ProviderServer.start({ pages: { '/v1/models': list } });
  });

  afterEach(async () => {
    await server.close();
  });

  it('asks at first use for server and model, then answers; a local server needs no key', async () => {
    const page = await useSharedWindow();
    await newConversation(page);
    await sendMessage(page, 'Hello there');
    await pick(page, 'Other server');
    await enterText(page, 'Base URL', server.baseUrl);
    await pick(page, MODEL);
    const frame = await findWebview(page, 'karl-app');
    await frame.getByText('Understood.').first().waitFor();
    assert.equal(chats(server)[0]?.body.model, MODEL);
    assert.equal(chats(server)[0]?.headers.authorization?.includes('undefined') ?? false, false);
    // A message sent from what fills the window leads back to the conversation.
    const contents = frame.locator('karl-contents .scroller');
    await press(frame.getByRole('button', { name: 'What fills it' }), contents);
    await sendMessage(page, 'And now?');
    await frame.locator('karl-message', { hasText: 'Understood.' }).nth(1).waitFor();
  });

  it('sends an edited message in a fork; a reload keeps its tab, what is attached, what had come of a reply and what waits, and the turn goes on', async () => {
    let isEndless = false;
    const moody = await ProviderServer.start({
      respond: ({ path: address }) => (isEndless && address === '/v1/chat/completions' ? ENDLESS : undefined),
    });
    const page = await useSharedWindow({ 'karl.baseUrl': moody.baseUrl, 'karl.model': MODEL });
    await newConversation(page);
    await sendMessage(page, 'First words');
    await pick(page, 'Send the conversations of this folder');
    const frame = await findWebview(page, 'karl-app');
    await frame.getByText('Understood.').first().waitFor();
    const edit = frame.getByRole('button', { name: /^Edit and send again in a fork/ });
    await until(frame.getByText(/^Editing message/), async () => {
      await frame.locator('karl-message article.user').hover();
      await edit.click();
    });
    const input = frame.locator('karl-composer textarea');
    await expectValue(() => input.inputValue(), 'First words');
    await input.fill('Other words');
    await input.press('Enter');
    await frame.locator('h1', { hasText: 'First words (2)' }).waitFor();
    await frame.locator('karl-message', { hasText: 'Understood.' }).first().waitFor();
    const said = frame.locator('karl-message article.user .text');
    const isSaid = (texts: readonly string[]) => texts.join() === 'Other words';
    await waitFor(() => said.allTextContents(), isSaid);
    const list = 'Open which conversation';
    await runCommandThatAsks(page, 'Karl: Open Conversation', list);
    const titles = (await readPicks(page)).map((label) => /First words(?: \(2\))?/.exec(label)?.[0]);
    assert.deepEqual(
      titles.filter((title) => title !== undefined),
      ['First words (2)', 'First words'],
      'the conversation with the first words stays',
    );
    await leaveQuickInput(page, list);

    isEndless = true;
    await sendMessage(page, 'Are you there?');
    // Written for longer than a second.
    await frame.getByText(HALF).waitFor();
    await sendMessage(page, 'And one more');
    await frame.locator('karl-composer .queue li', { hasText: 'And one more' }).waitFor();
    // Another conversation would stop the turn.
    const stops = page.locator('.monaco-dialog-box', { hasText: 'The agent is working in “First words (2)”.' });
    await until(stops, () => runCommand(page, 'Karl: New Conversation'));
    await untilGone(stops, () => page.keyboard.press('Escape'));
    assert.equal((await frame.locator('h1').textContent())?.trim(), 'First words (2)');
    const busy = frame.locator('karl-notices .notice', { hasText: 'Karl is busy.' });
    await until(busy, () => runCommand(page, 'Karl: Undo Last Compression'));
    await runCommand(page, 'Karl: Open in Editor');
    // In two places at once, the view could be found in either.
    await untilGone(page.locator('.part.sidebar'), () => runCommand(page, 'View: Close Primary Side Bar'));
    const tab = await findWebview(page, 'html.editor karl-app');
    const attached = (view: Frame) => view.locator('karl-composer .attachments li', { hasText: 'AGENTS.md' });
    await tab.locator('karl-composer textarea').pressSequentially('And @agents');
    await tab.getByRole('option', { name: 'AGENTS.md' }).waitFor();
    await tab.locator('karl-composer textarea').press('Enter');
    await attached(tab).waitFor();
    await reloadWindow(page);
    await waitUntilReady(page);
    const again = await findWebview(page, 'html.editor karl-app');
    await attached(again).waitFor();
    // The tab has the menu of the view; it opens without Karl's entries while VS Code does not yet know whose tab it is.
    await until(page.locator('.monaco-menu .action-label', { hasText: 'Help' }), async () => {
      await page.keyboard.press('Escape');
      await page.locator('.editor-actions a.codicon-toolbar-more').first().click({ timeout: TRY_TIMEOUT });
    });
    await page.keyboard.press('Escape');
    await again.getByText(/^The first half\. And on\./).waitFor();
    await again.getByText('Interrupted: the reply ends here.').waitFor();
    const queued = again.locator('karl-composer .queue li', { hasText: 'And one more' });
    await queued.waitFor();
    const goOn = again.getByRole('button', { name: 'Continue' });
    await pressAway(goOn);
    await again.getByText(HALF).nth(1).waitFor();
    await until(goOn, () => page.keyboard.press('Control+Alt+Shift+J'));
    isEndless = false;
    await pressAway(goOn);
    await expectCount(again.locator('karl-message', { hasText: 'Understood.' }), 2);
    await pressAway(again.getByRole('button', { name: 'Send it' }));
    await expectCount(again.locator('karl-message', { hasText: 'Understood.' }), 3);
    await expectCount(queued, 0);
    await expectCount(goOn, 0);
    await moody.close();
  });

  it('is read-only in a second window until that takes over, even in the middle of a reply, of which it has what had come', async () => {
    const slow = await ProviderServer.start({
      respond: ({ path: address }) => (address === '/v1/chat/completions' ? ENDLESS : undefined),
    });
    const first = await useSharedWindow({ 'karl.baseUrl': slow.baseUrl, 'karl.model': MODEL });
    await newConversation(first);
    await sendMessage(first, 'Begin.');
    await pick(first, 'Send the conversations of this folder');
    const lost = await findWebview(first, 'karl-app');
    await lost.getByText(HALF).waitFor();
    const second = await openSharedPage({ workspace: folderOf(first) });
    await waitUntilActive(second);
    await runCommandThatAsks(second, 'Karl: Open Conversation', 'Open which conversation');
    await pick(second, 'Begin.');
    await waitUntilReady(second);
    const frame = await findWebview(second, 'karl-app');
    await frame.getByText('Open in another window').first().waitFor();
    const takeOver = (view: Frame) => view.getByRole('button', { name: 'Take Over' }).first();
    const box = (view: Frame) => view.locator('karl-composer textarea:not([disabled])');
    await press(takeOver(frame), box(frame));
    await frame.locator('karl-message').getByText(HALF).waitFor();
    await frame.getByText('Interrupted: the reply ends here.').waitFor();
    await frame.getByRole('button', { name: 'Continue' }).waitFor();
    await takeOver(lost).waitFor();
    await expectCount(lost.getByRole('button', { name: 'Stop' }), 0);
    await expectCount(lost.locator('karl-notices .notice'), 0);
    // A window without a turn learns of it when it next writes. What it was to send stays in the box.
    await press(takeOver(lost), box(lost));
    await frame.locator('karl-composer textarea').fill('Not lost.');
    await press(frame.getByRole('button', { name: 'Send', exact: true }), takeOver(frame));
    await expectCount(frame.locator('karl-notices .notice'), 0);
    await press(takeOver(frame), box(frame));
    assert.equal(await box(frame).inputValue(), 'Not lost.');
    await second.close();
    await slow.close();
  });
});
