import assert from 'node:assert/strict';
import type { NoticeState } from '../../../src/protocol/viewState.ts';
import { expectCount } from '../harness/tries.ts';
import { boxOf, isFocused, styleOf, useWebview } from './page.ts';
import { message, notice, workingView } from './sample.ts';

/** Everything that can be around the conversation at once. */
function crowded() {
  const text = 'The server does not answer. Start it, or set another address in the settings. '.repeat(3);
  return {
    ...workingView(),
    queued: Array.from({ length: 12 }, (_, index) => `Message ${index} of the queue`),
    notices: ['a', 'b', 'c', 'd'].map((id) => ({ ...notice('error', text, 'Retry'), id })),
  };
}

describe('the layout', () => {
  const web = useWebview();

  it('keeps the composer in sight and 40 % for the conversation with everything open', async () => {
    const editing = [{ conversation: 'one', id: 41, draft: '' }];
    await web.open({ saved: { draft: 'a line of the message\n'.repeat(60), detailsOpen: true, editing } });
    await web.show(crowded());
    for (const width of [200, 220, 300, 600, 1200]) {
      await web.page.setViewportSize({ width, height: 500 });
      const conversation = await boxOf(web.page.locator('karl-conversation'));
      assert.ok(conversation.height >= 200, `${conversation.height} of ${width} pixels for the conversation`);
      for (const part of ['textarea', 'button.send', 'button.stop']) {
        const { x, y, right, bottom } = await boxOf(web.page.locator(`karl-composer ${part}`));
        assert.ok(x >= 0 && right <= width && y >= 0 && bottom <= 500, `${x} to ${right}, ${y} to ${bottom}`);
      }
      assert.ok((await boxOf(web.input)).height >= 30, 'a line of it can be read');
      const overflow = await web.page.evaluate(() => [
        document.documentElement.scrollWidth,
        document.documentElement.scrollHeight,
      ]);
      assert.ok((overflow[0] ?? 0) <= width && (overflow[1] ?? 0) <= 500, `${overflow}`);
    }
  });

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

  it('cuts an error after some lines where the view is low, with its buttons in sight, 220 by 560 pixels', async () => {
    const { reason } = await showError(220, 560);
    assert.ok(reason > 0.3 && reason < 1, `${reason}`);
    const input = await boxOf(web.page.locator('karl-composer'));
    const last = await boxOf(web.page.locator('karl-notices vscode-button').last());
    assert.ok(last.bottom <= input.y, 'the buttons are in sight');
  });

  for (const width of [200, 220, 300]) {
    it(`keeps the whole composer in sight below an error where the view is low, ${width} by 394 pixels`, async () => {
      await showError(width, 394);
      const input = await boxOf(web.page.locator('karl-composer'));
      assert.ok(Math.round(input.bottom) <= 394, `${input.y} + ${input.height}`);
      assert.ok((await boxOf(web.page.locator('karl-conversation'))).height >= 394 * 0.4 - 1);
    });
  }

  it('keeps what is attached and what is queued in sight below a long draft, 300 by 720 pixels', async () => {
    const draft = 'A line of a long draft.\n'.repeat(40);
    await web.open({ width: 300, height: 720, saved: { draft, detailsOpen: false } });
    const files = ['src/session/cookie.ts', 'AGENTS.md'].map((path) => {
      return { kind: 'file', label: path, path, line: 1, tokens: 812 } as const;
    });
    await web.show({ ...crowded(), attachments: files });
    const [attached, queued] = ['.attachments', '.queue'].map((part) => web.page.locator(`karl-composer ${part}`));
    assert.ok(attached && (await boxOf(attached)).height >= 30);
    assert.ok(queued && (await boxOf(queued)).height >= 16);
    assert.equal(await styleOf(attached, 'paddingTop'), '6px');
    const chip = await boxOf(attached.locator('li').first());
    assert.ok(chip.y + 20 <= (await boxOf(attached)).y + 30, 'a chip is whole');
  });

  for (const width of [200, 300]) {
    it(`keeps a locked box in sight with everything open, and a message that is edited, ${width} by 500 pixels`, async () => {
      const editing = [{ conversation: 'one', id: 41, draft: '' }];
      await web.open({ width, height: 500, saved: { draft: 'Short.', detailsOpen: true, editing } });
      const { conversation = assert.fail('one is open'), ...state } = crowded();
      const readOnly = 'Another window has taken over this conversation. What was not yet written stays here only.';
      await web.show({ ...state, conversation: { ...conversation, readOnly } });
      for (const part of ['textarea', 'button.send', '.locked', '.editing']) {
        const { height, bottom } = await boxOf(web.page.locator(`karl-composer ${part}`));
        assert.ok(height >= 22 && bottom <= 500, `${part}: ${height}, to ${bottom}`);
      }
      assert.ok((await boxOf(web.page.locator('karl-conversation'))).height >= 200);
    });
  }

  it('shows a short question whole where the view is narrow and low, 220 by 620 pixels', async () => {
    await web.open({ width: 220, height: 620 });
    const text = '97% of the budget is used. Compress before continuing?';
    const question = { ...notice('info', text, 'Compress', 'Preview', 'Not Now'), canDismiss: false };
    await web.show({ ...workingView(), queued: [], notices: [question] });
    const [shown, whole] = await web.page
      .locator('karl-notices .text')
      .evaluate(({ clientHeight, scrollHeight }) => [clientHeight, scrollHeight]);
    assert.equal(shown, whole);
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

  it('leaves the buttons of the title as they are where only the title is left of what is above', async () => {
    const draw = async (height: number) => {
      await web.open({ width: 300, height });
      await web.show(crowded());
      const { bottom } = await boxOf(web.page.locator('.top'));
      const button = await boxOf(web.page.locator('karl-compress-button vscode-button'));
      // Without its corners, through which the page is seen.
      const clip = { x: button.x + 5, y: button.y, width: button.width - 10, height: button.height };
      const picture = await web.page.screenshot({ clip });
      return { bottom, picture };
    };
    const tall = await draw(1400);
    const low = await draw(330);
    assert.ok(low.bottom < 40 && tall.bottom > 70, `${low.bottom}, ${tall.bottom}`);
    assert.ok(low.picture.equals(tall.picture));
  });

  it('gives the room that is not needed to the conversation', async () => {
    await web.open({ width: 300, height: 900 });
    await web.show({ ...workingView(), queued: [] });
    assert.ok((await boxOf(web.page.locator('karl-conversation'))).height > 500);
  });
});
