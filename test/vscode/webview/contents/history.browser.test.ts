import assert from 'node:assert/strict';
import { CONTENTS } from '../contentsSample.ts';
import { namesOf, useWebview } from '../page.ts';

describe('the history of tokens, as shown', () => {
  const web = useWebview();

  it('is a chart, from two points on, and rows that lead to their messages', async () => {
    const chart = web.page.locator('karl-contents .chart');
    await web.draw({ contents: { ...CONTENTS, chart: CONTENTS.chart.slice(0, 1) } });
    assert.equal(await chart.count(), 0);
    await web.draw({ contents: CONTENTS });
    await chart.click();
    await web.press('14:30 · Request: 9,000 tokens, 45% of the budget, message 30');
    assert.deepEqual(await web.asked(), ['reveal 30']);
  });

  it('has a dot for each compression, undo, error and change of the model', async () => {
    await web.draw({ contents: CONTENTS });
    const [events = ''] = await namesOf(web.page.locator('.chart .events'), 'd');
    assert.match(events ?? '', /^(?:M[\d.]+ [\d.]+h0){6}$/);
    assert.match(events ?? '', /M93\.\d+ 100\.00h0/);
  });

  it('keeps every line inside the chart', async () => {
    await web.draw({ contents: CONTENTS });
    const [limit = '', tokens = ''] = await namesOf(web.page.locator('.chart :is(.limit, .tokens)[d]'), 'd');
    for (const path of [limit, tokens])
      for (const [, x, y] of (path ?? '').matchAll(/([\d.-]+) ([\d.-]+)/g))
        assert.ok(Number(x) >= 0 && Number(x) <= 100 && Number(y) >= 0 && Number(y) <= 100, `${path}`);
    assert.match(limit ?? '', /^M0\.00 \d.*L100\.00 [\d.]+$/);
  });
});
