import assert from 'node:assert/strict';
import { setTimeout } from 'node:timers/promises';
import type { Frame, Page } from 'playwright-core';
import { leaveQuickInput, pick, quickInput, runCommand } from '../harness/quickInput.ts';
import { openKarlView, openSample } from '../harness/ready.ts';
import { useSharedWindow } from '../harness/sharedEditor.ts';
import { takePicture } from '../harness/takePicture.ts';
import { expectCount, expectText, press, readText, until, untilGone, waitFor } from '../harness/tries.ts';
import { findWebview, statusItem } from '../harness/workbench.ts';

const isWriting = (frame: Frame) =>
  frame.locator('karl-composer textarea').evaluate((input) => input.matches(':focus') && document.hasFocus());

/** The view takes the focus some time after the workbench has heard of it. */
const untilWriting = (frame: Frame) => waitFor(() => isWriting(frame), Boolean, { what: 'that one can write is' });

describe('the keyboard', () => {
  let page: Page;
  const writeWithKey = (frame: Frame) =>
    until(
      () => isWriting(frame),
      () => page.keyboard.press('Control+Alt+k'),
    );

  beforeEach(async () => {
    page = await useSharedWindow();
    await openSample(page);
  });

  it('is in the composer when a conversation is opened, and gets back there with Ctrl+Alt+K or its command', async () => {
    const frame = await openKarlView(page);
    await untilWriting(frame);
    await runCommand(page, 'Karl: Show Output');
    for (const back of [() => page.keyboard.press('Control+Alt+k'), () => runCommand(page, 'Karl: Open View')]) {
      await until(
        async () => !(await isWriting(frame)),
        () => page.locator('.output-view .monaco-editor').first().click(),
      );
      await until(() => isWriting(frame), back);
    }
  });

  it('finds a text in the conversation with Ctrl+F, steps through what was found, and stays there after Escape', async () => {
    const frame = await openKarlView(page);
    const box = frame.getByRole('textbox', { name: 'Find in the conversation' });
    // VS Code's own Ctrl+F is for the editor that is open, wherever the focus is.
    const tab = page.locator('.tab', { hasText: 'AGENTS.md' });
    await until(quickInput(page), () => page.keyboard.press('Control+p'));
    await page.keyboard.type('AGENTS.md');
    await quickInput(page).locator('.monaco-list-row', { hasText: 'AGENTS.md' }).first().waitFor();
    await until(tab, () => page.keyboard.press('Enter'));
    await writeWithKey(frame);
    // The workbench hears a moment later that the view has the focus.
    await setTimeout(500);
    await until(
      async () => (await box.count()) > 0 && (await box.evaluate((one) => one.matches(':focus'))),
      () => page.keyboard.press('Control+f'),
    );
    await page.keyboard.type('rounding');
    const status = frame.locator('.find [role=status]');
    await expectText(status, /^(\d+) of \1$/);
    // What was found for the first letters may still be there.
    const isStepped = async () => {
      const [at, count] = (await readText(status)).split(' of ').map(Number);
      return at !== undefined && at + 1 === count;
    };
    await until(isStepped, () => page.keyboard.press('Enter'));
    assert.equal(await page.locator('.find-widget.visible').count(), 0);
    await box.focus();
    await untilGone(box, () => page.keyboard.press('Escape'));
    await expectCount(frame.locator('karl-conversation .row:focus'), 1);
  });

  it('compresses from the composer with Ctrl+Alt+Shift+K', async () => {
    const frame = await openKarlView(page);
    await writeWithKey(frame);
    // The sample uses more than 90% of its budget until it is compressed.
    const compressed = statusItem(page, /Karl\s+[1-6]?\d\s*%/).first();
    await until(compressed, () => page.keyboard.press('Control+Alt+Shift+K'));
    await untilWriting(frame);
  });

  it('is in the view again after Escape in a dialog that was opened there, and in what fills the window as soon as that is', async () => {
    const frame = await openKarlView(page);
    const menu = page.getByRole('menuitem', { name: 'Compress Conversation With…' });
    const ways = frame.getByRole('button', { name: 'More ways to compress' });
    const model = frame.locator('karl-composer .model').first();
    for (const [title, open] of [
      ['Which server runs the model', () => press(model, quickInput(page, 'Which server runs the model'))],
      [
        'which strategy',
        async () => {
          await press(ways, menu);
          await press(menu, quickInput(page, 'which strategy'));
        },
      ],
    ] as const) {
      // VS Code would give the focus to an editor.
      await until(page.locator('.tab', { hasText: 'Untitled' }).first(), () => page.keyboard.press('Control+n'));
      await open();
      await leaveQuickInput(page, title);
      await untilWriting(frame);
    }
    const contents = frame.locator('karl-contents :is(summary, .row button):focus');
    await press(frame.getByRole('button', { name: 'What fills it' }), contents);
    const box = 'Context window of';
    await press(frame.getByRole('button', { name: 'Set context window…' }), quickInput(page, box));
    await leaveQuickInput(page, box);
    await contents.waitFor();
    await untilGone(contents, () => page.keyboard.press('Escape'));
    await untilWriting(frame);
  });

  it('goes back to the page from which the context window was set, also while the view is in a side bar, too', async () => {
    const side = await openKarlView(page);
    await runCommand(page, 'Karl: Open in Editor');
    const tab = await findWebview(page, 'html.editor karl-app');
    await press(tab.getByRole('button', { name: 'What fills it' }), tab.locator('karl-contents'));
    const box = 'Context window of';
    await press(tab.getByRole('button', { name: 'Set context window…' }), quickInput(page, box));
    await leaveQuickInput(page, box);
    await tab.locator('karl-contents :is(summary, .row button):focus').waitFor();
    assert.equal(await tab.evaluate(() => document.hasFocus()), true);
    assert.equal(await side.evaluate(() => document.hasFocus()), false);
    await runCommand(page, 'View: Close All Editors');
  });

  it('moves the view into the secondary side bar, where the user can write at once', async () => {
    const asked = 'New Secondary Side Bar Entry';
    const row = quickInput(page).locator('.monaco-list-row', { hasText: asked });
    await until(row, () => runCommand(page, 'Karl: Move View to Another Side Bar or Panel…'));
    await pick(page, asked);
    await page.locator('.part.auxiliarybar .composite.title', { hasText: 'Karl' }).waitFor();
    const frame = await findWebview(page, 'karl-conversation');
    await untilWriting(frame);
    await takePicture(page, 'secondary-side-bar');
    // The next tests find the view where it was.
    const moved = page.locator('.part.auxiliarybar .composite.title', { hasText: 'Karl' });
    await untilGone(moved, () => runCommand(page, 'View: Reset View Locations'));
    await untilGone(page.locator('.part.auxiliarybar'), () =>
      runCommand(page, 'View: Toggle Secondary Side Bar Visibility'),
    );
  });
});
