import assert from 'node:assert/strict';
import type { ViewState } from '../../../src/protocol/viewState.ts';
import { CONTENTS } from './contentsSample.ts';
import { boxOf, useWebview } from './page.ts';
import { message, notice, preview, view, workingView } from './sample.ts';

const HEIGHT = 500;

const entries = Array.from({ length: 12 }, (_, id) => message({ id, role: id % 2 === 0 ? 'user' : 'assistant' }));
const text = 'The server did not answer the last three requests, so Karl stopped and kept what was written so far.';
const notices = (['error', 'info'] as const).map((id) => ({ ...notice(id, text, 'Retry', 'Open Settings'), id }));
const { activity } = workingView();
const attachments: ViewState['attachments'] = [
  { kind: 'file', label: 'src/a.ts', path: 'src/a.ts', line: 1, tokens: 412 },
  { kind: 'image', label: 'Image, 12 kB', tokens: 85 },
];
const readOnly = 'Another window has taken over this conversation. What was not yet written stays here only.';
const editing = [{ conversation: 'one', id: 0, draft: '' }];
const conversation = { id: 'one', title: 'Fix the flaky login test', model: 'qwen3-coder-30b' };

/** What can be around the conversation or the preview, beside a draft of several lines and two notices. */
const CASES: Readonly<
  Record<string, { readonly state: Partial<ViewState>; readonly saved?: object; readonly find?: true }>
> = {
  'nothing else': { state: {} },
  'an agent that works, with a queue': { state: { activity, queued: ['Then add a test.', 'And a note.'] } },
  'a message that is edited': { state: {}, saved: { editing } },
  'a box that is locked': { state: { conversation: { ...conversation, readOnly } } },
  'files that are attached': { state: { activity, attachments } },
  'a text that is looked for': { state: { activity }, find: true },
  'what fills the window': { state: { shows: 'contents', contents: CONTENTS } },
  'a preview': { state: { preview } },
  'a preview, and work': { state: { preview, activity, queued: ['Then add a test.'] } },
  'a preview, and files that are attached': { state: { preview, attachments } },
};

describe('a low view', () => {
  const web = useWebview();

  /** The bar with its figure, the buttons of the notice, the message box and the share of what is read. */
  async function expectAll(width: number, isBrief: boolean): Promise<void> {
    await web.page.setViewportSize({ width, height: HEIGHT });
    const { bottom: above } = await boxOf(web.page.locator('.top'));
    for (const part of ['.bar', '.use strong', '.use .share']) {
      const { bottom: end } = await boxOf(web.page.locator(`karl-gauge ${part}`).first());
      assert.ok(end + (isBrief ? 2 : 8) <= above, `${part} ends at ${end}, what is above the conversation at ${above}`);
    }
    const main = await boxOf(web.page.locator(':is(karl-conversation, karl-contents, karl-preview):visible'));
    assert.ok(main.height >= HEIGHT * 0.4, `${main.height} of ${width} pixels for what is read`);
    const { bottom: last } = await boxOf(web.page.locator('karl-notices vscode-button:visible').last());
    assert.ok(
      last <= (await boxOf(web.page.locator('karl-notices .list'))).bottom,
      'the buttons of the notice are in sight',
    );
    const { bottom: box } = await boxOf(web.page.locator('karl-composer .box'));
    assert.ok(box <= HEIGHT - 8, `the message box ends at ${box}`);
  }

  for (const [name, { state, saved, find }] of Object.entries(CASES))
    it(`has the bar of the gauge, its figure and the message box in sight beside ${name}`, async () => {
      const draft = 'one\ntwo\nthree\nfour\nfive\nsix';
      await web.open({ height: HEIGHT, saved: { draft, detailsOpen: false, ...saved } });
      await web.show(view({ entries, notices, conversation, ...state }));
      if (find) {
        await web.page.keyboard.press('Control+f');
        await web.page.locator('.find').waitFor();
      }
      for (const summary of await web.page.locator('karl-contents summary').all()) await summary.click();
      // While the agent works, the head is one line, after a moment.
      const isBrief = 'activity' in state;
      if (isBrief) await web.page.locator('karl-gauge[brief]').waitFor();
      for (const width of [220, 300, 900]) await expectAll(width, isBrief);
    });
});
