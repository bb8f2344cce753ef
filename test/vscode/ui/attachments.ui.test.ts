import assert from 'node:assert/strict';
import type { Page } from 'playwright-core';
import { ProviderServer } from '../../adapters/server/providerServer.ts';
import { textReply } from '../../adapters/server/reply.ts';
import { pick, quickInput, runCommand } from '../harness/quickInput.ts';
import { newConversation, openKarlView } from '../harness/ready.ts';
import { useSharedWindow } from '../harness/sharedEditor.ts';
import { takePicture } from '../harness/takePicture.ts';
import { press, until, waitFor } from '../harness/tries.ts';
import { copyImage, findWebview, openViewContainer } from '../harness/workbench.ts';

const MODEL = 'loopback-model';

describe('files and selections that go with a message', () => {
  let server: ProviderServer;
  beforeEach(async () => {
    const list = { object: 'list', data: [{ id: MODEL, object: 'model', max_model_len: 16_384 }] };
    server = await ProviderServer.start({ pages: { '/v1/models': list } });
  });
  afterEach(() => server.close());

  /** None while the view is being drawn again after it was hidden. */
  const chips = async (page: Page) => {
    const frame = await findWebview(page, 'karl-composer');
    return await frame
      .locator('karl-composer .attachments li')
      .allInnerTexts()
      .catch((error: unknown) => (frame.isDetached() ? [] : Promise.reject(error)));
  };
  const untilChips = (page: Page, are: (labels: readonly string[]) => boolean) => waitFor(() => chips(page), are);

  it('are chosen after an @ and from an editor, sent as data and shown beside the message; a reply leads into the editor', async () => {
    const page = await useSharedWindow({ 'karl.baseUrl': server.baseUrl, 'karl.model': MODEL });
    server.enqueue(textReply('Understood. See `AGENTS.md:3`.\n\n```ts\nconst answer = 42;\n```'));
    await newConversation(page);
    let frame = await openKarlView(page);
    const input = frame.locator('karl-composer textarea');
    await input.pressSequentially('What does @agents');
    await frame.getByRole('option', { name: 'AGENTS.md' }).waitFor();
    await takePicture(page, 'mention');
    await input.press('Enter');
    await untilChips(page, ([first]) => first?.startsWith('AGENTS.md') === true);
    await input.pressSequentially('say?');
    await copyImage(page);
    await input.press('Control+V');
    await untilChips(page, (all) => /^Image, /.test(all[1] ?? ''));
    await frame.getByRole('button', { name: /^Remove Image, / }).click();

    await openViewContainer(page, 'Explorer');
    const line = page.locator('.monaco-editor .view-line').first();
    await until(line, () => page.locator('.explorer-folders-view').getByText('AGENTS.md').dblclick());
    await until(page.locator('.monaco-editor .selected-text').first(), async () => {
      await line.click();
      await page.keyboard.press('Control+A');
    });
    await runCommand(page, 'Karl: Add Selection to Karl');
    await untilChips(page, (all) => /^AGENTS\.md:\d+-\d+/.test(all[1] ?? ''));
    await takePicture(page, 'attachments');
    await until(quickInput(page, 'This folder names a server'), async () => {
      frame = await findWebview(page, 'karl-composer');
      await frame.locator('karl-composer textarea').press('Enter');
    });
    await pick(page, 'Send the conversations of this folder');
    await frame.getByText('Understood.').first().waitFor();
    const sent = server.requests.flatMap(({ body }) => body.messages ?? []).find(({ role }) => role === 'user');
    assert.match(
      String(sent?.content),
      /^What does @AGENTS\.md say\?\n\n<attachment path="AGENTS\.md">\n[\s\S]+\n<\/attachment>\n\n<attachment path="AGENTS\.md" lines="\d+-\d+">/,
    );
    await untilChips(page, (left) => left.length === 0);
    const attached = frame.locator('karl-message .attached');
    await attached.getByRole('button', { name: 'AGENTS.md', exact: true }).waitFor();
    const box = frame.locator('karl-composer textarea');
    await box.pressSequentially('@src/zones.ts');
    await frame.getByRole('option', { name: 'zones.ts' }).waitFor();
    await box.pressSequentially(' explain this, not @src/none.ts');
    await box.press('Enter');
    await attached.getByRole('button', { name: 'src/zones.ts', exact: true }).waitFor();

    await frame.locator('karl-message .hljs-keyword').waitFor();
    await press(
      frame.getByRole('link', { name: 'AGENTS.md:3', exact: true }),
      page.locator('.statusbar-item', { hasText: 'Ln 3, Col 1' }),
    );
    await press(
      frame.getByRole('button', { name: 'Insert the code at the cursor' }),
      page.locator('.monaco-editor .view-line', { hasText: 'answer' }).first(),
    );
  });
});
