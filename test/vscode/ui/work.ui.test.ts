import assert from 'node:assert/strict';
import fs from 'node:fs';
import path from 'node:path';
import type { Frame, Page } from 'playwright-core';
import type { ProviderServer } from '../../adapters/server/providerServer.ts';
import { quickInput, runCommandThatAsks } from '../harness/quickInput.ts';
import { newConversation, openKarlView } from '../harness/ready.ts';
import { folderOf } from '../harness/server.ts';
import { useSharedWindow } from '../harness/sharedEditor.ts';
import { takePicture } from '../harness/takePicture.ts';
import { expectCount, expectText, expectValue, press } from '../harness/tries.ts';
import { pressDialogButton, sendMessage } from '../harness/workbench.ts';
import { PRICE, ROUNDS, settingsFor, startModel, TOTAL, writeProgram } from '../harness/workScenario.ts';

describe('the agent at work', () => {
  let server: ProviderServer;
  let page: Page;
  let frame: Frame;

  const fileOf = (name: string): string => path.join(folderOf(page), name);
  const question = () => frame.locator('karl-question section');
  const answer = (name: string) => question().getByRole('button', { name, exact: true });

  beforeEach(async () => {
    server = await startModel();
    page = await useSharedWindow({ 'karl.summary.when': 'never' }, settingsFor(server));
    writeProgram(folderOf(page));
    await newConversation(page);
    frame = await openKarlView(page);
  });

  afterEach(() => server.close());

  it('finds a fault, edits two files and sees the tests pass, through compactions; all of it can be restored', async () => {
    await sendMessage(page, 'The check fails. Mend the program.');
    await question().getByText('Run this command?').waitFor();
    await question().locator('pre', { hasText: 'node check.mjs' }).waitFor();
    await takePicture(page, 'work-command');
    // Paused, it waits after the step that is under way.
    const goOn = frame.getByRole('button', { name: 'Resume', exact: true });
    await press(frame.getByRole('button', { name: 'Pause', exact: true }), goOn);
    await press(answer('Allow'), frame.getByText('Paused until you resume'));
    await takePicture(page, 'work-paused');
    await press(goOn, question().getByText('Change this file?'));
    await expectText(question(), /price\.mjs/);
    await expectText(question(), /\+1 −1/);
    // The change is in the diff editor, and the file as it was.
    await page.locator('.monaco-diff-editor').first().waitFor();
    assert.equal(fs.readFileSync(fileOf('price.mjs'), 'utf8'), PRICE);
    await takePicture(page, 'work-edit');
    await press(answer('Allow'), question().getByText('Run this command?'));
    assert.match(fs.readFileSync(fileOf('price.mjs'), 'utf8'), /\+ item\.tax/);
    await press(
      question().getByText('Always allow…'),
      question().getByRole('button', { name: 'Always allow exactly the command node check.mjs' }),
    );
    await press(
      question().getByRole('button', { name: 'Always allow exactly the command node check.mjs' }),
      question().getByText('Change this file?'),
    );
    await press(answer('Allow for This Turn'), frame.locator('karl-message', { hasText: 'Both faults are mended' }));
    await expectCount(question(), 0);
    assert.match(fs.readFileSync(fileOf('total.mjs'), 'utf8'), /sum \+ priceOf/);
    await frame.locator('karl-call', { hasText: 'exit 0' }).first().waitFor();
    await takePicture(page, 'work-done');
    await frame.locator('karl-compression').nth(1).waitFor({ state: 'attached' });
    // Nothing that was sent was too long, and no call was without its result.
    const asked = server.requests.filter(({ body }) => body.tools !== undefined);
    assert.equal(asked.length, ROUNDS.length);

    const message = frame.locator('karl-message', { hasText: 'Mend the program' }).first();
    await message.scrollIntoViewIfNeeded();
    await message.hover();
    await message.getByRole('button', { name: /^Restore the files/ }).click();
    await pressDialogButton(page, 'Restore');
    await expectValue(async () => fs.readFileSync(fileOf('price.mjs'), 'utf8'), PRICE);
    await expectValue(async () => fs.readFileSync(fileOf('total.mjs'), 'utf8'), TOTAL);

    // What is always allowed can be seen and revoked.
    await runCommandThatAsks(page, 'Karl: Review Permissions…', 'Always allowed in this workspace');
    const row = page.locator('.quick-input-list .monaco-list-row', { hasText: 'exactly the command node check.mjs' });
    await row.click();
    await page.keyboard.press('Enter');
    await quickInput(page, 'Always allowed in this workspace').waitFor({ state: 'hidden' });
  });
});
