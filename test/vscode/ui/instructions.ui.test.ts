import assert from 'node:assert/strict';
import { enterText, runCommand, runCommandThatAsks } from '../harness/quickInput.ts';
import { openKarlView, openSample } from '../harness/ready.ts';
import { useSharedWindow } from '../harness/sharedEditor.ts';
import { takePicture } from '../harness/takePicture.ts';
import { press } from '../harness/tries.ts';
import { readNotifications } from '../harness/workbench.ts';

const COMMAND = 'Karl: Compress Conversation With Instructions…';
const BOX = 'What must this compression keep?';

describe('one compression with instructions', () => {
  it('asks what to keep, and the receipt repeats it', async () => {
    const page = await useSharedWindow();
    await openSample(page);
    const frame = await openKarlView(page);
    await runCommandThatAsks(page, COMMAND, BOX);
    await enterText(page, BOX, 'keep the rounding rule');
    await frame.locator('karl-compression article').first().waitFor({ state: 'attached' });
    await page.keyboard.press('Escape');
    const asked = frame.getByText('You asked: “keep the rounding rule”.');
    await press(frame.getByRole('button', { name: /^Details: / }), asked);
    await takePicture(page, 'instructions');
  });
});

describe('the hook before a compression', () => {
  it('of the user stops it and the reason is shown; one that the folder names does not run', async () => {
    const hook = `node -e "console.error('A release is under way.'); process.exit(2)"`;
    const folders = { 'karl.hooks.beforeCompact': 'node -e 0' };
    const page = await useSharedWindow(folders, { 'karl.hooks.beforeCompact': hook });
    await openSample(page);
    const frame = await openKarlView(page);
    await runCommand(page, 'Karl: Compress Conversation');
    const reason = 'karl.hooks.beforeCompact stopped the compression (manual): A release is under way.';
    const notices = frame.locator('karl-notices');
    await notices.getByText(reason).waitFor();
    assert.deepEqual(
      (await readNotifications(page)).filter((text) => text.includes(reason)),
      [],
    );
    await takePicture(page, 'veto');
    assert.equal(await frame.locator('karl-compression article').count(), 0);
    await press(
      notices.getByRole('button', { name: /^Open Settings/ }),
      page.getByText('Hooks: Before Compact').first(),
    );
  });
});
