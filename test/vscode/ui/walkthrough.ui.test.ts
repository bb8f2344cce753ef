import assert from 'node:assert/strict';
import { readManifest } from '../../manifest.ts';
import { runCommand } from '../harness/quickInput.ts';
import { openKarlView, waitUntilActive } from '../harness/ready.ts';
import { openSharedPage } from '../harness/sharedEditor.ts';
import { takePicture } from '../harness/takePicture.ts';
import { expectValue, press, TRY_TIMEOUT, until, untilGone, waitFor } from '../harness/tries.ts';
import { statusItem } from '../harness/workbench.ts';

describe('the first minute', () => {
  it('is a walkthrough behind "Help", whose steps do what they say, each with a picture of its own', async () => {
    // Of its own: nothing was opened or compressed yet.
    const page = await openSharedPage();
    await waitUntilActive(page);
    // A screen reader is told its name once.
    const name = page.getByLabel('Karl: no conversation is open', { exact: true });
    await statusItem(page).and(name).first().waitFor();
    const guide = page.locator('.gettingStartedContainer');
    await until(guide.locator('h2', { hasText: 'Get Started with Karl' }), () => runCommand(page, 'Karl: Help'));
    await guide.locator('img:visible').first().waitFor();
    await takePicture(page, 'walkthrough');
    const mark = (step: string) => guide.locator(`[role="checkbox"][x-dispatch$="#start#${step}"]`).first();
    const isDone = (step: string) => mark(step).getAttribute('aria-checked');
    const button = (name: string) => guide.getByRole('button', { name, exact: true });
    const openStep = async (title: string, name: string) =>
      await press(guide.locator('.step-title', { hasText: title }).first(), button(name));
    // Before there is anything to compress or to undo.
    await openStep('Compress it', 'Compress Conversation');
    await button('Compress Conversation').click();
    await openStep('Undo it', 'Undo Last Compression');
    await button('Undo Last Compression').click();
    await openStep('Open a sample conversation', 'Open Sample Conversation');
    await press(button('Open Sample Conversation'), statusItem(page, /Karl\s+\d+\s*%/).first());
    const frame = await openKarlView(page);
    await frame.locator('karl-message').first().waitFor();
    await expectValue(() => isDone('sample'), 'true', 'that the sample is done is');
    assert.deepEqual([await isDone('compress'), await isDone('undo')], ['false', 'false']);
    for (const [step, title, name] of [
      ['compress', 'Compress it', 'Compress Conversation'],
      ['undo', 'Undo it', 'Undo Last Compression'],
    ] as const) {
      await openStep(title, name);
      await button(name).click();
      await expectValue(() => isDone(step), 'true', `that ${step} is done is`);
    }
    await openStep('Connect a model', 'Select Server');
    await takePicture(page, 'walkthrough-model');
    // Where there is little room for them, the pictures are left out.
    await untilGone(page.locator('.part.sidebar'), () => runCommand(page, 'View: Close Primary Side Bar'));
    for (const { id, media } of readManifest().contributes.walkthroughs.flatMap(({ steps }) => steps)) {
      const shown = guide.locator(`.getting-started-step[data-step-id$="#start#${id}"]`);
      await until(
        () => shown.evaluate((one) => one.classList.contains('expanded')),
        () => shown.locator('.step-title').click({ timeout: TRY_TIMEOUT }),
      );
      const picture = guide.locator(`img[srcset*="${encodeURIComponent(media.image.dark)}"]:visible`);
      await waitFor(
        () => picture.evaluateAll((images) => images.map((image) => (image as HTMLImageElement).naturalWidth > 0)),
        ([isLoaded]) => isLoaded === true,
        { what: `whether ${media.image.dark} has loaded is` },
      );
    }
    await page.close();
  });
});
