import assert from 'node:assert/strict';
import type { ListRow } from '../../../../src/protocol/list.ts';
import type { ViewState } from '../../../../src/protocol/viewState.ts';
import { CONTENTS } from '../contentsSample.ts';
import { readText, serveElsewhere, useWebview } from '../page.ts';
import { gauge, message, view, workingView } from '../sample.ts';

const [FILES = assert.fail()] = CONTENTS.groups;
const [WEEK = assert.fail()] = FILES.rows;

describe('what fills the window, as shown', () => {
  const web = useWebview();
  const showContents = (fields: Partial<ViewState> = {}) => web.draw({ contents: CONTENTS, ...fields });
  const group = (name: string) => web.page.locator('karl-contents .group', { hasText: name });
  /** What can be done with a row is there while it is pointed at. */
  const pressInRow = async (name: string | RegExp): Promise<void> => {
    const button = web.page.getByRole('button', { name, exact: true });
    const row = web.page.locator('karl-contents .row', { has: button }).last();
    if ((await row.count()) > 0) await row.hover();
    await button.click();
  };
  const unfold = (name: string) => group(name).locator('summary').click();
  /** Shows the contents with other rows in their first group, which is unfolded. */
  const showFiles = async (...rows: readonly ListRow[]) => {
    await showContents({ contents: { ...CONTENTS, groups: [{ ...FILES, rows }, ...CONTENTS.groups.slice(1)] } });
    if ((await group('Files read').locator('details[open]').count()) === 0) await unfold('Files read');
  };
  const showResults = async (rows: readonly ListRow[]) => {
    const results = { kind: 'results', label: 'Tool results', tokens: 9000, rows, more: 0 } as const;
    await web.draw({ contents: { chart: [], groups: [results] } });
    if ((await group('Tool results').locator('details[open]').count()) === 0) await unfold('Tool results');
  };

  it('is opened from the bar in place of the conversation, with the focus, and closed again', async () => {
    await web.draw();
    await web.press('What fills it');
    await showContents();
    assert.equal(await web.page.locator('karl-conversation').isVisible(), false);
    await web.page.locator('karl-contents summary:focus').waitFor();
    await web.press('Set context window…');
    await web.press('Close what fills the window');
    assert.deepEqual(await web.asked(), ['show contents', 'set-window', 'show history']);
  });

  it('has one button for an unknown window, here where the gauge has no room for it', async () => {
    const set = web.page.getByRole('button', { name: 'Set context window…' });
    await showContents({ gauge: { ...gauge, accepted: 12_408 } });
    const contents = web.page.locator('karl-contents');
    for (const [height, isHere] of [
      [800, false],
      [680, true],
    ] as const) {
      await web.page.setViewportSize({ width: 300, height });
      assert.deepEqual([await set.count(), await contents.locator(set).count()], [1, Number(isHere)], `${height}`);
    }
  });

  it('leaves the switch and the message box reachable by keyboard', async () => {
    await showContents();
    const close = web.page.getByRole('button', { name: 'Close what fills the window' });
    await close.focus();
    await web.keys('Shift+Tab');
    await web.page.locator('karl-switch input:focus').waitFor();
    await close.focus();
    await web.keys('Enter');
    await web.draw();
    await web.page.locator('karl-composer textarea:focus').waitFor();
  });

  it('gets the focus after a command, before or after it is shown; Escape closes it', async () => {
    const heading = web.page.locator('karl-contents summary:focus', { hasText: 'Files read' });
    await web.draw();
    await web.input.focus();
    await web.post({ type: 'contents' });
    await showContents();
    await heading.waitFor();
    await web.input.focus();
    await web.post({ type: 'contents' });
    await heading.waitFor();
    const activity = { kind: 'model', label: 'm answers' } as const;
    await showContents({ activity });
    await web.keys('Escape');
    assert.deepEqual(await web.asked(), ['show history'], 'and stops nothing');
    await web.draw();
    await web.page.locator('karl-composer textarea:focus').waitFor();
  });

  it('gives every source with its share of the budget', async () => {
    await showContents();
    const text = (await readText(web.page.locator('karl-contents .scroller'))).replaceAll(/\s+/g, ' ');
    for (const part of ['Files read 5.3k 37%', 'Tool definitions 846 6%', 'Set aside 21k Not in the window'])
      assert.ok(text.includes(part), `${part} is in ${text}`);
    await showContents({ contents: { ...CONTENTS, groups: [{ ...FILES, tokens: 20 }] } });
    const line = (await readText(group('Files read').locator('summary'))).replaceAll(/\s+/g, ' ');
    assert.match(line, /20 <1%/, 'never 0% for something that is there');
  });

  it('keeps its unfolded groups and its scroll position while it is hidden', async () => {
    await web.page.setViewportSize({ width: 300, height: 500 });
    await showContents();
    await unfold('Files read');
    const scroller = web.page.locator('karl-contents .scroller');
    await scroller.evaluate((element) => {
      element.scrollTop = 60;
    });
    await web.draw(workingView());
    assert.equal(await scroller.isVisible(), false);
    await showContents();
    assert.equal(await group('Files read').locator('details').getAttribute('open'), '');
    assert.equal(await scroller.evaluate((element) => element.scrollTop), 60);
  });

  it('leads back to the same side and scroll position of the conversation', async () => {
    const entries = Array.from({ length: 40 }, (_, id) => message({ id, role: 'user' }));
    const before = view({ shows: 'request', entries });
    await web.show(before);
    const scroller = web.page.locator('karl-conversation .scroller');
    await scroller.evaluate((element) => {
      element.scrollTop = 700;
    });
    await web.page.getByRole('button', { name: 'Latest message' }).waitFor();
    await showContents({ shows: 'request', entries });
    await web.press('Close what fills the window');
    assert.deepEqual(await web.lastIntent(), { type: 'show', shows: 'request' });
    await web.draw(before);
    assert.equal(await scroller.evaluate((element) => element.scrollTop), 700);
  });

  it('leads to each message, pins it and opens it', async () => {
    await showContents();
    await unfold('Files read');
    assert.match(await readText(group('Files read')), /2 readings[\s\S]*outdated[\s\S]*and 3 smaller ones/);
    await pressInRow('Pin: keep through every compression (src/week.ts:1-40, message 13)');
    await pressInRow(/^Unpin \(src\/session/);
    await pressInRow('Open in the editor (src/week.ts:1-40, message 13)');
    await pressInRow('Open src/week.ts');
    await web.press('src/week.ts:1-40, message 13');
    assert.deepEqual(await web.asked(), [
      'pin 13 true',
      'pin 12 false',
      'show-original 13 13',
      'open-file src/week.ts 1',
      'reveal 13',
    ]);
    for (const name of ['Instructions', 'Set aside']) {
      await unfold(name);
      assert.equal(await group(name).getByRole('button', { name: /^Pin/ }).count(), 0, name);
    }
  });

  it('pins and unpins all readings of a file at once', async () => {
    await showContents();
    await unfold('Files read');
    const all = 'all 2 readings of src/week.ts';
    await pressInRow(`Pin: keep through every compression (${all})`);
    await showFiles({ ...WEEK, pinned: true });
    await pressInRow(`Unpin (${all})`);
    assert.deepEqual(await web.asked(), ['pin 12,13 true', 'pin 12,13 false']);
  });

  it('shows a disabled button with the reason for an impossible act', async () => {
    await showContents();
    await unfold('Tool results');
    const drop = group('Tool results').getByRole('button', {
      name: 'Drop edit_file src/week.ts, message 17',
      exact: true,
    });
    assert.equal(await drop.getAttribute('aria-disabled'), 'true');
    assert.equal(await drop.getAttribute('title'), 'Nothing to save: the line in its place would be just as long.');
    await drop.focus();
    await drop.press('Enter');
    await drop.press('Delete');
    assert.deepEqual(await web.asked(), []);
  });

  it('says how many of several results an act changes', async () => {
    const ids = Array.from({ length: 1000 }, (_, id) => id);
    const acts = {
      shortened: { act: 'shortened', ids: [4], tokens: 4000, of: 2 },
      dropped: { act: 'dropped', ids, tokens: 4000, of: 3000 },
    } as const;
    await showResults([{ key: 'run', label: 'run', tokens: 9000, note: '2 results', acts }]);
    const name = 'Shorten 1 of 2 results of run';
    const title = 'Shorten: its beginning and end stay; saves about 4k tokens (1 of 2)';
    assert.equal(await web.page.getByRole('button', { name, exact: true }).getAttribute('title'), title);
    await pressInRow('Drop 1,000 of 2 results of run');
    assert.deepEqual(await web.asked(), [`change dropped ${ids}`]);
  });

  it('moves the focus to the message that it leads to', async () => {
    const entries = Array.from({ length: 20 }, (_, id) => message({ id, role: 'assistant' }));
    await web.draw({ entries });
    await showContents();
    await unfold('Files read');
    await web.page.getByRole('button', { name: 'src/week.ts:1-40, message 13', exact: true }).focus();
    await web.keys('Enter');
    await web.draw({ entries });
    const focused = web.page.locator('karl-conversation .row:focus');
    await focused.getByText('text of message 13').waitFor();
    await web.keys('ArrowUp');
    await focused.getByText('text of message 12').waitFor();
  });

  it('drops, shortens and restores single rows and all of a file, and says what that saves', async () => {
    await showContents();
    await unfold('Files read');
    await unfold('Set aside');
    for (const name of [
      'Drop src/week.ts:1-40, message 13',
      'Shorten src/week.ts:1-40, message 13',
      'Drop all 2 readings of src/week.ts',
      'Drop 2 outdated readings · saves about 3.9k tokens',
      'Restore read_file src/cookie.ts, messages 2 to 3',
    ])
      await pressInRow(name);
    const drop = web.page.getByRole('button', { name: 'Drop src/week.ts:1-40, message 13' });
    assert.equal(await drop.getAttribute('title'), 'Drop: a line with its number stays; saves about 1.2k tokens');
    await web.press('Undo: Dropped: 13,940 → 12,408 tokens');
    assert.deepEqual(await web.asked(), [
      'change dropped 13',
      'change shortened 13',
      'change dropped 12,13',
      'change dropped 12,20',
      'change restored 2',
      'undo c9',
    ]);
  });

  it('announces what was done to screen readers, once', async () => {
    await web.draw({ contents: { ...CONTENTS, last: { id: 'c8', text: 'Old' } } });
    const told = async () => (await readText(web.page.locator('.unseen[role=status]'))).trim();
    assert.equal(await told(), '');
    await showContents();
    assert.equal(await told(), 'Dropped: 13,940 → 12,408 tokens.');
  });

  it('changes nothing while another window holds the conversation', async () => {
    const held = { id: 'one', title: 't', model: 'm', readOnly: 'Open in another window.' };
    await web.draw({ conversation: held, contents: CONTENTS });
    await unfold('Files read');
    assert.equal(await web.page.getByRole('button', { name: /^(?:Drop|Shorten|Restore|Undo)/ }).count(), 0);
    assert.ok((await web.page.getByRole('button', { name: /^Open in the editor/ }).count()) > 0);
  });

  it('is not drawn again while a reply streams in', async () => {
    await showContents();
    const contents = await web.page.locator('karl-contents').elementHandle();
    const changes = await contents?.evaluateHandle(({ shadowRoot }) => {
      const seen: MutationRecord[] = [];
      const observer = new MutationObserver((records) => seen.push(...records));
      if (shadowRoot) observer.observe(shadowRoot, { attributes: true, childList: true, subtree: true });
      return seen;
    });
    const reply = (text: string) => ({ entries: [message({ id: 0, role: 'assistant', text, streaming: true })] });
    for (const text of ['I', 'I look.']) await showContents(reply(text));
    assert.equal(await changes?.evaluate(({ length }) => length), 0);
  });

  it('leaves the focus in an editor that the user has moved to', async () => {
    const { page } = web;
    const body = `<textarea></textarea><iframe width="600" height="600" src="${web.address}"></iframe>`;
    await page.goto(serveElsewhere(body));
    const [, frame = assert.fail()] = page.frames();
    await frame.locator('karl-app').waitFor({ state: 'attached' });
    const show = (revision: number) =>
      web.post({ type: 'state', state: view({ revision, contents: CONTENTS }) }, frame);
    await show(1);
    await frame.locator('karl-contents summary', { hasText: 'Files read' }).click();
    await frame.getByRole('button', { name: /^Pin: .*\(src\/week\.ts:1-40, / }).focus();
    await page.locator('textarea').click();
    await show(2);
    await page.keyboard.press('Delete');
    await page.keyboard.type('typed');
    assert.equal(await page.locator('textarea').inputValue(), 'typed');
    const types = await frame.evaluate(() =>
      window.karlIntents.filter(({ type }) => type !== 'focused').map(({ type }) => type),
    );
    assert.deepEqual(types, ['ready']);
  });
});
