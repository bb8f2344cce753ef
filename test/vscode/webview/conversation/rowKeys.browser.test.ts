import assert from 'node:assert/strict';
import { expectCount } from '../../harness/tries.ts';
import { isFocused, useWebview } from '../page.ts';
import { message, workingView } from '../sample.ts';

/** What has the focus, through every shadow root, outermost first: names of rows, then of controls. */
function focusPath(): string[] {
  const path: string[] = [];
  let element = document.activeElement;
  while (element !== null) {
    path.push(element.getAttribute('aria-label') ?? element.localName);
    element = element.shadowRoot?.activeElement ?? null;
  }
  return path;
}

describe('the keyboard in the conversation', () => {
  const web = useWebview();

  const focused = async () => (await web.page.evaluate(focusPath)).at(-1) ?? '';
  const isIn = async (name: string) => (await web.page.evaluate(focusPath)).includes(name);
  const focusNewest = () => web.page.locator('karl-conversation .row').last().focus();

  it('has one tab stop for all rows', async () => {
    await web.show(workingView());
    const stops: string[] = [];
    await web.page.getByRole('button', { name: 'Show 38 earlier messages' }).focus();
    for (let presses = 0; presses < 2; presses += 1) {
      await web.keys('Tab');
      // The newest row is at the end: what leads there goes.
      await expectCount(web.page.getByRole('button', { name: 'Latest message' }), 0);
      stops.push((await web.page.evaluate(focusPath)).join(' > '));
    }
    assert.match(stops[0] ?? '', /> Assistant, 348 tokens: Found it/, 'the newest row');
    assert.deepEqual(
      stops.slice(1).filter((stop) => stop.includes('karl-conversation')),
      [],
      'no control of a row is one',
    );
  });

  it('goes from row to row with the arrow keys, to the ends, and a page at a time', async () => {
    const entries = Array.from({ length: 40 }, (_, id) => message({ id, role: 'user', text: `Number ${id}.` }));
    await web.draw({ entries });
    await focusNewest();
    await web.keys('ArrowUp', 'ArrowUp', 'ArrowDown');
    assert.match(await focused(), /Number 38\.$/);
    await web.keys('Home');
    assert.match(await focused(), /Number 0\.$/);
    await web.keys('PageDown');
    const page = Number(/Number (\d+)/.exec(await focused())?.[1]);
    assert.ok(page > 3 && page < 20, `${page}`);
    await web.keys('PageUp');
    assert.match(await focused(), /Number 0\.$/);
    await web.keys('End');
    assert.match(await focused(), /Number 39\.$/);
    await web.keys('Shift+Tab', 'Tab');
    assert.match(await focused(), /Number 39\.$/, 'the stop stays where it was left');
  });

  it('scrolls along a row that is taller than the view before it leaves it', async () => {
    const tall = message({ id: 1, role: 'user', text: 'a line\n'.repeat(200) });
    const entries = [message({ id: 0, role: 'user' }), tall, message({ id: 2, role: 'user' })];
    await web.draw({ entries });
    await focusNewest();
    await web.keys('Home', 'ArrowDown');
    assert.match(await focused(), /a line/);
    const top = () => web.page.locator('karl-conversation .scroller').evaluate(({ scrollTop }) => scrollTop);
    const before = await top();
    await web.keys('ArrowDown');
    assert.match(await focused(), /a line/);
    assert.ok((await top()) > before);
  });

  it('goes into the controls of a row with Enter, along them with Tab, and back with Escape, which stops nothing', async () => {
    await web.show(workingView());
    await focusNewest();
    await web.keys('ArrowUp');
    const row = await focused();
    assert.equal(row, 'search_text expiresAt <, 2 lines, 96 tokens');
    await web.keys('Enter');
    assert.equal(await isFocused(web.page.locator('karl-call').last().locator('summary')), true);
    await web.keys('Tab');
    assert.equal(await focused(), 'Open src/session/refresh.ts (messages 42 to 44)');
    await web.keys('Escape');
    assert.equal(await focused(), row);
    await web.keys('Tab');
    assert.equal(await isIn('karl-conversation'), false, 'its controls are no stops any more');
    assert.deepEqual(await web.asked(), []);
  });

  it('goes on from a row that was clicked', async () => {
    await web.show(workingView());
    await web.page.locator('karl-message .text').first().click();
    await web.keys('ArrowDown');
    assert.match(await focused(), /^Assistant, 40 tokens: I look at the cookie first/);
  });
});
