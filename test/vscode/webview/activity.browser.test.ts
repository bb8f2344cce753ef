import assert from 'node:assert/strict';
import { readText, useWebview } from './page.ts';
import { view } from './sample.ts';

describe('what runs, in the view', () => {
  const web = useWebview();

  it('cannot compress twice at once, and can stop the one that runs', async () => {
    await web.draw({ activity: { kind: 'compacting', label: 'Compressing with adaptive' } });
    await web.page.getByText('Compress', { exact: true }).click({ force: true });
    assert.deepEqual(await web.asked(), []);
    assert.equal(await readText(web.page.locator('karl-activity [role=status]')), 'Compressing with adaptive');
    await web.press('Stop');
    assert.deepEqual(await web.asked(), ['cancel']);
  });

  it('counts down to the next attempt without reading every second aloud', async () => {
    const countdown = 'Retrying in 41 s (2 of 4)';
    await web.draw({ activity: { kind: 'retrying', label: 'Rate limit reached.', countdown } });
    assert.match(await readText(web.page.locator('karl-activity .line')), /^Rate limit reached\.\s+Retrying in 41 s/);
    assert.equal(await readText(web.page.locator('karl-activity [role=status]')), 'Rate limit reached.');
  });

  it('shows nothing that is over at once: no bar flashes and moves what is being read', async () => {
    const parts = web.page.locator('karl-activity').locator('.progress, .line');
    const session = await web.page.context().newCDPSession(web.page);
    await session.send('Animation.enable');
    await session.send('Animation.setPlaybackRate', { playbackRate: 0 });
    await web.post({ type: 'state', state: view({ activity: { kind: 'compacting', label: 'Compressing' } }) });
    const sizes = () => parts.evaluateAll((all) => all.map(({ clientHeight }) => clientHeight > 0));
    const seek = (ms: number) =>
      parts.evaluateAll((all, to) => {
        for (const one of all.flatMap((part) => part.getAnimations())) one.currentTime = to;
      }, ms);
    await seek(190);
    assert.deepEqual(await sizes(), [false, false]);
    await seek(200);
    assert.deepEqual(await sizes(), [true, true]);
    await web.draw();
    assert.equal(await parts.count(), 0);
  });
});
