import type { Frame, Page } from 'playwright-core';
import { runCommand } from '../harness/quickInput.ts';
import { openKarlView, openSample } from '../harness/ready.ts';
import { openSharedPage } from '../harness/sharedEditor.ts';
import { until, waitFor } from '../harness/tries.ts';
import { statusItem } from '../harness/workbench.ts';

const isWriting = (frame: Frame) =>
  frame.locator('karl-composer textarea').evaluate((input) => input.matches(':focus') && document.hasFocus());

/** The view takes the focus some time after the workbench has heard of it. */
const untilWriting = (frame: Frame) => waitFor(() => isWriting(frame), Boolean, { what: 'that one can write is' });

describe('the keyboard', () => {
  let page: Page;

  before(async () => {
    page = await openSharedPage();
  });

  after(() => page.close());

  it('is in the composer when a conversation is opened, and gets back there with Ctrl+Alt+K', async () => {
    await openSample(page);
    const frame = await openKarlView(page);
    await untilWriting(frame);
    await runCommand(page, 'Karl: Show Output');
    await until(
      async () => !(await isWriting(frame)),
      () => page.locator('.output-view .monaco-editor').first().click(),
    );
    await until(
      () => isWriting(frame),
      () => page.keyboard.press('Control+Alt+k'),
    );
  });

  it('compresses from the composer with Ctrl+Alt+Shift+K', async () => {
    const frame = await openKarlView(page);
    await until(
      () => isWriting(frame),
      () => page.keyboard.press('Control+Alt+k'),
    );
    // The sample uses more than 90% of its budget until it is compressed.
    const compressed = statusItem(page, /Karl\s+[1-6]?\d\s*%/).first();
    await until(compressed, () => page.keyboard.press('Control+Alt+Shift+K'));
    await untilWriting(frame);
  });
});
