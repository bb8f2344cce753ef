import path from 'node:path';
import type { Frame, Page } from 'playwright-core';
import { type Editor, openEditor } from '../harness/editor.ts';
import { pick } from '../harness/quickInput.ts';
import { newConversation, waitUntilActive } from '../harness/ready.ts';
import { expectCount, pressAway } from '../harness/tries.ts';
import { findWebview, sendMessage } from '../harness/workbench.ts';
import { root } from '../setup/root.ts';

describe("VS Code's own models", () => {
  let editor: Editor;
  let page: Page;
  let frame: Frame;

  before(async () => {
    editor = await openEditor({
      extension: { kind: 'linked' },
      builtins: 'few',
      beside: path.join(root, 'test/fixtures/models'),
    });
    page = await editor.openPage();
    await waitUntilActive(page);
    await newConversation(page);
    frame = await findWebview(page, 'karl-composer');
  });

  after(() => editor.close());

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
