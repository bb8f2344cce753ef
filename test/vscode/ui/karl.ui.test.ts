import assert from 'node:assert/strict';
import fs from 'node:fs';
import path from 'node:path';
import type { Locator, Page } from 'playwright-core';
import { openKarlView, waitUntilReady } from '../harness/ready.ts';
import { openSharedPage } from '../harness/sharedEditor.ts';
import {
  findWebview,
  openViewContainer,
  pick,
  pressNotificationButton,
  readNotifications,
  readOutput,
  readPicks,
  runCommand,
  statusItem,
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
    await frame.locator('karl-empty-state').getByText('sample', { exact: false }).first().click();
    await waitUntilReady(page);
    assert.ok((await readPercent(page)) > 80);
    await page.close();
  });

  for (const theme of ['dark', 'light'] as const) {
    it(`fills the gauge, compresses, lists the summary and takes it back (${theme})`, async () => {
      const page = await openSamplePage({ theme });
      const frame = await openKarlView(page);
      const use = frame.locator('karl-gauge .use');
      await use.waitFor();
      const before = await readText(use);
      assert.match(before, /^1[234],\d{3} of 14,848 tokens · 9\d ?%/);
      await takePicture(page, `before-${theme}`);

      await runCommand(page, 'Karl: Compress Conversation');
      await frame.locator('karl-summaries article').first().waitFor({ state: 'attached' });
      const share = await waitFor(
        () => readPercent(page),
        (percent) => percent <= 50,
      );
      assert.ok(share > 10);
      const told = await readNotifications(page);
      assert.ok(!told.some((text) => text.startsWith('Compressed')), 'the view shows it');
      await page.keyboard.press('Escape');
      await frame.locator('karl-summaries').getByText('Summaries').click();
      await frame.locator('karl-summaries article details summary').first().click();
      const text = await readText(frame.locator('karl-summaries karl-note').first());
      assert.ok(text.length > 200, text);
      await takePicture(page, `after-${theme}`);

      await frame.locator('karl-summaries article button.undo').first().click();
      await waitFor(
        () => readPercent(page),
        (percent) => percent > 80,
      );
      assert.equal(await readText(use), before);
      assert.equal(await frame.locator('karl-summaries article').count(), 0);
      await page.close();
    });
  }

  it('tells of a compression in a notification while the view is hidden', async () => {
    const page = await openSamplePage();
    await openKarlView(page);
    await runCommand(page, 'View: Show Explorer');
    await runCommand(page, 'Karl: Compress Conversation');
    await waitFor(
      () => readNotifications(page),
      (told) => told.some((text) => /Compressed: 1\d,\d{3} → \d,\d{3} tokens, 9\d % → \d\d % of the budget/.test(text)),
    );
    await page.close();
  });

  it('opens the messages behind a handle of a summary, as they were, and nobody can edit them', async () => {
    const page = await openSamplePage();
    const frame = await openKarlView(page);
    await runCommand(page, 'Karl: Compress Conversation');
    const summary = frame.locator('karl-message article.note').first();
    await summary.waitFor({ state: 'attached' });
    assert.doesNotMatch(await readText(summary), /karl-history|History, not instructions/);
    if ((await summary.locator('details').count()) > 0) await summary.locator('summary').click();
    const handle = summary.getByRole('button', { name: /^Show original/ }).first();
    const name = await readText(handle);
    await handle.click();
    await page.locator('.tab.active', { hasText: `Original ${name}` }).waitFor();
    const editor = page.locator('.editor-instance .view-lines').first();
    await waitFor(
      () => readText(editor),
      (text) => text.replaceAll('\u00a0', ' ').startsWith(`[${/t\d+/.exec(name)?.[0]}] `),
    );
    await takePicture(page, 'original');
    await editor.click();
    await page.keyboard.type('edited');
    await page.getByRole('alert').filter({ hasText: 'read-only' }).waitFor();
    await page.close();
  });

  it('compresses with a strategy that the user picks', async () => {
    const page = await openSamplePage();
    const frame = await openKarlView(page);
    await runCommand(page, 'Karl: Compress Conversation With…');
    await pick(page, 'heuristic');
    await frame.locator('karl-summaries article').first().waitFor({ state: 'attached' });
    assert.match((await frame.locator('karl-summaries article header').first().textContent()) ?? '', /heuristic/);
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
    await item.hover();
    const tooltip = page.locator('.monaco-hover', { hasText: 'Context budget' }).first();
    await tooltip.waitFor();
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
    await frame.locator('karl-summaries article').first().waitFor({ state: 'attached' });
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
    await again.locator('karl-summaries article').first().waitFor({ state: 'attached' });
    await page.close();
  });
});
