import assert from 'node:assert/strict';
import { readText, styleOf, useWebview } from '../page.ts';
import { gauge } from '../sample.ts';

describe('the gauge', () => {
  const web = useWebview();

  const text = async (selector: string) =>
    (await readText(web.page.locator(`karl-gauge ${selector}`))).replaceAll('\u00a0', ' ').replaceAll(/\s+/g, ' ');

  it('says exactly how much of the limit is used, to a screen reader too', async () => {
    await web.draw();
    assert.equal(await text('.use'), '12,408 of 14,336 tokens · 87%');
    assert.equal(await text('.next'), gauge.next);
    const values = ['aria-valuenow', 'aria-valuemax', 'aria-valuetext'].map((name) =>
      web.page.getByRole('meter', { name: 'Context used' }).getAttribute(name),
    );
    const words = (await Promise.all(values)).map((value) => value?.replaceAll('\u00a0', ' '));
    assert.deepEqual(words, ['12408', '14336', `12,408 of 14,336 tokens · 87%, exact count. ${gauge.next}`]);
  });

  it('says where the figure and the window come from', async () => {
    await web.draw();
    assert.equal(await text('.source'), 'Exact count 16,384-token window (from the model profile)');
    await web.draw({ gauge: { ...gauge, usedSource: 'measured by the server', windowSource: 'from the server' } });
    assert.equal(await text('.source'), 'Measured by the server 16,384-token window (from the server)');
  });

  it('draws parts, free and reserve to scale, with the reserve at the end, and marks start and aim of compressions', async () => {
    await web.draw();
    const boxOf = async (part: string) =>
      (await web.page.locator(`karl-gauge ${part}`).boundingBox()) ?? assert.fail(`${part} is not drawn`);
    const bar = await boxOf('.bar');
    await web.page.waitForFunction(() => document.getAnimations().length === 0);
    for (const [part, tokens] of [
      ['piece.prompt', 1204],
      ['piece.tools', 1204 + 846],
      ['piece.messages', 12_408],
      ['piece.free', 14_336],
      ['piece.reserve', 16_384],
      ['tick.trigger', 11_469],
      ['tick.target', 7168],
    ] as const) {
      const { x, width } = await boxOf(`.${part}`);
      const at = (x + width / (part.startsWith('tick') ? 2 : 1) - bar.x) / bar.width;
      assert.ok(Math.abs(at - tokens / 16_384) < 0.01, `${part} ends at ${at}`);
    }
    const title = await web.page.locator('karl-gauge .tick.trigger').getAttribute('title');
    assert.equal(title, 'Compresses at: 11,469 tokens');
  });

  it('is longer than the window when more than the window is used', async () => {
    await web.draw({
      gauge: { ...gauge, used: 20_000, level: 'over', parts: [{ label: 'messages', tokens: 20_000 }] },
    });
    assert.match(await text('.use'), /140%/);
    assert.equal(await web.page.locator('karl-gauge .piece.reserve').count(), 0);
    assert.equal(await web.page.locator('karl-gauge .piece').count(), 1);
  });

  it('has a colour for each level', async () => {
    const colours = new Set<string>();
    for (const level of ['calm', 'near', 'due', 'over'] as const) {
      await web.draw({ gauge: { ...gauge, level } });
      const piece = web.page.locator('karl-gauge .piece.messages');
      colours.add(await styleOf(piece, 'backgroundColor'));
    }
    assert.equal(colours.size, 4);
    for (const colour of colours)
      assert.doesNotMatch(colour, /\//, `${colour} is opaque, also where the theme's colour is not`);
  });

  it('says when no compression can help, and by how much', async () => {
    await web.draw({ gauge: { ...gauge, level: 'over', overflowTokens: 2664, next: 'It is too long.' } });
    assert.match(await readText(web.page.getByRole('alert')), /It is too long/);
    assert.equal(await web.page.locator('karl-gauge .next').count(), 0, 'once');
  });

  it('unfolds into a legend with the tokens, the share of the budget and the costs', async () => {
    await web.draw({ gauge: { ...gauge, cost: { turn: 0.0123, all: 1.5, broken: 0.25 } } });
    await web.page.locator('karl-gauge summary').click();
    const rows = await web.page.locator('karl-gauge .legend li').allInnerTexts();
    const figures = rows.map((row) => row.replaceAll('\u00a0', ' ').split('\n').slice(0, 2).join(' '));
    assert.deepEqual(figures, [
      'Prompt 1,204',
      'Tools 846',
      'Summaries 930',
      'Messages 9,428',
      'Free 1,928',
      'Reserved for the reply 2,048',
      'Aims at 7,168',
      'Compresses at 11,469',
      "From the provider's cache 8,192",
      'Cost of this turn $0.0123',
      'Cost of the conversation $1.50',
      'of which for caches that compressions invalidated $0.25',
    ]);
    const shares = await web.page.locator('karl-gauge .legend li .part').allInnerTexts();
    assert.deepEqual(
      shares.map((share) => share.replaceAll('\u00a0', ' ').trim()),
      ['8%', '6%', '6%', '66%', '13%', '', '50%', '80%', '57%', '', '', ''],
      'of the budget; the reserve lies outside of it',
    );
  });

  it('shows the part that an input limit below the window closes', async () => {
    await web.draw({ gauge: { ...gauge, window: 32_768, limit: 14_336 } });
    const shut = web.page.locator('karl-gauge .piece.closed');
    assert.equal(await shut.getAttribute('title'), 'Above the input limit: 16,384 tokens');
  });
});
