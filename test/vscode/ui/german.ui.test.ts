import assert from 'node:assert/strict';
import type { Page } from 'playwright-core';
import { leaveQuickInput, readPicks, runCommand, runCommandThatAsks } from '../harness/quickInput.ts';
import { openKarlView, waitUntilActive } from '../harness/ready.ts';
import { openSharedPage } from '../harness/sharedEditor.ts';
import { takePicture } from '../harness/takePicture.ts';
import { expectText, expectValue, press, until, waitFor } from '../harness/tries.ts';
import { statusItem } from '../harness/workbench.ts';

describe('an editor whose display language is German', () => {
  let page: Page;

  // Of its own: nothing was opened or compressed yet.
  before(async () => {
    page = await openSharedPage({ language: 'de' });
  });
  after(() => page.close());

  it('has a walkthrough behind "Help", whose steps do what they say and show a picture', async () => {
    await waitUntilActive(page);
    // A screen reader is told its name once.
    const name = page.getByLabel('Karl: Keine Unterhaltung geöffnet', { exact: true });
    await statusItem(page).and(name).first().waitFor();
    const guide = page.locator('.gettingStartedContainer');
    await until(guide.locator('h2', { hasText: 'Erste Schritte mit Karl' }), () => runCommand(page, 'Karl: Hilfe'));
    await guide.locator('img:visible').first().waitFor();
    await takePicture(page, 'walkthrough');
    const mark = (step: string) => guide.locator(`[role="checkbox"][x-dispatch$="#start#${step}"]`).first();
    const isDone = (step: string) => mark(step).getAttribute('aria-checked');
    const button = (name: string) => guide.getByRole('button', { name, exact: true });
    const openStep = async (title: string, name: string) =>
      await press(guide.locator('.step-title', { hasText: title }).first(), button(name));
    // Before there is anything to compress or to undo.
    const [compress, undo] = ['Unterhaltung komprimieren', 'Letzte Komprimierung rückgängig machen'] as const;
    await openStep('Komprimieren', compress);
    await button(compress).click();
    await openStep('Rückgängig machen', undo);
    await button(undo).click();
    await openStep('Beispielunterhaltung öffnen', 'Beispielunterhaltung öffnen');
    await press(button('Beispielunterhaltung öffnen'), statusItem(page, /Karl\s+\d+\s*%/).first());
    const frame = await openKarlView(page);
    await frame.locator('karl-message').first().waitFor();
    await expectValue(() => isDone('sample'), 'true', 'that the sample is done is');
    assert.deepEqual([await isDone('compress'), await isDone('undo')], ['false', 'false']);
    for (const [step, title, name] of [
      ['compress', 'Komprimieren', compress],
      ['undo', 'Rückgängig machen', undo],
    ] as const) {
      await openStep(title, name);
      await button(name).click();
      await expectValue(() => isDone(step), 'true', `that ${step} is done is`);
    }
    await openStep('Ein Modell verbinden', 'Server auswählen');
    await takePicture(page, 'walkthrough-model');
  });

  it('has the dialogs, view and settings of Karl in German', async () => {
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
  });
});
