import type { Frame, Page } from 'playwright-core';
import { openKarlView, waitUntilReady } from '../harness/ready.ts';
import { openSharedPage } from '../harness/sharedEditor.ts';
import { runCommand, statusItem, waitFor } from '../harness/workbench.ts';

const isWriting = (frame: Frame) =>
  frame.locator('karl-composer textarea').evaluate((input) => input.matches(':focus') && document.hasFocus());

/** The view takes the focus some time after the workbench has heard of it. */
const untilWriting = (frame: Frame) => waitFor(() => isWriting(frame), Boolean);

describe('the keyboard', () => {
  let page: Page;

  before(async () => {
    page = await openSharedPage();
  });

  after(() => page.close());

  it('is in the composer when a conversation is opened, and gets back there with Ctrl+Alt+K', async () => {
    await runCommand(page, 'Karl: Open Sample Conversation');
    await waitUntilReady(page);
    const frame = await openKarlView(page);
    await untilWriting(frame);
    await runCommand(page, 'Karl: Show Output');
    await page.locator('.output-view .monaco-editor').first().click();
    await waitFor(
      () => isWriting(frame),
      (writes) => !writes,
    );
    await page.keyboard.press('Control+Alt+k');
    await untilWriting(frame);
  });

  it('compresses from the composer with Ctrl+Alt+Shift+K', async () => {
    const frame = await openKarlView(page);
    await page.keyboard.press('Control+Alt+k');
    await untilWriting(frame);
    await page.keyboard.press('Control+Alt+Shift+K');
    // The sample uses more than 90% of its budget until it is compressed.
    await statusItem(page, /Karl\s+[1-6]?\d\s*%/)
      .first()
      .waitFor();
    await untilWriting(frame);
  });
});
