import assert from 'node:assert/strict';
import { isFocused, readText, useWebview } from '../page.ts';
import { call, message, preview, view } from '../sample.ts';

const FIRST = { key: 'm0', id: 0 };

describe('finding a text in the conversation', () => {
  const web = useWebview();

  const box = () => web.page.getByRole('textbox', { name: 'Find in the conversation' });
  const status = () => readText(web.page.locator('.find .status'));
  /** What is marked: all matches of the row, and the one that is shown. */
  const marks = () =>
    web.page.evaluate(() =>
      ['karl-found', 'karl-found-current'].map((name) => [...(CSS.highlights.get(name) ?? [])].map(String)),
    );

  const untilFound = () => web.page.waitForFunction(() => CSS.highlights.get('karl-found-current')?.size === 1);

  const entries = [
    message({ id: 0, role: 'user', text: 'Look at the needle.' }),
    call({ call: 1 }),
    message({ id: 3, role: 'assistant', text: 'A **Needle** is small; a needle is sharp.' }),
  ];

  async function find(text: string, rows: readonly { key: string; id: number }[]): Promise<void> {
    await web.keys('Control+f');
    await box().fill(text);
    await web.post({ type: 'found', text, rows });
  }

  it('asks the host, begins with the newest row and steps through its matches and on to the row before', async () => {
    await web.draw({ entries });
    await find('needle', [FIRST, { key: 'm3', id: 3 }]);
    assert.deepEqual(await web.lastIntent(), { type: 'find', text: 'needle' });
    assert.equal(await status(), '2 of 2');
    assert.deepEqual(await marks(), [['Needle'], ['needle']]);
    await web.keys('Enter');
    assert.deepEqual(await marks(), [['needle'], ['Needle']]);
    await web.keys('Enter');
    assert.equal(await status(), '1 of 2');
    await web.keys('Enter');
    assert.equal(await status(), '2 of 2', 'it goes round');
    await web.keys('Shift+Enter');
    assert.equal(await status(), '1 of 2');
  });

  it('unfolds a call, asks for what is in it and marks the match when it has come', async () => {
    await web.draw({ entries });
    await find('thread', [{ key: 'c1.0', id: 1 }]);
    await web.page.locator('karl-call details[open]').waitFor();
    assert.deepEqual(await web.lastIntent(), { type: 'expand', key: 'c1.0' });
    const result = `${'line\n'.repeat(100)}the thread`;
    await web.post({ type: 'expanded', key: 'c1.0', texts: ['path: a.ts', result] });
    await untilFound();
    const pre = web.page.locator('karl-call pre').last();
    assert.ok(await pre.evaluate(({ scrollTop }) => scrollTop > 100), 'the result is scrolled to it');
  });

  it('marks a path in the head of a call over its folders too', async () => {
    await web.draw({ entries });
    await find('session/refresh.ts:1', [{ key: 'c1.0', id: 1 }]);
    assert.deepEqual(await marks(), [[], ['session/refresh.ts:1']]);
  });

  it('unfolds the system prompt, and asks for the whole of a text that is cut', async () => {
    const prompt = message({ id: 0, role: 'system', text: 'Be careful.\nNever whisper.' });
    const cut = message({ id: 1, role: 'user', text: 'The beginning', truncated: true, sent: 'dropped' });
    await web.draw({ entries: [prompt, cut] });
    await find('whisper', [FIRST]);
    await web.page.getByText('Never whisper.').last().waitFor();
    assert.deepEqual(await marks(), [['whisper'], ['whisper']], 'in its first line, and in the prompt');
    await box().fill('the end');
    await web.post({ type: 'found', text: 'the end', rows: [{ key: 'm1', id: 1 }] });
    assert.deepEqual(await web.lastIntent(), { type: 'expand', key: 'm1' });
    await web.post({ type: 'expanded', key: 'm1', texts: ['The beginning and the end'] });
    await untilFound();
  });

  it('loads a row that is not here yet, and shows the full history first', async () => {
    await web.draw({ entries: entries.slice(2), earlier: 3, shows: 'request' });
    await find('look', [FIRST]);
    assert.deepEqual(await web.lastIntent(), { type: 'reveal', id: 0 });
    assert.deepEqual(await marks(), [[], []]);
    await web.draw({ entries });
    await untilFound();
  });

  it('says that the reader is back at the end, so that what was loaded is no longer sent', async () => {
    const all = Array.from({ length: 40 }, (_, id) => message({ id, role: 'user', text: `Message ${id}` }));
    await web.draw({ entries: all.slice(30), earlier: 30 });
    await find('Message 0', [FIRST]);
    await web.draw({ entries: all });
    const isBack = async () => (await web.intents()).filter(({ type }) => type === 'at-end').length;
    const latest = web.page.getByRole('button', { name: 'Latest message' });
    await latest.waitFor();
    assert.equal(await isBack(), 0);
    await latest.click();
    assert.equal(await isBack(), 1);
    await web.draw({ entries: all.slice(30), earlier: 30 });
    await web.page.getByRole('button', { name: 'Show 30 earlier messages' }).waitFor();
  });

  it('says that there is nothing, ignores a late answer, and is closed by Escape, which stops no run', async () => {
    await web.draw({ entries, activity: { kind: 'model', label: 'm' } });
    await find('nothing', []);
    assert.equal(await status(), 'No results');
    await web.post({ type: 'found', text: 'noth', rows: [FIRST] });
    assert.equal(await status(), 'No results');
    await web.keys('Escape');
    assert.equal(await box().count(), 0);
    assert.equal(await isFocused(web.input), true);
    assert.ok(!(await web.intents()).some(({ type }) => type === 'cancel'));
  });

  it('opens with the conversation when it was asked for before that was here', async () => {
    await web.post({ type: 'find' });
    const { conversation: _, ...empty } = view();
    await web.show(empty);
    await web.draw({ entries });
    assert.equal(await isFocused(box()), true);
    await web.keys('Escape');
    await web.draw({ entries });
    assert.equal(await box().count(), 0, 'it is wanted once');
  });

  it('is not shown beside the preview of a compression', async () => {
    await web.draw({ entries });
    await find('nothing', []);
    await web.draw({ entries, preview });
    assert.equal(await box().count(), 0);
    await web.keys('Control+f');
    assert.equal(await box().count(), 0);
    await web.draw({ entries });
    assert.equal(await box().count(), 0);
  });

  it('leaves the focus below the text where no row is in sight and nothing can be written', async () => {
    const conversation = { id: 'one', title: 't', model: 'm', readOnly: 'Open in another window.' };
    await web.draw({ conversation, contents: { groups: [], chart: [] } });
    await find('look', [FIRST]);
    await web.keys('Escape');
    assert.equal(await isFocused(web.page.locator('karl-composer .model')), true);
  });

  it('leaves the focus on the row that was found', async () => {
    await web.draw({ entries });
    await find('look', [FIRST]);
    await web.keys('Escape');
    assert.equal(await isFocused(web.page.locator('karl-conversation .row').first()), true);
    assert.deepEqual(await marks(), [[], []]);
  });
});
