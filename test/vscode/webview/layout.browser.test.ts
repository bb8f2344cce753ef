import assert from 'node:assert/strict';
import type { NoticeState } from '../../../src/protocol/viewState.ts';
import { boxOf, isFocused, useWebview } from './page.ts';
import { notice, workingView } from './sample.ts';
import { LOOKS } from './states.ts';

describe('the layout', () => {
  const web = useWebview('opened by each test');

  /** The rows of the head that do not lie in it as a whole, and what is left of the conversation. Runs in the page. */
  function measure() {
    const app = document.querySelector('karl-app')?.shadowRoot;
    const head = app?.querySelector('.top');
    const gauge = app?.querySelector('karl-gauge')?.shadowRoot;
    const edge = head?.getBoundingClientRect();
    const rows = [
      ...(head?.querySelectorAll('.title, karl-switch') ?? []),
      ...(gauge?.querySelectorAll('.glance, p') ?? []),
    ].filter((row) => row.checkVisibility());
    const isCut = (row: Element): boolean => {
      const { top, bottom } = row.getBoundingClientRect();
      return top < (edge?.top ?? 0) - 1 || bottom > (edge?.bottom ?? 0) + 1 || row.scrollHeight > row.clientHeight + 1;
    };
    const main = app?.querySelector(':is(karl-conversation, karl-preview):not([hidden])')?.getBoundingClientRect();
    return { rows: rows.length, cut: rows.filter(isCut).map(({ className }) => className), main: main?.height ?? 0 };
  }

  for (const name of [
    'everything at once',
    'in the middle of work',
    'a question about a command',
    'a preview with a row set aside',
  ] as const)
    it(`cuts through no row of the head, however wide and high the view is: ${name}`, async () => {
      await web.open(LOOKS[name]?.options);
      await web.show(LOOKS[name]?.state ?? assert.fail(name));
      for (const width of [220, 300, 420, 900])
        for (let height = 300; height <= 1000; height += 50) {
          await web.page.setViewportSize({ width, height });
          const { rows, cut, main } = await web.page.evaluate(measure);
          const where = `${width} by ${height} pixels`;
          assert.deepEqual(cut, [], where);
          assert.ok(rows > 0 && main >= height * (height < 500 ? 0.2 : 0.4) - 1, `${where}: ${rows} rows, ${main}`);
        }
    });

  it('shows the most urgent of several notices first, in a part that scrolls', async () => {
    await web.open({ width: 220, height: 460 });
    const named = (severity: NoticeState['severity'], ...labels: readonly string[]): NoticeState =>
      notice(
        severity,
        `${severity}: the server rejected the API key (401). Enter it again, or select a server.`,
        ...labels,
      );
    const error = named('error', 'Set API Key…', 'Select Server…', 'Retry');
    const question = { ...named('info', 'Compress'), id: 'question', canDismiss: false };
    await web.show({ ...workingView(), notices: [named('warning'), error, question, named('info', 'Yes')] });
    const list = web.page.locator('karl-notices .list');
    const notices = list.locator('.notice');
    const order = await notices.evaluateAll((all) => all.map((one) => one.classList.item(2)));
    assert.deepEqual(order, ['info', 'error', 'warning', 'info'], 'what has to be answered comes first');
    for (const one of await notices.all()) {
      await one.evaluate((it) => it.scrollIntoView({ block: 'start' }));
      const [shown, seen] = [await boxOf(list), await boxOf(one)];
      const isWhole = seen.y >= shown.y - 1 && seen.bottom <= shown.bottom + 1;
      assert.ok(isWhole, 'it is in sight as a whole, with its buttons');
    }
  });

  it('keeps the head of a low view while the focus is in it', async () => {
    await web.open({ width: 300, height: 600 });
    await web.draw();
    const compress = web.page.getByRole('button', { name: 'Compress', exact: true });
    await compress.click();
    await web.draw({ notices: [notice('error', 'It failed.')] });
    assert.ok(await isFocused(compress));
    await web.input.focus();
    assert.equal(await compress.isVisible(), false, 'there is more room without it');
  });
});
