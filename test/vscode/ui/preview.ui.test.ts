import assert from 'node:assert/strict';
import type { Locator } from 'playwright-core';
import { openKarlView, openSample } from '../harness/ready.ts';
import { useSharedWindow } from '../harness/sharedEditor.ts';
import { takePicture } from '../harness/takePicture.ts';
import { expectText, press, readText } from '../harness/tries.ts';

/** `13.9k → 7.4k`. */
async function readFigures(locator: Locator): Promise<string | undefined> {
  return /\S+ → \S+/.exec(await readText(locator))?.[0];
}

describe('a compression that is previewed', () => {
  it('is shown, changed row by row and in the words of its summary, applied, undone and done again', async () => {
    const page = await useSharedWindow();
    await openSample(page);
    const frame = await openKarlView(page);
    const preview = frame.locator('karl-preview');
    const way = page.getByRole('menuitem', { name: 'Preview Compression' });
    await press(frame.getByRole('button', { name: 'More ways to compress' }), way);
    await press(way, preview);
    const apply = preview.getByRole('button', { name: 'Apply' });
    const boxes = preview.getByRole('checkbox');
    await press(preview.locator('summary', { hasText: 'Summarized' }), boxes.first());
    await takePicture(page, 'preview');
    assert.equal(await frame.locator('karl-compression').count(), 0);

    const row = await boxes.first().getAttribute('aria-label');
    assert.ok(row);
    const chosen = preview.locator('details', { hasText: 'Kept by you' }).getByRole('checkbox', { name: row });
    // The row goes to another group, and its box with it.
    await press(boxes.first(), chosen);
    await preview.locator('section[aria-busy=false]').waitFor();
    const summaries = preview.locator('karl-preview-summary');
    const edit = preview.getByRole('button', { name: /^Edit the summary/ }).first();
    await press(edit, summaries.getByRole('textbox'));
    await summaries.getByRole('textbox').fill('- The harbour crane of the moon base stands still [t5].');
    const own = summaries.first().getByText('harbour crane of the moon base');
    await press(preview.getByRole('button', { name: 'Use This Text' }), own);
    await preview.locator('section[aria-busy=false]').waitFor();
    await takePicture(page, 'preview-edited');
    const promised = await readFigures(preview.locator('h2 [role=status]'));
    assert.ok(promised);
    const run = frame.locator('karl-compression article').first();
    await press(apply, run);
    await preview.waitFor({ state: 'detached' });
    assert.equal(await readFigures(run.locator('.tokens')), promised);
    await press(run.getByRole('button', { name: /^Summary: / }), run.getByText('moon base'));
    await takePicture(page, 'preview-applied');
    const [undo, redo] = [/^Undo/, /^Redo/].map((name) => run.getByRole('button', { name })) as [Locator, Locator];
    await press(undo, redo);
    await press(redo, undo);
    await expectText(run.locator('strong').first(), /^Compressed$/);
  });
});
