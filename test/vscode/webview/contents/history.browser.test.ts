import assert from 'node:assert/strict';
import { layoutHistory } from '../../../../src/webview/contents/historyLayout.ts';
import { CONTENTS } from '../contentsSample.ts';
import { namesOf, readText, useWebview } from '../page.ts';

describe('the history of tokens, as shown', () => {
  const web = useWebview();
  beforeEach(async () => {
    await web.draw({ contents: CONTENTS });
  });
  const chart = () => web.page.getByRole('slider', { name: /^Tokens of each request/ });

  it('is read point by point with the arrow keys, and Enter goes to the place', async () => {
    const said = () => chart().getAttribute('aria-valuetext');
    await chart().focus();
    assert.match(String(await said()), /Changed by you: 13,940 → 12,408 tokens$/);
    await web.keys('ArrowLeft', 'ArrowLeft');
    assert.match(String(await said()), /Model changed to qwen3-coder-480b$/);
    await web.keys('Home');
    assert.match(String(await said()), /Request: 2000 tokens, 14% of the budget$/);
    assert.equal(await chart().getAttribute('aria-valuenow'), '1');
    await web.keys('ArrowLeft', 'PageUp');
    assert.equal(await chart().getAttribute('aria-valuenow'), '11');
    await web.keys('Enter');
    assert.deepEqual(await web.asked(), ['reveal 10']);
    assert.equal(await readText(web.page.locator('karl-history .read')), String(await said()));
  });

  it('keeps its text visible while it is read with the keyboard, however low the view is', async () => {
    await web.page.setViewportSize({ width: 300, height: 700 });
    const scroller = web.page.locator('karl-contents .scroller');
    await scroller.evaluate((element) => element.scrollTo(0, 0));
    await chart().focus();
    await web.keys('ArrowLeft');
    const [words, list] = [await web.page.locator('karl-history .read').boundingBox(), await scroller.boundingBox()];
    assert.ok(words && list && words.y + words.height <= list.y + list.height, JSON.stringify([words, list]));
  });

  it('goes to the point that is clicked, and marks each kind with its own icon', async () => {
    const box = await chart().boundingBox();
    assert.ok(box);
    await web.page.mouse.click(box.x + box.width - 1, box.y + box.height / 2);
    assert.deepEqual(await web.asked(), ['reveal 31']);
    const shapes = await namesOf(web.page.locator('karl-history .mark path'), 'd');
    assert.equal(shapes.length, 6);
    assert.equal(new Set(shapes).size, 6);
  });

  it('leads to the row of a compression', async () => {
    const points = CONTENTS.history.map((point) => (point.kind === 'by-hand' ? { ...point, row: 12 } : point));
    await web.draw({ contents: { ...CONTENTS, history: points } });
    await chart().press('Enter');
    assert.deepEqual(await web.asked(), ['reveal 11']);
  });

  it('follows the newest point unless another is read, and is not drawn for fewer than two', async () => {
    const { history } = CONTENTS;
    const now = () => chart().getAttribute('aria-valuenow');
    const show = (points: typeof history) => web.draw({ contents: { ...CONTENTS, history: points } });
    await show(history.slice(0, 10));
    assert.equal(await now(), '10');
    await show(history.slice(0, 11));
    assert.equal(await now(), '11');
    await chart().focus();
    await web.keys('Home');
    await show(history);
    assert.equal(await now(), '1');
    await show(history.slice(0, 1));
    assert.equal(await chart().count(), 0);
  });

  it('keeps every line and mark inside the chart', () => {
    const { points, limit, tokens } = layoutHistory(CONTENTS.history);
    assert.ok(points.every(({ x, y }) => x >= 0 && x <= 100 && y >= 0 && y <= 100));
    for (const path of [limit, tokens])
      for (const [, x, y] of path.matchAll(/([\d.-]+) ([\d.-]+)/g))
        assert.ok(Number(x) >= 0 && Number(x) <= 100 && Number(y) >= 0 && Number(y) <= 100, path);
    assert.match(limit, /^M0 \d/);
    assert.match(limit, /L100 [\d.]+$/);
  });
});
