import assert from 'node:assert/strict';
import fs from 'node:fs';
import path from 'node:path';
import type { Frame, Locator, Page } from 'playwright-core';
import { expectLooks } from '../harness/looks.ts';
import { enterText, quickInput, runCommand, runCommandThatAsks } from '../harness/quickInput.ts';
import { openKarlView, openSample, readPercent, untilCounted } from '../harness/ready.ts';
import { useSharedWindow } from '../harness/sharedEditor.ts';
import { takePicture } from '../harness/takePicture.ts';
import {
  expectCount,
  expectText,
  expectValue,
  isThere,
  press,
  pressAway,
  readText,
  TRY_TIMEOUT,
  until,
  waitFor,
} from '../harness/tries.ts';
import { closeNotifications, findWebview, readNotifications, statusItem } from '../harness/workbench.ts';
import { EXTENSION_PAGE } from '../setup/packageExtension.ts';
import { root } from '../setup/root.ts';

/** A window with the sample conversation. */
async function openSamplePage(): Promise<Page> {
  const page = await useSharedWindow();
  await openSample(page);
  return page;
}

/** Compresses with the command, and waits until the view shows it. */
async function compress(page: Page, frame: Frame): Promise<void> {
  await runCommand(page, 'Karl: Compress Conversation');
  await frame.locator('karl-compression article').first().waitFor({ state: 'attached' });
}

/** Loads everything that was said before the first row. */
async function showEarliest(frame: Frame): Promise<void> {
  const earlier = frame.locator('button.earlier');
  for (let before = await readText(earlier); before !== ''; before = await readText(earlier)) {
    await press(earlier, async () => (await readText(earlier)) !== before);
  }
}

/** Opens or closes a part of what fills the window, until its rows are there. */
async function unfold(frame: Frame, group: string): Promise<void> {
  const shown = frame.locator('karl-contents .group', { hasText: group });
  await press(shown.locator('summary'), shown.locator('.row button').first());
}

describe('the main job', () => {
  it('fills the gauge, compresses, shows what was done in its place, takes it back and does it again', async () => {
    const page = await openSamplePage();
    const frame = await openKarlView(page);
    const use = frame.locator('karl-gauge .use');
    await untilCounted(page, frame);
    const before = await expectText(use, /^1[234],\d{3} of 14,848 tokens · 9\d ?%/);
    await takePicture(page, 'before');

    await compress(page, frame);
    const share = await untilCounted(page, frame);
    assert.ok(share > 10 && share <= 55, `${share}%`);
    const compressed = await readText(use);
    const promised = fs.readFileSync(path.join(root, EXTENSION_PAGE), 'utf8');
    for (const figures of [before, compressed]) assert.ok(promised.includes(figures), figures);
    const told = await readNotifications(page);
    const notified = told.filter((text) => text.includes('Compressed'));
    assert.deepEqual(notified, [], 'the view shows it');
    await closeNotifications(page);
    const note = frame.locator('karl-compression karl-note');
    await press(frame.getByRole('button', { name: /^Summary: / }), note);
    await expectText(note, /.{200}/);
    await takePicture(page, 'after');
    await expectLooks(page, frame, 'compressed');

    const undo = frame.getByRole('button', { name: /^Undo: / });
    await pressAway(undo);
    await expectValue(() => readText(use), before);
    assert.ok((await untilCounted(page, frame)) > 80);
    await press(frame.getByRole('button', { name: /^Redo: / }), undo);
    await expectValue(() => readText(use), compressed);
  });

  it('keeps a message through a compression once the user has pinned it; the pin can be taken away', async () => {
    const page = await openSamplePage();
    const frame = await openKarlView(page);
    await frame.locator('karl-conversation').waitFor();
    await showEarliest(frame);
    const rows = frame.locator('karl-conversation .row', { has: frame.locator('karl-call') });
    const compressAll = async () => {
      await runCommand(page, 'Karl: Compress Conversation');
      const isCompressed = (percent: number) => percent <= 58;
      await waitFor(() => readPercent(page), isCompressed);
      await showEarliest(frame);
    };
    await compressAll();
    const marks = await rows.evaluateAll((all) => all.map((one) => one.querySelector('button.mark') !== null));
    const row = rows.nth(marks.indexOf(true));
    await press(frame.getByRole('button', { name: /^Undo: / }), frame.getByRole('button', { name: /^Redo/ }));
    await showEarliest(frame);
    const [pin, unpin] = [/^Pin/, /^Unpin/].map((name) => row.getByRole('button', { name })) as [Locator, Locator];
    await until(unpin, async () => {
      await row.hover();
      await pin.click({ timeout: TRY_TIMEOUT });
    });
    await row.locator('.mark.pin').waitFor();
    await compressAll();
    await expectCount(row.locator('button.mark'), 0);
    await takePicture(page, 'pinned');
    await until(pin, async () => {
      await row.hover();
      await unpin.click({ timeout: TRY_TIMEOUT });
    });
  });

  it('compresses with instructions, which the receipt repeats; opens originals and changes, which nobody can edit', async () => {
    const page = await openSamplePage();
    const frame = await openKarlView(page);
    const box = 'What must this compression keep?';
    await runCommandThatAsks(page, 'Karl: Compress Conversation With Instructions…', box);
    await enterText(page, box, 'keep the rounding rule');
    await frame.locator('karl-compression article').first().waitFor({ state: 'attached' });
    await press(
      frame.getByRole('button', { name: /^Details: / }),
      frame.getByText('You asked: “keep the rounding rule”.'),
    );
    await takePicture(page, 'instructions');
    const originals = frame.getByRole('button', { name: /^Originals: / });
    await press(originals, page.locator('.tab.active', { hasText: 'Originals of' }));
    const editor = page.locator('.editor-instance .view-lines').first();
    await expectText(editor, /^\[t\d+\] /);
    await until(page.getByRole('alert').filter({ hasText: 'read-only' }), async () => {
      await editor.click();
      await page.keyboard.type('edited');
    });
    const changes = frame.getByRole('button', { name: /^Changes: / });
    await press(changes, page.locator('.tab.active', { hasText: 'before and after' }));
    await page.locator('.monaco-diff-editor .line-delete, .monaco-diff-editor .char-delete').first().waitFor();
    await takePicture(page, 'changes');
    await press(frame.locator('button.mark').first(), page.locator('.tab.active', { hasText: /Original t\d/ }));
  });

  it('says in the status bar what is used, of which window, by which source, and when it compresses next', async () => {
    const page = await openSamplePage();
    await untilCounted(page, await openKarlView(page));
    const item = statusItem(page, /Karl\s+\d/).first();
    const tooltip = page.locator('.monaco-hover', { hasText: 'Context budget' }).first();
    const parts = [
      'used',
      'exact count',
      'window',
      '16,384',
      'profile',
      'reserve',
      '1,536',
      'Over the threshold of 12,1',
    ];
    await waitFor(
      async () => {
        // One that is open does not change, and none opens while the status bar is drawn again.
        await page.mouse.move(640, 300);
        await tooltip.waitFor({ state: 'hidden', timeout: TRY_TIMEOUT });
        await item.hover();
        await tooltip.waitFor({ timeout: 2_000 }).catch(() => undefined);
        return await readText(tooltip);
      },
      (text) => parts.every((part) => text.includes(part)),
      { what: `the tooltip, which should have ${parts.join(', ')}, is` },
    );
  });

  it('shows what fills the window, from the status bar, and leads to what is listed there', async () => {
    const page = await openSamplePage();
    const side = await openKarlView(page);
    await press(statusItem(page, /Karl\s+\d/).first(), isThere(side.locator('karl-contents .scroller')));
    const frame = await findWebview(page, 'karl-contents .scroller');
    await unfold(frame, 'Files read');
    const files = frame.locator('karl-contents .group', { hasText: 'Files read' });
    await expectText(files, /readings.*outdated/);
    await takePicture(page, 'contents');
    await press(
      files.locator('button.label').first(),
      frame.locator('karl-conversation .row > karl-call.found').first(),
    );
    const places = await page.locator('.webview-overlay-content').evaluateAll((all) => all.map((one) => one.scrollTop));
    assert.deepEqual(places, [0], 'the view itself has not moved');
  });

  it('drops one result of a tool from what fills the window, and takes that back by one undo', async () => {
    const page = await openSamplePage();
    await runCommand(page, 'Karl: Show What Fills the Window');
    const frame = await findWebview(page, 'karl-contents .scroller');
    await frame.locator('karl-contents :is(summary, .row button):focus').waitFor();
    const before = await untilCounted(page, frame);
    const last = frame.locator('karl-contents .last');
    await unfold(frame, 'Tool results');
    const results = frame.locator('karl-contents .group', { hasText: 'Tool results' });
    const drop = results.locator('button[data-act=dropped]:not([aria-label*=" results of "])').first();
    // In a narrow view, the buttons of a row are there while it has the pointer or the focus.
    await drop.focus();
    await press(drop, last);
    await expectText(last, /^Dropped: \d+,\d{3} → \d+,\d{3} tokens Undo$/);
    const isLess = (percent: number) => percent < before;
    await waitFor(() => readPercent(page), isLess);
    const aside = frame.locator('karl-contents .group', { hasText: 'Set aside' });
    await unfold(frame, 'Set aside');
    assert.equal((await expectText(aside, /dropped/)).split('dropped').length, 2, 'one row');
    await takePicture(page, 'dropped');
    await pressAway(last.getByRole('button'));
    await expectCount(aside, 0);
    await expectValue(() => readPercent(page), before);
    await unfold(frame, 'Tokens of each request');
    const newest = frame.locator('karl-contents .group', { hasText: 'Tokens of each request' }).locator('.row').first();
    await expectText(newest, /Undone: \d+,\d{3} → \d+,\d{3} tokens/);
    await takePicture(page, 'history');
    const row = frame.locator('karl-compression', { hasText: 'Dropped by you, undone' });
    await press(frame.getByRole('button', { name: 'Close what fills the window' }), row);
    await takePicture(page, 'dropped-undone');
  });

  it('sets the window of the model from what fills the window, and says what is wrong with a figure', async () => {
    const page = await openSamplePage();
    await runCommand(page, 'Karl: Show What Fills the Window');
    const frame = await findWebview(page, 'karl-contents .scroller');
    const box = 'Context window of';
    const set = frame.getByRole('button', { name: 'Set context window…' });
    await press(set, quickInput(page, box));
    const problem = 'Enter a whole number of tokens from 1,000 to 100,000,000, such as 32768';
    await enterText(page, box, '32k', problem);
    await enterText(page, box, '32,768');
    const figures = frame.locator('karl-gauge summary');
    await expectText(figures, /32,768-token window \(from the settings\)/);
    await takePicture(page, 'window-set');
    await press(set, quickInput(page, box));
    await enterText(page, box, '');
    await expectText(figures, /16,384-token window \(from the model profile\)/);
  });
});
