import assert from 'node:assert/strict';
import type { Browser, Locator } from 'playwright-core';
import type { NoticeState, ViewState } from '../../../src/protocol/viewState.ts';
import { launchBrowser } from '../harness/editor.ts';
import { openWebview, type WebviewPage } from './page.ts';
import { message, preview, view, workingView } from './sample.ts';

const HEIGHT = 500;

function notice(id: string, severity: NoticeState['severity']): NoticeState {
  return {
    id,
    severity,
    text: 'The server did not answer the last three requests, so Karl stopped and kept what was written so far.',
    actions: ['Retry', 'Open Settings'].map((label) => ({ id: label, label })),
    canDismiss: true,
  };
}

const entries = Array.from({ length: 12 }, (_, id) => message({ id, role: id % 2 === 0 ? 'user' : 'assistant' }));
const notices = [notice('a', 'error'), notice('b', 'info')];
const { activity } = workingView();
const attachments: ViewState['attachments'] = [
  { kind: 'file', label: 'src/a.ts', path: 'src/a.ts', line: 1, tokens: 412 },
  { kind: 'image', label: 'Image, 12 kB', tokens: 85 },
];
const readOnly = 'Another window has taken over this conversation. What was not yet written stays here only.';
const editing = [{ conversation: 'one', id: 0, draft: '' }];
const conversation = { id: 'one', title: 'Fix the flaky login test', model: 'qwen3-coder-30b' };

/** What can be around the conversation or the preview, beside a draft of several lines and two notices. */
const CASES: Readonly<Record<string, { readonly state: Partial<ViewState>; readonly saved?: object }>> = {
  'nothing else': { state: {} },
  'an agent that works, with a queue': { state: { activity, queued: ['Then add a test.', 'And a note.'] } },
  'a message that is edited': { state: {}, saved: { editing } },
  'a box that is locked': { state: { conversation: { ...conversation, readOnly } } },
  'files that are attached': { state: { activity, attachments } },
  'a preview': { state: { preview } },
  'a preview, and work': { state: { preview, activity, queued: ['Then add a test.'] } },
  'a preview, and files that are attached': { state: { preview, attachments } },
};

describe('a low view', () => {
  let browser: Browser;
  let web: WebviewPage;
  before(async () => {
    browser = await launchBrowser();
  });
  after(() => browser.close());
  afterEach(async () => {
    assert.deepEqual(web.problems, []);
    await web.page.close();
  });

  const endOf = async (locator: Locator) => {
    const { y, height } = (await locator.boundingBox()) ?? assert.fail('it is not drawn');
    return y + height;
  };

  async function open(width: number, state: Partial<ViewState>, more: object = {}): Promise<void> {
    const saved = { draft: 'one\ntwo\nthree\nfour\nfive\nsix', detailsOpen: false, ...more };
    web = await openWebview(browser, { width, height: HEIGHT, saved });
    await web.show(view({ entries, notices, conversation, ...state }));
  }

  /** The bar with its figure, the buttons of the notice, the message box and the share of what is read. */
  async function expectAll(): Promise<void> {
    const above = await endOf(web.page.locator('.top'));
    for (const part of ['.bar', '.use strong', '.use .share']) {
      const end = await endOf(web.page.locator(`karl-gauge ${part}`).first());
      assert.ok(end + 8 <= above, `${part} ends at ${end}, what is above the conversation at ${above}`);
    }
    const main = await web.page.locator('karl-conversation, karl-preview').boundingBox();
    assert.ok(main && main.height >= HEIGHT * 0.4, `${main?.height} pixels for what is read`);
    const last = await endOf(web.page.locator('karl-notices vscode-button:visible').last());
    assert.ok(last <= (await endOf(web.page.locator('karl-notices .list'))), 'the buttons of the notice are in sight');
    const box = await endOf(web.page.locator('karl-composer .box'));
    assert.ok(box <= HEIGHT - 8, `the message box ends at ${box}`);
  }

  for (const [name, { state, saved }] of Object.entries(CASES))
    for (const width of [220, 300, 900])
      it(`has the bar of the gauge, its figure and the message box in sight beside ${name}, ${width} pixels`, async () => {
        await open(width, state, saved);
        await expectAll();
      });

  for (const width of [220, 300, 900])
    it(`has them in sight while a text is looked for, ${width} pixels`, async () => {
      await open(width, { activity });
      await web.page.keyboard.press('Control+f');
      await web.page.locator('karl-find').waitFor();
      await expectAll();
    });
});
