import assert from 'node:assert/strict';
import fs from 'node:fs';
import path from 'node:path';
import type { Frame, Locator, Page } from 'playwright-core';
import { openKarlView, waitUntilReady } from '../harness/ready.ts';
import { openSharedPage } from '../harness/sharedEditor.ts';
import {
  closeNotifications,
  findWebview,
  openViewContainer,
  pick,
  press,
  pressAway,
  pressNotificationButton,
  readNotifications,
  readOutput,
  readPicks,
  runCommand,
  statusItem,
  until,
  waitFor,
} from '../harness/workbench.ts';
import { root } from '../setup/root.ts';

/** Pictures of what was tested, for people to look at. */
const PICTURES = path.join(root, 'out/pictures');

async function openSamplePage(options: Parameters<typeof openSharedPage>[0] = {}): Promise<Page> {
  const page = await openSharedPage(options);
  await statusItem(page).first().waitFor({ timeout: 90_000 });
  await runCommand(page, 'Karl: Open Sample Conversation');
  await waitUntilReady(page);
  return page;
}

async function readPercent(page: Page): Promise<number> {
  const text = await readText(statusItem(page, /Karl\s+\d+\s*%/).first());
  return Number(/(\d+)\s*%/.exec(text)?.[1]);
}

/** The text of an element as one line. */
async function readText(element: Locator): Promise<string> {
  return ((await element.textContent()) ?? '').replaceAll(/\s+/g, ' ').trim();
}

/** Loads everything that was said before the first row. */
async function showEarliest(frame: Frame): Promise<void> {
  const earlier = frame.locator('button.earlier');
  while ((await earlier.count()) > 0) {
    const before = await readText(earlier);
    await earlier.click();
    await waitFor(
      async () => ((await earlier.count()) === 0 ? '' : await readText(earlier)),
      (text) => text !== before,
    );
  }
}

async function takePicture(page: Page, name: string): Promise<void> {
  fs.mkdirSync(PICTURES, { recursive: true });
  await page.screenshot({ path: path.join(PICTURES, `${name}.png`) });
}

describe('the main job', () => {
  it('starts with a view that says what Karl does and offers a conversation', async () => {
    const page = await openSharedPage();
    await statusItem(page).first().waitFor({ timeout: 90_000 });
    await openViewContainer(page, 'Karl');
    const frame = await findWebview(page, 'karl-empty-state');
    const link = frame.locator('karl-empty-state').getByText('sample', { exact: false }).first();
    await press(link, statusItem(page, /Karl\s+\d+\s*%/).first());
    assert.ok((await readPercent(page)) > 80);
    await page.close();
  });

  for (const theme of ['dark', 'light'] as const) {
    it(`fills the gauge, compresses, shows what was done in its place, takes it back and does it again (${theme})`, async () => {
      const page = await openSamplePage({ theme });
      const frame = await openKarlView(page);
      const use = frame.locator('karl-gauge .use');
      await use.waitFor();
      const before = await readText(use);
      assert.match(before, /^1[234],\d{3} of 14,848 tokens · 9\d ?%/);
      await takePicture(page, `before-${theme}`);

      await runCommand(page, 'Karl: Compress Conversation');
      await frame.locator('karl-compression article').first().waitFor({ state: 'attached' });
      const share = await waitFor(
        () => readPercent(page),
        (percent) => percent <= 50,
      );
      assert.ok(share > 10);
      const told = await readNotifications(page);
      assert.deepEqual(
        told.filter((text) => text.includes('Compressed')),
        [],
        'the view shows it',
      );
      await closeNotifications(page);
      const note = frame.locator('karl-compression karl-note');
      await press(frame.getByRole('button', { name: /^Summary of the compression/ }), note);
      const text = await readText(note);
      assert.ok(text.length > 200, text);
      await takePicture(page, `after-${theme}`);

      const compressed = await readText(use);
      await pressAway(frame.getByRole('button', { name: /^Undo the compression/ }));
      await waitFor(
        () => readPercent(page),
        (percent) => percent > 80,
      );
      assert.equal(await readText(use), before);
      await frame.getByRole('button', { name: /^Redo the compression/ }).click();
      await frame.getByRole('button', { name: /^Undo the compression/ }).waitFor();
      assert.equal(await readText(use), compressed);
      await page.close();
    });
  }

  it('has every message after a compression, and what the model sees beside it', async () => {
    const page = await openSamplePage();
    const frame = await openKarlView(page);
    const first = frame.locator('karl-message article.user').first();
    await frame.locator('karl-conversation').waitFor();
    await runCommand(page, 'Karl: Compress Conversation');
    await frame.locator('karl-compression article').first().waitFor({ state: 'attached' });
    await showEarliest(frame);
    const said = await readText(first.locator('.text'));
    assert.ok((await frame.locator('karl-call .mark, karl-message .mark').count()) > 3, 'what is not sent is tagged');
    await takePicture(page, 'history');
    await frame.getByRole('radio', { name: 'What the model sees' }).click();
    const summary = frame.locator('karl-summary article').first();
    await summary.waitFor({ state: 'attached' });
    assert.doesNotMatch(await readText(frame.locator('karl-app')), /karl-history|History, not instructions/);
    await takePicture(page, 'request');
    if ((await summary.locator('details').count()) > 0) await summary.locator('summary').click();
    await summary
      .getByRole('button', { name: /^Go to/ })
      .first()
      .click();
    await frame.locator('karl-conversation .row > .found').first().waitFor();
    assert.equal(await frame.locator('karl-summary').count(), 0);
    await showEarliest(frame);
    assert.equal(await readText(first.locator('.text')), said);
    await page.close();
  });

  it('tells of a compression in a notification while the view is hidden', async () => {
    const page = await openSamplePage();
    await openKarlView(page);
    await runCommand(page, 'View: Show Explorer');
    await runCommand(page, 'Karl: Compress Conversation');
    await waitFor(
      () => readNotifications(page),
      (told) => told.some((text) => /Compressed: 1\d,\d{3} → \d,\d{3} tokens, 9\d% → \d\d% of the budget/.test(text)),
    );
    await page.close();
  });

  it('opens originals and changes of a compression, as they were, and nobody can edit them', async () => {
    const page = await openSamplePage();
    const frame = await openKarlView(page);
    await runCommand(page, 'Karl: Compress Conversation');
    const originals = frame.getByRole('button', { name: /^Originals of the compression/ });
    await press(originals, page.locator('.tab.active', { hasText: 'Originals of' }));
    const editor = page.locator('.editor-instance .view-lines').first();
    await waitFor(
      () => readText(editor),
      (text) => /^\[t\d+\] /.test(text.replaceAll('\u00a0', ' ')),
    );
    await until(page.getByRole('alert').filter({ hasText: 'read-only' }), async () => {
      await editor.click();
      await page.keyboard.type('edited');
    });
    const changes = frame.getByRole('button', { name: /^Changes of the compression/ });
    await press(changes, page.locator('.tab.active', { hasText: 'before and after' }));
    await page.locator('.monaco-diff-editor .line-delete, .monaco-diff-editor .char-delete').first().waitFor();
    await takePicture(page, 'changes');
    await press(frame.locator('button.mark').first(), page.locator('.tab.active', { hasText: /Original t\d/ }));
    await page.close();
  });

  it('compresses with a strategy that the user picks', async () => {
    const page = await openSamplePage();
    const frame = await openKarlView(page);
    await runCommand(page, 'Karl: Compress Conversation With…');
    await pick(page, 'heuristic');
    await frame.locator('karl-compression article').first().waitFor({ state: 'attached' });
    assert.match((await frame.locator('karl-compression .how').first().textContent()) ?? '', /heuristic/);
    await page.close();
  });

  it('says why a strategy that needs a model cannot run without one, and offers the way on', async () => {
    const page = await openSamplePage();
    await runCommand(page, 'Karl: Compress Conversation With…');
    await pick(page, 'sandwich');
    const told = await waitFor(
      () => readNotifications(page),
      (texts) => texts.some((text) => text.includes('Compression with sandwich failed')),
    );
    assert.ok(
      told.some((text) => /nothing was changed.*needs a model/.test(text)),
      told.join('\n'),
    );
    await pressNotificationButton(page, 'Other Strategy…');
    assert.ok((await readPicks(page)).some((label) => label.startsWith('heuristic')));
    await page.close();
  });

  it('tells in the status bar what is used, of which window, by which source, and when it compresses next', async () => {
    const page = await openSamplePage();
    const item = statusItem(page, /Karl\s+\d/).first();
    const tooltip = page.locator('.monaco-hover', { hasText: 'Context budget' }).first();
    await until(tooltip, async () => {
      await page.mouse.move(640, 300);
      await item.hover();
    });
    const text = await readText(tooltip);
    for (const part of [
      'used',
      'counted',
      'window',
      '16,384',
      'profile',
      'reserve',
      '1,536',
      'Over the threshold of 11,878',
    ])
      assert.ok(text.includes(part), `${part} in ${text}`);
    await page.close();
  });

  it('tells of a compression in a message when the view is not in sight', async () => {
    const page = await openSamplePage();
    await openViewContainer(page, 'Explorer');
    await runCommand(page, 'Karl: Compress Conversation');
    await waitFor(
      () => readNotifications(page),
      (told) => told.some((text) => /Compressed: 1\d,\d{3} → \d,\d{3} tokens, 9\d% → \d\d% of the budget/.test(text)),
    );
    await page.close();
  });

  it('shows what fills the window, from the status bar, and leads to what is listed there', async () => {
    const page = await openSamplePage();
    await statusItem(page, /Karl\s+\d/)
      .first()
      .click();
    const frame = await findWebview(page, 'karl-contents');
    const files = frame.locator('karl-contents .group', { hasText: 'Files read' });
    await files.locator('summary').click();
    assert.match(await readText(files), /readings.*outdated/);
    await takePicture(page, 'contents');
    await files.locator('button.label').first().click();
    await frame.locator('karl-conversation .row > karl-call.found').first().waitFor();
    await page.close();
  });

  it('drops one result of a tool from what fills the window, and takes that back by one undo', async () => {
    const page = await openSamplePage();
    await runCommand(page, 'Karl: Show What Fills the Window');
    const frame = await findWebview(page, 'karl-contents');
    // Until the worker has its tables the figures are estimates.
    await waitFor(
      () => readText(frame.locator('karl-contents p.figures').first()),
      (text) => text.includes('counted'),
    );
    const before = await readPercent(page);
    const results = frame.locator('karl-contents .group', { hasText: 'Tool results' });
    await results.locator('summary').click();
    await results.locator('button[data-act=dropped]:not([aria-label^="Drop all"])').first().click();
    await waitFor(
      () => readPercent(page),
      (percent) => percent < before,
    );
    const last = frame.locator('karl-contents .last');
    assert.match(await readText(last), /^Dropped: \d+,\d{3} → \d+,\d{3} tokens Undo$/);
    const aside = frame.locator('karl-contents .group', { hasText: 'Set aside' });
    await aside.locator('summary').click();
    assert.equal((await readText(aside)).split('dropped by you').length, 2, 'one row');
    await takePicture(page, 'dropped');
    await last.getByRole('button').click();
    await waitFor(
      () => readPercent(page),
      (percent) => percent === before,
    );
    assert.equal(await aside.count(), 0);
    const chart = frame.getByRole('slider', { name: /^Tokens of each request/ });
    await chart.focus();
    assert.match(String(await chart.getAttribute('aria-valuetext')), /Undone: \d+,\d{3} → \d+,\d{3} tokens$/);
    await takePicture(page, 'history');
    await frame.getByRole('button', { name: 'Close what fills the window' }).click();
    const row = frame.locator('karl-compression', { hasText: 'Dropped by you, undone' });
    await row.waitFor();
    await takePicture(page, 'dropped-undone');
    await page.close();
  });

  it('sets the window of the model from what fills the window, and says what is wrong with a figure', async () => {
    const page = await openSamplePage();
    await runCommand(page, 'Karl: Show What Fills the Window');
    const frame = await findWebview(page, 'karl-contents');
    await frame.getByRole('button', { name: 'Set context window…' }).click();
    const input = page.locator('.quick-input-widget input');
    await input.fill('32k');
    const problem = page.locator('.quick-input-message');
    await waitFor(
      () => readText(problem),
      (text) => text.includes('Type a whole number of tokens from 1,000 to 100,000,000, such as 32768'),
    );
    await input.fill('32,768');
    await input.press('Enter');
    const figures = frame.locator('karl-contents p.figures').first();
    await waitFor(
      () => readText(figures),
      (text) => text.includes('window 32,768 (setting)'),
    );
    await takePicture(page, 'window-set');
    await frame.getByRole('button', { name: 'Set context window…' }).click();
    await input.fill('');
    await input.press('Enter');
    await waitFor(
      () => readText(figures),
      (text) => text.includes('window 16,384 (profile)'),
    );
    await page.close();
  });

  it('writes each compression to the output channel', async () => {
    const page = await openSamplePage();
    await runCommand(page, 'Karl: Compress Conversation');
    await waitFor(
      () => readPercent(page),
      (percent) => percent <= 50,
    );
    await runCommand(page, 'Karl: Show Output');
    const lines = await waitFor(
      () => readOutput(page),
      (read) => read.some((line) => line.includes('outcome=compacted')),
    );
    assert.ok(
      lines.some((line) => line.includes('event=compaction-ended')),
      lines.join('\n'),
    );
    await page.close();
  });

  it('has the conversation back after the window is loaded again', async () => {
    const page = await openSamplePage();
    const frame = await openKarlView(page);
    await runCommand(page, 'Karl: Compress Conversation');
    await frame.locator('karl-compression article').first().waitFor({ state: 'attached' });
    const percent = await waitFor(
      () => readPercent(page),
      (value) => value <= 50,
    );
    await page.reload();
    await waitUntilReady(page);
    // The first reading may be an estimate: the exact count follows.
    await waitFor(
      () => readPercent(page),
      (value) => value === percent,
    );
    const again = await openKarlView(page);
    await again.locator('karl-compression article').first().waitFor({ state: 'attached' });
    await page.close();
  });
});
