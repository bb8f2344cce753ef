import assert from 'node:assert/strict';
import type { Browser } from 'playwright-core';
import type { ContentRow, ContentsState } from '../../../src/protocol/contents.ts';
import { launchBrowser, openWebview, readText, type WebviewPage } from './page.ts';
import { view, workingView } from './sample.ts';

const row = (label: string, tokens: number, fields: Partial<ContentRow> = {}): ContentRow => ({
  key: label,
  label,
  tokens,
  note: '',
  at: { from: 12, to: 12 },
  pinned: false,
  rows: [],
  ...fields,
});
const { at: _none, ...file } = row('src/week.ts', 4100, { note: '2 readings' });

/** Contents as they look in the middle of work. */
const CONTENTS: ContentsState = {
  groups: [
    {
      kind: 'files',
      label: 'Files read',
      tokens: 5300,
      rows: [
        { ...file, rows: [row('src/week.ts', 2900, { note: 'outdated' }), row('src/week.ts:1-40', 1200)] },
        row('src/session/a_file_with_a_very_long_name_indeed.ts', 1200, { note: 'shortened, outdated', pinned: true }),
      ],
      more: 3,
    },
    { kind: 'results', label: 'Tool results', tokens: 3100, rows: [row('run_command npm test', 3100)], more: 0 },
    { kind: 'instructions', label: 'Instructions', tokens: 1204, rows: [row('You are an agent', 1204)], more: 0 },
    { kind: 'tools', label: 'Tool definitions', tokens: 846, rows: [], more: 0 },
    { kind: 'aside', label: 'Set aside', tokens: 21_000, rows: [row('Messages 1 to 40', 21_000)], more: 0 },
  ],
  forecast: { perTurn: 1240, turnsLeft: 6 },
};

describe('what fills the window, as shown', function () {
  this.timeout(30_000);
  let browser: Browser;
  let web: WebviewPage;
  before(async () => {
    browser = await launchBrowser();
  });
  after(() => browser.close());
  beforeEach(async () => {
    web = await openWebview(browser);
  });
  afterEach(async () => {
    assert.deepEqual(web.problems, []);
    await web.page.close();
  });
  const showContents = () => web.show(view({ shows: 'contents', contents: CONTENTS }));
  const group = (name: string) => web.page.locator('karl-contents .group', { hasText: name });

  it('is opened from the bar and closed again, and stands in the place of the conversation', async () => {
    await web.show(workingView());
    await web.page.getByRole('button', { name: 'What fills it', exact: true }).click();
    await web.show({ ...workingView(), revision: 2, shows: 'contents', contents: CONTENTS });
    assert.equal(await web.page.locator('karl-conversation').count(), 0);
    await web.page.getByRole('button', { name: 'Close what fills the window' }).click();
    assert.deepEqual(await web.intents(), [
      { type: 'show', shows: 'contents' },
      { type: 'show', shows: 'history' },
    ]);
  });

  it('gives every source with its share of the budget, and says how many turns are left', async () => {
    await showContents();
    const text = (await readText(web.page.locator('karl-contents .scroller'))).replaceAll(/\s+/g, ' ');
    for (const part of [
      '12,408 of 14,336 tokens · 87%, counted · window 16,384 (profile)',
      'A turn adds about 1.2k tokens: about 6 turns before the next compression.',
      'Files read 5.3k 37%',
      'Tool definitions 846 6%',
      'Set aside 21k Not in the window',
    ])
      assert.ok(text.includes(part), `${part} is in ${text}`);
  });

  it('leads to each message, pins it and opens it', async () => {
    await showContents();
    await group('Files read').locator('summary').click();
    assert.match(await readText(group('Files read')), /2 readings[\s\S]*outdated[\s\S]*and 3 smaller ones/);
    await web.page.getByRole('button', { name: 'Pin: keep through every compression (src/week.ts:1-40)' }).click();
    await web.page.getByRole('button', { name: /^Unpin \(src\/session/ }).click();
    await web.page.getByRole('button', { name: 'Open in the editor (src/week.ts:1-40)' }).click();
    await web.page.getByRole('button', { name: 'src/week.ts:1-40', exact: true }).click();
    assert.deepEqual(await web.intents(), [
      { type: 'pin', id: 12 },
      { type: 'unpin', id: 12 },
      { type: 'show-original', from: 12, to: 12 },
      { type: 'reveal', id: 12 },
    ]);
    for (const name of ['Instructions', 'Set aside']) {
      await group(name).locator('summary').click();
      assert.equal(await group(name).getByRole('button', { name: /^Pin/ }).count(), 0, name);
    }
  });

  it('never pushes the composer out, however narrow or low', async () => {
    for (const width of [200, 600]) {
      await web.page.setViewportSize({ width, height: 500 });
      await web.show(view({ revision: width, shows: 'contents', contents: CONTENTS }));
      await web.page.locator('karl-contents details').evaluateAll((all) => {
        for (const each of all) each.setAttribute('open', '');
      });
      const box = await web.page.locator('karl-composer button.send').boundingBox();
      assert.ok(box && box.y + box.height <= 500 && box.x + box.width <= width);
      const scroller = web.page.locator('karl-contents .scroller');
      assert.ok((await scroller.evaluate((element) => element.scrollWidth)) <= width);
      assert.ok(((await scroller.boundingBox())?.height ?? 0) >= 200);
    }
  });
});
