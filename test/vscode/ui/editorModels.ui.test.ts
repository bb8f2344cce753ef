import type { Frame, Page } from 'playwright-core';
import { pick } from '../harness/quickInput.ts';
import { newConversation } from '../harness/ready.ts';
import { useSharedWindow } from '../harness/sharedEditor.ts';
import { expectCount, pressAway } from '../harness/tries.ts';
import { findWebview, sendMessage } from '../harness/workbench.ts';

describe("VS Code's own models", () => {
  let page: Page;
  let frame: Frame;

  before(async () => {
    page = await useSharedWindow();
    await newConversation(page);
    frame = await findWebview(page, 'karl-composer');
  });

  it('are selected like a server, asked as other models are, with tools, and bring their window along', async () => {
    await sendMessage(page, 'Read the readme.');
    await pick(page, "VS Code's own models");
    await pick(page, 'loopback/parrot');
    await frame.locator('karl-message').getByText('It says: ').waitFor();
    await expectCount(frame.locator('karl-call', { hasText: 'README.md' }), 1);
    await frame.getByRole('button', { name: "Server VS Code's own models, select another" }).waitFor();
    // What it takes in, 12,000, and the reserve.
    await frame.getByText('13,714-token window (from the server)').waitFor();
  });

  it('say why they were not asked, and stop when the user does', async () => {
    await sendMessage(page, 'Be refused.');
    await frame.getByText('The vendor of this model blocks the request: Your plan has no more requests.').waitFor();
    await sendMessage(page, 'Wait for me.');
    await pressAway(frame.locator('karl-composer').getByRole('button', { name: 'Stop' }));
  });
});
