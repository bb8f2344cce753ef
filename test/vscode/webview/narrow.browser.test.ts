import assert from 'node:assert/strict';
import type { ViewState } from '../../../src/protocol/viewState.ts';
import { waitFor } from '../harness/tries.ts';
import { boxOf, isCutOff, styleOf, useWebview } from './page.ts';
import { call, message, view, workingView } from './sample.ts';

describe('a narrow and low view', () => {
  const web = useWebview('opened by each test');

  /** Draws a state, and looks at it in some widths. */
  async function draw(state: ViewState, widths: readonly number[], look: (width: number) => Promise<void>) {
    await web.open({ height: 500 });
    await web.show(state);
    for (const width of widths) {
      await web.page.setViewportSize({ width, height: 500 });
      await look(width);
    }
  }

  for (const sent of ['whole', 'summarized'] as const)
    it(`has icon, tool, path, outcome and tokens of a call that is ${sent} in sight`, async () => {
      const failed = {
        name: 'run_command',
        action: 'run',
        target: 'npm test',
        outcome: 'failed',
        detail: 'exit 1',
      } as const;
      const shown = call({ call: 1, sent, ...(sent === 'whole' ? {} : failed) });
      const state = view({ entries: [message({ id: 0, role: 'user' }), shown] });
      await draw(state, [220, 290], async () => {
        const row = web.page.locator('karl-call');
        const parts = [
          '.chevron + .icon',
          '.name',
          '.target',
          '.detail',
          '.size',
          ...(sent === 'whole' ? [] : ['.mark']),
        ];
        const boxes = await Promise.all(parts.map((part) => boxOf(row.locator(part))));
        for (const [index, one] of boxes.entries())
          for (const other of boxes.slice(index + 1))
            assert.ok(
              one.right <= other.x + 1 ||
                other.right <= one.x + 1 ||
                one.bottom <= other.y + 1 ||
                other.bottom <= one.y + 1,
              `${parts[index]} is over another part`,
            );
        for (const part of ['.name', '.detail .ellipsis'])
          assert.ok(!(await isCutOff(row.locator(part))), `${part} is whole`);
        assert.ok((boxes[2]?.width ?? 0) > 100, 'there is room for the path');
      });
    });

  for (const [state, wide] of [
    [view(), /for files$/],
    [{ ...workingView(), queued: [] }, /^Add a message/],
  ] as const)
    it(`keeps the height of the message box when a first character is typed, ${state.activity.kind}`, async () => {
      const input = web.input;
      await draw(state, [220, 300, 900], async () => {
        const before = (await boxOf(input)).height;
        await input.fill('a');
        assert.equal((await boxOf(input)).height, before);
        await input.fill('');
        assert.equal((await boxOf(input)).height, before);
      });
      const isWide = (text: string) => wide.test(text);
      await waitFor(async () => (await input.getAttribute('placeholder')) ?? '', isWide);
    });

  it('has the list of files inside the view, with as much of each name as there is room for', () =>
    draw(view(), [220, 300, 900], async (width) => {
      const input = web.input;
      await input.fill('');
      await input.pressSequentially('See @a');
      const long = `a_file_with_a_${'very_'.repeat(30)}long_name.ts`;
      await web.post({
        type: 'completions',
        text: 'a',
        paths: ['src/a.ts', `src/${long}`, `${'deeply/'.repeat(30)}a.ts`],
      });
      const list = web.page.locator('karl-composer .mentions');
      const { x, width: wide } = await boxOf(list);
      assert.ok(x >= 0 && x + wide <= width);
      assert.ok(!(await isCutOff(list)), 'nothing is beside it');
      const names = list.locator('li > :first-child');
      const isCut = await names.evaluateAll((all) => all.map((name) => name.scrollWidth > name.clientWidth));
      assert.deepEqual(isCut, [false, true, false]);
      assert.equal(await styleOf(names.nth(1), 'textOverflow'), 'ellipsis');
    }));

  it('puts the button to the latest message away at the end, without moving anything', async () => {
    const entries = Array.from({ length: 30 }, (_, id) => message({ id, role: id % 2 === 0 ? 'user' : 'assistant' }));
    await web.open({ width: 300, height: 500 });
    await web.draw({ entries });
    const scroller = web.page.locator('karl-conversation .scroller');
    const before = await boxOf(scroller);
    const latest = web.page.getByRole('button', { name: 'Latest message' });
    await scroller.evaluate((rows) => rows.scrollBy(0, -60));
    await latest.waitFor();
    // What is pressed at the end would not be heard if the rows were moved under the pointer.
    assert.deepEqual(await boxOf(scroller), before);
    await scroller.evaluate((rows) => rows.scrollTo(0, rows.scrollHeight));
    await latest.waitFor({ state: 'detached' });
    const left = () => scroller.evaluate((rows) => rows.scrollHeight - rows.scrollTop - rows.clientHeight);
    await waitFor(left, (pixels) => pixels < 2);
  });
});
