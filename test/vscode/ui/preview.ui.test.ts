import assert from 'node:assert/strict';
import type { Locator } from 'playwright-core';
import { runCommand } from '../harness/quickInput.ts';
import { openKarlView, openSample } from '../harness/ready.ts';
import { useSharedWindow } from '../harness/sharedEditor.ts';
import { takePicture } from '../harness/takePicture.ts';
import { expectCount, expectText, press, readText, until } from '../harness/tries.ts';

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

  it('sets aside what the user unchecks, in its record: the conversation shows it, and one undo takes it back', async () => {
    const page = await useSharedWindow();
    await openSample(page);
    const frame = await openKarlView(page);
    const preview = frame.locator('karl-preview');
    await until(preview, () => runCommand(page, 'Karl: Preview Compression'));
    const figures = preview.locator('h2 [role=status] [title]');
    const readAfter = async () => {
      await preview.locator('section[aria-busy=false]').waitFor();
      const [, tokens = ''] = /→ ([\d,]+) of/.exec((await figures.getAttribute('title')) ?? '') ?? [];
      return Number(tokens.replace(',', ''));
    };
    const planned = await readAfter();
    const group = (name: string) => preview.locator('details', { has: frame.locator(`strong:text-is("${name}")`) });
    const kept = group('Kept').locator('input:checked:enabled');
    await press(group('Kept').locator('summary'), kept.first());
    const label = await kept.last().getAttribute('aria-label');
    assert.ok(label);
    const row = group('Set aside by you').getByRole('checkbox', { name: label });
    await press(group('Kept').getByRole('checkbox', { name: label }), row);
    const after = await readAfter();
    assert.ok(after > 0 && after < planned, `${planned} → ${after}`);
    await takePicture(page, 'preview-aside');
    const promised = await readFigures(figures);
    const run = frame.locator('karl-compression article').first();
    await press(preview.getByRole('button', { name: 'Apply' }), run);
    await preview.waitFor({ state: 'detached' });
    assert.equal(await readFigures(run.locator('.tokens')), promised);
    const mark = frame.locator('button.mark.dropped');
    await expectCount(mark, 1);
    await mark.scrollIntoViewIfNeeded();
    const [, object] = /\((messages? [^)]*)\)$/.exec(label) ?? [];
    assert.equal(await mark.getAttribute('aria-label'), `dropped: show original of ${object}`);
    await takePicture(page, 'preview-aside-applied');
    await press(run.getByRole('button', { name: /^Undo/ }), run.getByRole('button', { name: /^Redo/ }));
    await expectCount(mark, 0);
  });
});
