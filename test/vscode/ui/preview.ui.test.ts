import assert from 'node:assert/strict';
import fs from 'node:fs';
import path from 'node:path';
import type { Locator, Page } from 'playwright-core';
import { openKarlView, waitUntilReady } from '../harness/ready.ts';
import { openSharedPage } from '../harness/sharedEditor.ts';
import { press, runCommand, statusItem, waitFor } from '../harness/workbench.ts';
import { root } from '../setup/root.ts';

async function takePicture(page: Page, name: string): Promise<void> {
  fs.mkdirSync(path.join(root, 'out/pictures'), { recursive: true });
  await page.screenshot({ path: path.join(root, `out/pictures/${name}.png`) });
}

/** `13.9k → 7.4k`. */
async function readFigures(locator: Locator): Promise<string | undefined> {
  return /\S+\s+→\s+\S+/.exec((await locator.textContent()) ?? '')?.[0].replace(/\s+/g, ' ');
}

describe('a compression that is previewed', () => {
  it('is shown, changed row by row and in the words of its summary, applied, undone and done again', async () => {
    const page = await openSharedPage();
    await statusItem(page).first().waitFor({ timeout: 90_000 });
    await runCommand(page, 'Karl: Open Sample Conversation');
    await waitUntilReady(page);
    const frame = await openKarlView(page);
    await runCommand(page, 'Karl: Preview Compression');
    const preview = frame.locator('karl-preview');
    const apply = preview.getByRole('button', { name: 'Apply' });
    const boxes = preview.getByRole('checkbox');
    await press(preview.locator('summary', { hasText: 'Replaced' }), boxes.first());
    await takePicture(page, 'preview');
    assert.equal(await frame.locator('karl-compression').count(), 0);

    const row = await boxes.first().getAttribute('aria-label');
    assert.ok(row);
    await boxes.first().check();
    const chosen = preview.locator('details', { hasText: 'Kept by you' }).getByRole('checkbox', { name: row });
    await chosen.waitFor();
    const summaries = preview.locator('karl-preview-summary');
    const edit = preview.getByRole('button', { name: /^Edit the summary/ }).first();
    await press(edit, preview.getByRole('textbox'));
    await preview.getByRole('textbox').fill('- Mind the rounding of half a cent on the moon base.');
    await preview.getByRole('button', { name: 'Use This Text' }).click();
    const marked = summaries.first().locator('em.unverified');
    await marked.waitFor();
    await takePicture(page, 'preview-edited');
    const promised = await readFigures(preview.locator('h2 [role=status]'));
    assert.ok(promised);
    await apply.click();

    const run = frame.locator('karl-compression article').first();
    await run.waitFor();
    await preview.waitFor({ state: 'detached' });
    assert.equal(await readFigures(run.locator('.tokens')), promised);
    await press(run.getByRole('button', { name: /^Summary of the compression/ }), run.getByText('moon base'));
    await takePicture(page, 'preview-applied');
    await run.getByRole('button', { name: /^Undo/ }).click();
    await run.getByRole('button', { name: /^Redo/ }).click();
    await run.getByRole('button', { name: /^Undo/ }).waitFor();
    await waitFor(
      () => run.locator('strong').first().textContent(),
      (title) => title?.trim() === 'Compressed',
    );
    await page.close();
  });
});
