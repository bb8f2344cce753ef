import assert from 'node:assert/strict';
import { CONTENTS } from '../contentsSample.ts';
import { useWebview } from '../page.ts';

describe('the keyboard in what fills the window', () => {
  const web = useWebview();
  const showContents = () => web.draw({ contents: CONTENTS });
  const group = (name: string) => web.page.locator('karl-contents .group', { hasText: name });
  /** Shows the contents with a source unfolded, on whose heading the focus is. */
  const unfold = async (name: string) => {
    await showContents();
    await group(name).locator('summary').click();
  };
  /** The name of what has the focus in the list. */
  const focused = () =>
    web.page.evaluate(() => {
      const root = document.querySelector('karl-app')?.shadowRoot?.querySelector('karl-contents')?.shadowRoot;
      return root?.activeElement?.getAttribute('aria-label') ?? root?.activeElement?.textContent?.trim() ?? '';
    });

  it('moves from row to row with Up and Down, and never to a button that changes one', async () => {
    await unfold('Files read');
    const rows = [
      /^Files read/,
      /^src\/week\.ts, 2 readings, 4,100 tokens$/,
      /^src\/week\.ts, message 12$/,
      /^src\/week\.ts:1-40, message 13$/,
      /a_file_with_a_very_long_name/,
      /^Tool results/,
    ];
    for (const row of rows.slice(1)) {
      // From the last control of a row too.
      await web.keys('ArrowRight', 'ArrowRight', 'ArrowDown');
      assert.match(await focused(), row);
    }
    for (const row of rows.toReversed().slice(1)) {
      await web.keys('ArrowUp');
      assert.match(await focused(), row);
      if (!/Files read/.test(String(row))) await web.keys('ArrowRight');
    }
    await web.keys('End', 'ArrowRight', 'Home');
    assert.match(await focused(), /^Files read/);
  });

  it('moves from a row to its parent with Left, and from a heading to the button for all rows with Right', async () => {
    await unfold('Files read');
    await web.keys('ArrowDown', 'ArrowDown', 'ArrowDown', 'ArrowRight');
    assert.match(await focused(), /^Pin: .*\(src\/week\.ts:1-40, /);
    for (const parent of [/^src\/week\.ts:1-40, message 13$/, /^src\/week\.ts, 2 readings/, /^Files read/]) {
      await web.keys('ArrowLeft');
      assert.match(await focused(), parent);
    }
    await web.keys('ArrowRight');
    assert.match(await focused(), /^Drop 2 outdated readings/);
    await web.keys('ArrowLeft');
    assert.match(await focused(), /^Files read/);
    assert.notEqual(await group('Files read').locator('details').getAttribute('open'), null);
    assert.deepEqual(await web.asked(), []);
  });

  it('returns to the button that opened it with Escape', async () => {
    await web.draw();
    const opener = web.page.getByRole('button', { name: 'What fills it' });
    await opener.focus();
    await web.keys('Enter');
    await showContents();
    await web.page.locator('karl-contents summary:focus').waitFor();
    await web.keys('Escape');
    await web.draw();
    await opener.and(web.page.locator(':focus')).waitFor();
  });

  it('is one tab stop, drops a row with Delete, and keeps the focus when a row disappears', async () => {
    await unfold('Files read');
    const stops = web.page.locator('karl-contents .group').locator('summary, .row button');
    const isStop = (one: HTMLElement | SVGElement) => one.tabIndex === 0 && one.checkVisibility();
    assert.equal((await Promise.all((await stops.all()).map((one) => one.evaluate(isStop)))).filter(Boolean).length, 1);
    await group('Files read').locator('summary').focus();
    const open = group('Files read').locator('details[open]');
    await web.keys('ArrowLeft');
    assert.equal(await open.count(), 0, 'a heading is folded by the arrow to the left');
    await web.keys('ArrowDown');
    assert.match(await focused(), /^Tool results/, 'and the next heading is below it');
    await web.keys('ArrowUp', 'ArrowRight');
    assert.equal(await open.count(), 1);
    await web.keys('ArrowDown', 'ArrowDown', 'ArrowDown');
    assert.equal(await focused(), 'src/week.ts:1-40, message 13');
    await web.keys('ArrowRight');
    assert.match(await focused(), /^Pin: .*\(src\/week\.ts:1-40, /);
    await web.keys('Delete');
    assert.deepEqual(await web.asked(), ['change dropped 13']);
    const [files = assert.fail(), ...others] = CONTENTS.groups;
    const groups = [{ ...files, rows: files.rows.slice(1) }, ...others];
    await web.draw({ contents: { chart: [], groups } });
    assert.match(await focused(), /a_file_with_a_very_long_name/, 'the focus stays among the rows');
    await web.keys('Tab');
    assert.ok(!(await focused()).includes('a_file'), 'the next stop is outside of the list');
  });

  it('keeps the focus at its row when the last change by hand is undone', async () => {
    await unfold('Tool results');
    await web.keys('ArrowDown');
    const row = await focused();
    assert.match(row, /^run_command npm test/);
    await web.page.getByRole('button', { name: /^Undo: Dropped/ }).focus();
    await web.keys('Enter');
    assert.deepEqual(await web.asked(), ['undo c9']);
    const { last: _undone, ...contents } = CONTENTS;
    await web.draw({ contents });
    assert.equal(await focused(), row);
    await web.keys('ArrowUp');
    assert.match(await focused(), /^Tool results/);
  });

  it('leaves the focus in the message box when the last change by hand is undone elsewhere', async () => {
    await showContents();
    await web.page.getByRole('textbox').focus();
    const { last: _undone, ...contents } = CONTENTS;
    await web.draw({ contents });
    await web.keys('x');
    assert.equal(await web.page.getByRole('textbox').inputValue(), 'x');
  });
});
