import assert from 'node:assert/strict';
import type { NoticeState } from '../../../src/protocol/viewState.ts';
import { expectCount } from '../harness/tries.ts';
import { boxOf, isFocused, useWebview } from './page.ts';
import { message, notice, workingView } from './sample.ts';

describe('the layout', () => {
  const web = useWebview('opened by each test');

  /** A conversation in which the server has rejected the key. */
  async function showError(width: number, height: number) {
    await web.open({ width, height });
    const text =
      'The server rejected the API key (401): Incorrect API key provided. Enter the key again, or select another ' +
      'server (karl.baseUrl).';
    const entries = Array.from({ length: 8 }, (_, id) => message({ id, role: id % 2 === 0 ? 'user' : 'assistant' }));
    await web.draw({ notices: [notice('error', text, 'Set API Key…', 'Select Server…', 'Retry')], entries });
    const seen = (part: string) =>
      web.page.locator(part).evaluate(({ clientHeight, scrollHeight }) => (clientHeight + 1) / scrollHeight);
    return { reason: await seen('karl-notices .text'), top: await seen('.top') };
  }

  it('shows an error whole, and what is above the conversation; of that the bar of the gauge where it is narrow', async () => {
    const wide = await showError(300, 800);
    assert.ok(wide.reason >= 1 && wide.top >= 1, `${wide.reason}, ${wide.top}`);
    const { reason, top } = await showError(220, 700);
    assert.ok(reason >= 1 && top < 1, `${reason}, ${top}`);
    const bar = await boxOf(web.page.locator('karl-gauge .bar'));
    const above = await boxOf(web.page.locator('.top'));
    assert.ok(bar.bottom < above.bottom, 'the bar is in sight');
  });

  /** Three notices while the agent works and a message waits, the most urgent in the middle. */
  async function showNotices() {
    await web.open({ width: 300, height: 500, saved: { draft: '', detailsOpen: true } });
    const named = (severity: NoticeState['severity'], ...labels: readonly string[]): NoticeState =>
      notice(
        severity,
        `${severity}: the server rejected the API key (401). Enter it again, or select a server.`,
        ...labels,
      );
    const error = named('error', 'Set API Key…', 'Select Server…', 'Retry');
    await web.show({ ...workingView(), notices: [named('warning'), error, named('info', 'Yes')] });
    return web.page.locator('karl-notices .notice');
  }

  it('shows the most urgent of several notices, and unfolds the others in a part that scrolls', async () => {
    const notices = await showNotices();
    const seen = await notices.evaluateAll((all) => all.map((one) => [one.classList.item(2), one.checkVisibility()]));
    assert.deepEqual(Object.fromEntries(seen), { error: true, warning: false, info: false }, 'the most urgent');
    const more = web.page.getByRole('button', { name: '2 more notices' });
    assert.equal(await more.getAttribute('aria-expanded'), 'false');
    await more.click();
    assert.equal(await more.getAttribute('aria-expanded'), 'true');
    await expectCount(web.page.locator('karl-notices .notice:visible'), 3);
    const list = web.page.locator('karl-notices .list');
    await list.evaluate((all) => all.scrollTo(0, all.scrollHeight));
    const [shown, last] = [await boxOf(list), await boxOf(notices.last())];
    assert.ok(last.bottom <= shown.bottom, 'the end of the last one is in sight');
    await more.click();
    await expectCount(web.page.locator('karl-notices .notice:visible'), 1);
  });

  it('keeps the notice in sight that has the focus when a more urgent one comes', async () => {
    await web.open({ width: 300, height: 500 });
    const first = notice('info', 'This is a.', 'Yes to a');
    await web.draw({ notices: [first] });
    const button = web.page.getByRole('button', { name: 'Yes to a' });
    await button.focus();
    await web.draw({ notices: [first, notice('error', 'This is b.')] });
    await expectCount(web.page.locator('karl-notices .notice:visible'), 2);
    assert.ok(await isFocused(button));
  });

  it('asks what has to be answered before it tells of an error', async () => {
    await web.open({ width: 300, height: 500 });
    const question = { ...notice('info', 'Compress?'), canDismiss: false };
    await web.draw({ notices: [notice('error', 'It failed.'), question, notice('error', 'It failed again.')] });
    const texts = web.page.locator('karl-notices .text');
    assert.deepEqual(await texts.allTextContents(), ['Compress?', 'It failed again.', 'It failed.']);
  });
});
