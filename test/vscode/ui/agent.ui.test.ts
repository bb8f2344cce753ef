import assert from 'node:assert/strict';
import type { Page } from 'playwright-core';
import { ProviderServer } from '../../adapters/server/providerServer.ts';
import { chunk } from '../../adapters/server/reply.ts';
import {
  enterText,
  leaveQuickInput,
  pick,
  quickInput,
  readPicks,
  runCommand,
  runCommandThatAsks,
} from '../harness/quickInput.ts';
import { newConversation, openKarlView, openSample, waitUntilActive, waitUntilReady } from '../harness/ready.ts';
import { folderOf } from '../harness/server.ts';
import { openSharedPage, useSharedWindow } from '../harness/sharedEditor.ts';
import { expectCount, press, pressAway, until, untilGone, waitFor } from '../harness/tries.ts';
import {
  findWebview,
  openViewContainer,
  pressNotificationButton,
  sendMessage,
  watchText,
} from '../harness/workbench.ts';

const MODEL = 'loopback-model';

/** What the model was asked in turns; Karl also asks a server for its window, and for the summary of a compression. */
const chats = (server: ProviderServer) =>
  server.requests.filter(
    ({ path: address, body }) =>
      address === '/v1/chat/completions' &&
      !JSON.stringify(body.messages?.[0]?.content).includes('hand-over of a part'),
  );

async function useWindow(settings: Readonly<Record<string, unknown>> = {}): Promise<Page> {
  const page = await useSharedWindow(settings);
  await waitUntilActive(page);
  return page;
}

/** Opens a second window for the folder of another. */
async function openBeside(page: Page): Promise<Page> {
  const second = await openSharedPage({ workspace: folderOf(page) });
  await waitUntilActive(second);
  return second;
}

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
    const page = await useWindow();
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
    const watched = await watchText(frame, 'And now?');
    await sendMessage(page, 'And now?');
    await frame.locator('karl-message', { hasText: 'Understood.' }).nth(1).waitFor();
    assert.deepEqual(await watched.places(), ['box', 'queue', 'list'], 'the list is not in sight at first');
    // Until the turn has ended, what is sent goes into the queue.
    await expectCount(frame.locator('karl-composer').getByRole('button', { name: 'Stop' }), 0);
    const watchedNext = await watchText(frame, 'And then?');
    await sendMessage(page, 'And then?');
    await frame.locator('karl-message', { hasText: 'Understood.' }).nth(2).waitFor();
    assert.deepEqual(await watchedNext.places(), ['box', 'list'], 'it is in one of them all the time');
    // Where a dialog was opened, the user is again after Escape; VS Code would go to the text editor.
    await until(page.locator('.tab', { hasText: 'Untitled' }), () => page.keyboard.press('Control+n'));
    for (const [button, dialog] of [
      ['.model', 'Which model'],
      ['.server', 'Which server runs the model'],
    ] as const) {
      await press(frame.locator(`karl-composer ${button}`), quickInput(page, dialog));
      await leaveQuickInput(page, dialog);
      const isWriting = () => frame.locator('karl-composer textarea:focus').evaluate(() => document.hasFocus());
      await waitFor(isWriting, Boolean, { what: `after "${dialog}" that one can write is` });
    }
  });

  it('asks above the composer before it compresses in the mode "ask", and goes on without when that is refused', async () => {
    const settings = { 'karl.compaction.mode': 'ask', 'karl.baseUrl': server.baseUrl, 'karl.model': MODEL };
    const page = await useWindow(settings);
    await openSample(page);
    const frame = await findWebview(page, 'karl-app');
    const answers = frame.locator('karl-message', { hasText: 'Understood.' });
    await sendMessage(page, 'What is left to do?');
    await pick(page, 'Send the conversations of this folder');
    const question = frame.locator('karl-notices').getByText('of the budget is used. Compress before continuing?');
    await question.waitFor();
    // The preview has the answers while it is open; without an answer the question is asked again.
    const preview = frame.locator('karl-preview');
    const look = () =>
      press(frame.locator('karl-notices').getByRole('button', { name: 'Preview' }), preview.locator('details').first());
    await look();
    await expectCount(question, 0);
    await press(preview.getByRole('button', { name: 'Cancel' }), question);
    await look();
    await pressAway(preview.getByRole('button', { name: 'Not Now' }), preview);
    await answers.first().waitFor();
    assert.equal(await frame.locator('karl-compression article').count(), 0);
    await sendMessage(page, 'And now?');
    await answers.nth(1).waitFor();
    assert.equal(await question.count(), 0, 'not asked again so soon');
    await runCommand(page, 'Karl: Open Sample Conversation');
    await answers.first().waitFor({ state: 'detached' });
    await sendMessage(page, 'What is left to do?');
    await question.waitFor();
    // Any Compress button is the answer.
    await pressAway(frame.locator('.title').getByRole('button', { name: 'Compress', exact: true }), question);
    await frame.locator('karl-compression article').first().waitFor({ state: 'attached' });
    await waitFor(
      async () => chats(server).length,
      (count) => count === 3,
    );
    await runCommand(page, 'Karl: Open Sample Conversation');
    await answers.first().waitFor({ state: 'detached' });
    await sendMessage(page, 'What is left to do?');
    await question.waitFor();
    // No turn waits for an answer that cannot be seen.
    await openViewContainer(page, 'Explorer');
    await pressNotificationButton(page, 'Not Now');
    await waitFor(
      async () => chats(server).length,
      (count) => count === 4,
    );
  });

  it('sends an edited message in a fork, and goes on after an interruption and a reload', async () => {
    let isSilent = false;
    const moody = await ProviderServer.start({
      respond: ({ path: address }) =>
        isSilent && address === '/v1/chat/completions' ? { neverAnswer: true, steps: [] } : undefined,
    });
    const page = await useWindow({ 'karl.baseUrl': moody.baseUrl, 'karl.model': MODEL });
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
    await waitFor(
      () => input.inputValue(),
      (text) => text === 'First words',
    );
    await input.fill('Other words');
    await input.press('Enter');
    await frame.locator('h1', { hasText: 'First words (2)' }).waitFor();
    await frame.locator('karl-message', { hasText: 'Understood.' }).first().waitFor();
    const said = frame.locator('karl-message article.user .text');
    await waitFor(
      () => said.allTextContents(),
      (texts) => texts.join() === 'Other words',
    );
    const list = 'Open which conversation';
    await runCommandThatAsks(page, 'Karl: Open Conversation', list);
    const titles = (await readPicks(page)).map((label) => /First words(?: \(2\))?/.exec(label)?.[0]);
    assert.deepEqual(
      titles.filter((title) => title !== undefined),
      ['First words (2)', 'First words'],
      'the conversation with the first words stays',
    );
    await leaveQuickInput(page, list);

    isSilent = true;
    const before = chats(moody).length;
    await sendMessage(page, 'Are you there?');
    await waitFor(
      async () => chats(moody).length,
      (count) => count > before,
    );
    await sendMessage(page, 'And one more');
    await frame.locator('karl-composer .queue li', { hasText: 'And one more' }).waitFor();
    // Another conversation would stop the turn.
    const stops = page.locator('.monaco-dialog-box', { hasText: 'The agent is working in “First words (2)”.' });
    await until(stops, () => runCommand(page, 'Karl: New Conversation'));
    await untilGone(stops, () => page.keyboard.press('Escape'));
    assert.equal((await frame.locator('h1').textContent())?.trim(), 'First words (2)');
    const busy = frame.locator('karl-notices .notice', { hasText: 'Karl is busy.' });
    await until(busy, () => runCommand(page, 'Karl: Undo Last Compression'));
    const goOn = frame.getByRole('button', { name: 'Continue' });
    await until(goOn, () => page.keyboard.press('Control+Alt+Shift+J'));
    await expectCount(busy, 0);
    await page.reload();
    await waitUntilReady(page);
    const again = await openKarlView(page);
    isSilent = false;
    const queued = again.locator('karl-composer .queue li', { hasText: 'And one more' });
    await queued.waitFor();
    await pressAway(again.getByRole('button', { name: 'Continue' }));
    await expectCount(again.locator('karl-message', { hasText: 'Understood.' }), 2);
    await pressAway(again.getByRole('button', { name: 'Send it' }));
    await expectCount(again.locator('karl-message', { hasText: 'Understood.' }), 3);
    await expectCount(queued, 0);
    await expectCount(again.getByRole('button', { name: 'Continue' }), 0);
    await moody.close();
  });

  it('keeps what had come of a reply when the window is reloaded in the middle of it', async () => {
    const slow = await ProviderServer.start({
      respond: ({ path: address }) =>
        address === '/v1/chat/completions'
          ? {
              steps: [
                chunk({ content: 'The first half. ' }),
                { endless: chunk({ content: 'And on. ' }), everyMs: 200 },
              ],
            }
          : undefined,
    });
    const page = await useWindow({ 'karl.baseUrl': slow.baseUrl, 'karl.model': MODEL });
    await newConversation(page);
    await sendMessage(page, 'Begin.');
    await pick(page, 'Send the conversations of this folder');
    const frame = await findWebview(page, 'karl-app');
    // Written for longer than a second.
    await frame.getByText(/^The first half\. (And on\. ){8}/).waitFor();
    await page.reload();
    await waitUntilReady(page);
    const again = await openKarlView(page);
    await again.getByText(/^The first half\. And on\./).waitFor();
    await again.getByText('Interrupted: the reply ends here.').waitFor();
    await again.getByRole('button', { name: 'Continue' }).waitFor();
    await slow.close();
  });

  it('stops when another window takes over in the middle of a reply, and that one has what had come', async () => {
    const slow = await ProviderServer.start({
      respond: ({ path: address }) =>
        address === '/v1/chat/completions'
          ? {
              steps: [
                chunk({ content: 'The first half. ' }),
                { endless: chunk({ content: 'And on. ' }), everyMs: 200 },
              ],
            }
          : undefined,
    });
    const first = await useWindow({ 'karl.baseUrl': slow.baseUrl, 'karl.model': MODEL });
    await newConversation(first);
    await sendMessage(first, 'Begin.');
    await pick(first, 'Send the conversations of this folder');
    const lost = await findWebview(first, 'karl-app');
    // Written for longer than a second.
    await lost.getByText(/^The first half\. (And on\. ){8}/).waitFor();
    const second = await openBeside(first);
    await runCommandThatAsks(second, 'Karl: Open Conversation', 'Open which conversation');
    await pick(second, 'Begin.');
    await waitUntilReady(second);
    const frame = await findWebview(second, 'karl-app');
    const box = frame.locator('karl-composer textarea:not([disabled])');
    await press(frame.getByRole('button', { name: 'Take Over' }).first(), box);
    await frame
      .locator('karl-message')
      .getByText(/^The first half\. (And on\. ){8}/)
      .waitFor();
    await frame.getByText('Interrupted: the reply ends here.').waitFor();
    await frame.getByRole('button', { name: 'Continue' }).waitFor();
    await lost.getByRole('button', { name: 'Take Over' }).waitFor();
    await expectCount(lost.getByRole('button', { name: 'Stop' }), 0);
    await expectCount(lost.locator('karl-notices .notice'), 0);
    await second.close();
    await slow.close();
  });

  it('opens a conversation of another window read-only, until it is taken over', async () => {
    const first = await useWindow();
    await openSample(first);
    const second = await openBeside(first);
    await runCommandThatAsks(second, 'Karl: Open Conversation', 'Open which conversation');
    await pick(second, 'Invoices around');
    await waitUntilReady(second);
    const frame = await findWebview(second, 'karl-app');
    await frame.getByText('Open in another window').first().waitFor();
    const takeOver = frame.getByRole('button', { name: 'Take Over' }).first();
    await press(takeOver, frame.locator('karl-composer textarea:not([disabled])'));
    // The first window learns of it when it next writes. What it was to send stays in the box.
    const lost = await findWebview(first, 'karl-app');
    await lost.locator('karl-composer textarea').fill('Not lost.');
    await press(
      lost.getByRole('button', { name: 'Send', exact: true }),
      lost.getByRole('button', { name: 'Take Over' }),
    );
    await expectCount(lost.locator('karl-notices .notice'), 0);
    const box = lost.locator('karl-composer textarea:not([disabled])');
    await press(lost.getByRole('button', { name: 'Take Over' }), box);
    assert.equal(await box.inputValue(), 'Not lost.');
    await second.close();
  });
});
