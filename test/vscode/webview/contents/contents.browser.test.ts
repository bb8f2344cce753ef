import assert from 'node:assert/strict';
import type { ContentRow } from '../../../../src/protocol/contents.ts';
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
  const showFiles = async (...rows: readonly ContentRow[]) => {
    await showContents({ contents: { ...CONTENTS, groups: [{ ...FILES, rows }, ...CONTENTS.groups.slice(1)] } });
    if ((await group('Files read').locator('details[open]').count()) === 0) await unfold('Files read');
  };
  const showResults = async (rows: readonly ContentRow[]) => {
    const results = { kind: 'results', label: 'Tool results', tokens: 9000, rows, more: 0 } as const;
    await web.draw({ contents: { history: [], groups: [results] } });
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

  it('leaves both sides of the conversation and the message box to the keyboard', async () => {
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

  it('has the focus when it was asked for by a command, before or after it is shown; Escape closes it', async () => {
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

  it('gives every source with its share of the budget, and says how many turns are left', async () => {
    await showContents();
    const text = (await readText(web.page.locator('karl-contents .scroller'))).replaceAll(/\s+/g, ' ');
    for (const part of [
      '12,408 of 14,336 tokens 87%, exact count 16,384-token window (from the model profile)',
      'A turn adds about 1.2k tokens: the conversation is already over the threshold.',
      'Files read 5.3k 37%',
      'Tool definitions 846 6%',
      'Set aside 21k Not in the window',
    ])
      assert.ok(text.includes(part), `${part} is in ${text}`);
    const contents = { ...CONTENTS, groups: [{ ...FILES, tokens: 20 }] };
    await showContents({ contents, gauge: { ...gauge, trigger: 13_000 } });
    await web.page.getByText('A turn adds about 1.2k tokens: about 6 turns until the threshold.').waitFor();
    const line = (await readText(group('Files read').locator('summary'))).replaceAll(/\s+/g, ' ');
    assert.match(line, /20 <1%/, 'never 0% for something that is there');
  });

  it('is found again as it was left, with what was unfolded and where its reader was', async () => {
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

  it('leaves the conversation as it was: its side, and where its reader is', async () => {
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
    await pressInRow('Pin: keep through every compression (src/week.ts:1-40)');
    await pressInRow(/^Unpin \(src\/session/);
    await pressInRow('Open in the editor (src/week.ts:1-40)');
    await pressInRow('Open src/week.ts');
    await web.press('src/week.ts:1-40');
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

  it('pins all readings of a file by one step, and unpins them by one', async () => {
    await showContents();
    await unfold('Files read');
    const all = 'all 2 readings of src/week.ts';
    await pressInRow(`Pin: keep through every compression (${all})`);
    await showFiles({ ...WEEK, pinned: true });
    await pressInRow(`Unpin (${all})`);
    assert.deepEqual(await web.asked(), ['pin 12,13 true', 'pin 12,13 false']);
  });

  it('has an action that is not possible in its place, with the reason, and does nothing when it is pressed', async () => {
    await showContents();
    await unfold('Tool results');
    const drop = group('Tool results').getByRole('button', { name: 'Drop edit_file src/week.ts', exact: true });
    assert.equal(await drop.getAttribute('aria-disabled'), 'true');
    assert.equal(await drop.getAttribute('title'), 'Nothing to save: the line in its place would be as long.');
    await drop.focus();
    await drop.press('Enter');
    await drop.press('Delete');
    assert.deepEqual(await web.asked(), []);
  });

  it('counts of several results those that an act changes, and says when it cannot change all at once', async () => {
    const ids = Array.from({ length: 1000 }, (_, id) => id);
    const acts = {
      shortened: { act: 'shortened', ids: [4], tokens: 4000, of: 2 },
      dropped: { act: 'dropped', ids, tokens: 4000, left: 2000 },
    } as const;
    await showResults([{ key: 'run', label: 'run', tokens: 9000, note: '2 results', pinned: false, acts, rows: [] }]);
    const name = 'Shorten 1 of 2 results of run, saves about 4k tokens';
    const title = 'Shorten: its beginning and end stay; saves about 4k tokens (1 of 2)';
    assert.equal(await web.page.getByRole('button', { name, exact: true }).getAttribute('title'), title);
    await pressInRow('Drop the 1,000 largest of 3,000 of run, saves about 4k tokens');
    assert.deepEqual(await web.asked(), [`change dropped ${ids}`]);
  });

  it('leads to a message with the focus, for a user who goes on with the keyboard', async () => {
    const entries = Array.from({ length: 20 }, (_, id) => message({ id, role: 'assistant' }));
    await web.draw({ entries });
    await showContents();
    await unfold('Files read');
    await web.page.getByRole('button', { name: 'src/week.ts:1-40', exact: true }).focus();
    await web.keys('Enter');
    await web.draw({ entries });
    const focused = web.page.locator('karl-conversation .row:focus');
    await focused.getByText('text of message 13').waitFor();
    await web.keys('ArrowUp');
    await focused.getByText('text of message 12').waitFor();
  });

  it('drops, shortens and restores each row, and all of a file, and says what that saves', async () => {
    await showContents();
    await unfold('Files read');
    await unfold('Set aside');
    for (const name of [
      'Drop src/week.ts:1-40, saves about 1.2k tokens',
      'Shorten src/week.ts:1-40, saves about 1k tokens',
      'Drop all 2 readings of src/week.ts, saves about 4k tokens',
      'Drop 1 outdated of src/week.ts, saves about 2.9k tokens',
      'Drop 2 outdated readings, saves about 3.9k tokens',
      'Restore read_file src/cookie.ts, takes about 16k tokens',
    ])
      await pressInRow(name);
    await web.press('Undo: Dropped: 13,940 → 12,408 tokens');
    assert.deepEqual(await web.asked(), [
      'change dropped 13',
      'change shortened 13',
      'change dropped 12,13',
      'change dropped 12',
      'change dropped 12,20',
      'change restored 2',
      'undo c9',
    ]);
  });

  it('tells rows with the same name apart, for a screen reader too', async () => {
    const row = { label: 'run_command npm test', tokens: 40, note: 'outdated', pinned: false, rows: [] };
    const rows = [15, 21].map((id) => {
      const acts = { dropped: { act: 'dropped', ids: [id], tokens: 30 } } as const;
      return { ...row, key: `r${id}`, which: `message ${id}`, at: { from: id, to: id }, acts };
    });
    await showResults(rows);
    const notes = await group('Tool results').locator('.note').allInnerTexts();
    assert.deepEqual(notes, ['message 15, outdated', 'message 21, outdated']);
    await pressInRow(/^Drop run_command npm test, message 21, saves about/);
    assert.deepEqual(await web.asked(), ['change dropped 21']);
    // Of calls without arguments there is nothing else to say.
    await showResults(rows.map((one) => ({ ...one, label: '' })));
    await web.page.getByRole('button', { name: /^Drop Message 21, saves about/ }).waitFor();
  });

  it('tells a screen reader what was done, once', async () => {
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

  it('leaves the focus in the editor that the user went to', async () => {
    const { page } = web;
    const body = `<textarea></textarea><iframe width="600" height="600" src="${web.address}"></iframe>`;
    await page.goto(serveElsewhere(body));
    const [, frame = assert.fail()] = page.frames();
    await frame.locator('karl-app').waitFor({ state: 'attached' });
    const show = (revision: number) =>
      web.post({ type: 'state', state: view({ revision, contents: CONTENTS }) }, frame);
    await show(1);
    await frame.locator('karl-contents summary', { hasText: 'Files read' }).click();
    await frame.getByRole('button', { name: /^Pin: .*\(src\/week\.ts:1-40\)/ }).focus();
    await page.locator('textarea').click();
    await show(2);
    await page.keyboard.press('Delete');
    await page.keyboard.type('typed');
    assert.equal(await page.locator('textarea').inputValue(), 'typed');
    assert.deepEqual(
      await frame.evaluate(() => window.karlIntents.filter(({ type }) => type !== 'focused').map(({ type }) => type)),
      ['ready'],
    );
  });
});
