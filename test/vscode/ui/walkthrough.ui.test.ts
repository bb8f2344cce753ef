import { runCommand } from '../harness/quickInput.ts';
import { openKarlView, waitUntilActive } from '../harness/ready.ts';
import { useSharedWindow } from '../harness/sharedEditor.ts';
import { takePicture } from '../harness/takePicture.ts';
import { press, until } from '../harness/tries.ts';
import { statusItem } from '../harness/workbench.ts';

describe('a window with Karl', () => {
  it('shows Karl in the status bar, and tells a screen reader its name once', async () => {
    const page = await useSharedWindow();
    await waitUntilActive(page);
    await statusItem(page)
      .and(page.getByLabel('Karl: no conversation is open', { exact: true }))
      .first()
      .waitFor();
  });
});

describe('the first minute', () => {
  it('is a walkthrough behind "Help", whose steps do what they say', async () => {
    const page = await useSharedWindow();
    await waitUntilActive(page);
    const guide = page.locator('.gettingStartedContainer');
    await until(guide.locator('h2', { hasText: 'Get Started with Karl' }), () => runCommand(page, 'Karl: Help'));
    await guide.locator('img:visible').first().waitFor();
    await takePicture(page, 'walkthrough');
    await press(
      guide.getByRole('button', { name: 'Open Sample Conversation' }),
      statusItem(page, /Karl\s+\d+\s*%/).first(),
    );
    const frame = await openKarlView(page);
    await frame.locator('karl-message').first().waitFor();
  });

  it('has the settings of Karl alone behind "Open Settings"', async () => {
    const page = await useSharedWindow();
    await waitUntilActive(page);
    const settings = page.locator('.settings-editor').getByText('Karl', { exact: false }).first();
    await until(settings, () => runCommand(page, 'Karl: Open Settings'));
    await page.locator('.settings-editor .setting-item-contents').first().waitFor();
  });
});
