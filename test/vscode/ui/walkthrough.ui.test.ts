import fs from 'node:fs';
import path from 'node:path';
import { openKarlView, waitUntilActive, waitUntilReady } from '../harness/ready.ts';
import { openSharedPage } from '../harness/sharedEditor.ts';
import { runCommand } from '../harness/workbench.ts';
import { root } from '../setup/root.ts';

describe('the first minute', () => {
  it('is a walkthrough behind "Help", whose steps do what they say', async () => {
    const page = await openSharedPage();
    await waitUntilActive(page);
    await runCommand(page, 'Karl: Help');
    const guide = page.locator('.gettingStartedContainer');
    await guide.locator('h2', { hasText: 'Get Started with Karl' }).waitFor();
    await guide.locator('img:visible').first().waitFor();
    fs.mkdirSync(path.join(root, 'out/pictures'), { recursive: true });
    await page.screenshot({ path: path.join(root, 'out/pictures/walkthrough.png') });
    await guide.getByRole('button', { name: 'Open Sample Conversation' }).click();
    await waitUntilReady(page);
    const frame = await openKarlView(page);
    await frame.locator('karl-message').first().waitFor();
    await page.close();
  });

  it('has the settings of Karl alone behind "Open Settings"', async () => {
    const page = await openSharedPage();
    await waitUntilActive(page);
    await runCommand(page, 'Karl: Open Settings');
    await page.locator('.settings-editor').getByText('Karl', { exact: false }).first().waitFor();
    await page.locator('.settings-editor .setting-item-contents').first().waitFor();
    await page.close();
  });
});
