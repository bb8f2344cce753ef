import assert from 'node:assert/strict';
import fs from 'node:fs';
import path from 'node:path';
import type { Page } from 'playwright-core';
import { openKarlView, waitUntilReady } from '../harness/ready.ts';
import { openSharedPage } from '../harness/sharedEditor.ts';
import {
  enterText,
  pressNotificationButton,
  readNotifications,
  runCommand,
  statusItem,
  waitFor,
} from '../harness/workbench.ts';
import { root } from '../setup/root.ts';

const COMMAND = 'Karl: Compress Conversation With Instructions…';

async function openSamplePage(settings: Record<string, unknown> = {}): Promise<Page> {
  const page = await openSharedPage({ settings });
  await statusItem(page).first().waitFor({ timeout: 90_000 });
  await runCommand(page, 'Karl: Open Sample Conversation');
  await waitUntilReady(page);
  return page;
}

async function takePicture(page: Page, name: string): Promise<void> {
  fs.mkdirSync(path.join(root, 'out/pictures'), { recursive: true });
  await page.screenshot({ path: path.join(root, `out/pictures/${name}.png`) });
}

describe('one compression with instructions', () => {
  it('asks what to keep, and the receipt repeats it', async () => {
    const page = await openSamplePage();
    const frame = await openKarlView(page);
    await runCommand(page, COMMAND);
    await enterText(page, 'keep the rounding rule');
    await frame.locator('karl-summaries article').first().waitFor({ state: 'attached' });
    await page.keyboard.press('Escape');
    await frame.locator('karl-summaries').getByText('Summaries').click();
    await frame.getByText('You asked: “keep the rounding rule”.').waitFor();
    await takePicture(page, 'instructions');
    await page.close();
  });

  it('is stopped by the hook before it, and the reason is shown', async () => {
    const hook = `node -e "console.error('A release is under way.'); process.exit(2)"`;
    const page = await openSamplePage({ 'karl.hooks.beforeCompact': hook });
    const frame = await openKarlView(page);
    await runCommand(page, 'Karl: Compress Conversation');
    const reason = 'karl.hooks.beforeCompact stopped the compression (by command): A release is under way.';
    await waitFor(
      () => readNotifications(page),
      (shown) => shown.some((text) => text.includes(reason)),
    );
    await takePicture(page, 'veto');
    assert.equal(await frame.locator('karl-summaries article').count(), 0);
    // The bell's own tooltip lies over the button.
    await page.mouse.move(640, 300);
    await pressNotificationButton(page, 'Open Settings');
    await page.getByText('Hooks: Before Compact').first().waitFor();
    await page.close();
  });
});
