import type { Frame, Page } from 'playwright-core';
import { ProviderServer } from '../../adapters/server/providerServer.ts';
import { errorReply, type ScriptedReply, textReply } from '../../adapters/server/reply.ts';
import { enterText, pick, quickInput, runCommand, runCommandThatAsks } from '../harness/quickInput.ts';
import { openKarlView, openSample } from '../harness/ready.ts';
import { useSharedWindow } from '../harness/sharedEditor.ts';
import { expectCount, expectText, press } from '../harness/tries.ts';
import { sendMessage } from '../harness/workbench.ts';

const NOTE = '- "northwind" was billed 1,284.50 for the week of 23 March, and they say it must be 1,204.00 [t1].';
const SPENT = errorReply(429, {
  error: { code: 'insufficient_quota', message: 'You exceeded your current quota, please check your plan.' },
});

describe('a summary that the server refuses to write', () => {
  let server: ProviderServer;
  let page: Page;
  let frame: Frame;
  let refusal: ScriptedReply | undefined;

  before(async () => {
    server = await ProviderServer.start({
      respond: ({ body }) => {
        const isSummary = String(body.messages?.[0]?.content).includes('hand-over of a part');
        return isSummary ? (refusal ?? textReply(NOTE)) : undefined;
      },
    });
  });

  beforeEach(async () => {
    // The user's own: a server that a folder names is asked about.
    const users = {
      'karl.baseUrl': server.baseUrl,
      'karl.model': 'loopback-model',
      'karl.compaction.mode': 'manual',
      'karl.summary.check': 'words',
      'karl.summary.when': 'always',
    };
    page = await useSharedWindow({}, users);
    await openSample(page);
    frame = await openKarlView(page);
    await sendMessage(page, 'Go on.');
    await frame.getByText('Understood.').first().waitFor();
  });

  after(() => server.close());

  const notice = () => frame.locator('karl-notices .notice');
  const run = () => frame.locator('karl-compression article').first();

  async function compressWithKarl(): Promise<void> {
    await runCommandThatAsks(page, 'Karl: Compress Conversation With…', 'which strategy');
    await pick(page, 'karl');
  }

  it('for want of quota is told as that in the preview, which is made again when another model was chosen', async () => {
    refusal = SPENT;
    await compressWithKarl();
    await notice().getByText('The account has no credit or quota left').waitFor();
    await runCommand(page, 'Karl: Preview Compression');
    const preview = frame.locator('karl-preview');
    await preview.getByRole('combobox', { name: 'Strategy' }).selectOption('karl');
    await preview.getByText('The account has no credit or quota left').waitFor();
    const select = preview.getByRole('button', { name: 'Select Model…' });
    await press(select, quickInput(page, 'Name of the model'));
    refusal = undefined;
    await enterText(page, 'Name of the model', 'loopback-model');
    await expectCount(preview.getByRole('alert'), 0);
    await press(preview.getByRole('button', { name: 'Apply' }), run());
    await expectText(run().locator('.dotted'), /karl/);
  });
});
