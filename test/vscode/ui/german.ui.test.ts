import assert from 'node:assert/strict';
import { leaveQuickInput, readPicks, runCommand, runCommandThatAsks } from '../harness/quickInput.ts';
import { openKarlView, waitUntilActive, waitUntilReady } from '../harness/ready.ts';
import { openSharedPage } from '../harness/sharedEditor.ts';
import { takePicture } from '../harness/takePicture.ts';
import { expectText, until, waitFor } from '../harness/tries.ts';

describe('an editor whose display language is German', () => {
  it('has the commands, dialogs, view and settings of Karl in German', async () => {
    const page = await openSharedPage({ language: 'de' });
    await waitUntilActive(page);
    await runCommand(page, 'Karl: Beispielunterhaltung öffnen');
    await waitUntilReady(page);

    const frame = await openKarlView(page);
    assert.equal(await frame.locator('html').getAttribute('lang'), 'de');
    await expectText(frame.locator('karl-gauge .use').first(), /^\d+\.\d{3} von \d+\.\d{3} Token/);
    await expectText(frame.locator('karl-gauge .next').first(), /^Über dem Schwellenwert von /);
    await takePicture(page, 'german-view');

    await runCommandThatAsks(page, 'Karl: Unterhaltung komprimieren mit…', 'Karl: Mit welcher Strategie komprimieren?');
    await waitFor(
      () => readPicks(page),
      (labels) => /Die ältesten Nachrichten entfernen.*Fragt nie ein Modell/.test(labels.join()),
    );
    await takePicture(page, 'german-menu');
    await leaveQuickInput(page, 'Karl: Mit welcher Strategie komprimieren?');

    const setting = page.locator('.settings-editor .setting-item-contents', { hasText: 'Basis-URL eines' }).first();
    await until(setting, () => runCommand(page, 'Karl: Einstellungen öffnen'));
    await takePicture(page, 'german-settings');
    await page.close();
  });
});
