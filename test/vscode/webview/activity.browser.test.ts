import assert from 'node:assert/strict';
import type { ViewState } from '../../../src/protocol/viewState.ts';
import { readText, useWebview } from './page.ts';
import { view } from './sample.ts';

describe('what runs, in the view', () => {
  const web = useWebview();
  // A clock that was installed stays with its page.
  afterEach(() => web.page.close());

  it('cannot compress twice at once, and can stop the one that runs', async () => {
    await web.draw({ activity: { kind: 'compacting', label: 'Compressing with adaptive' } });
    await web.page.getByText('Compress', { exact: true }).click({ force: true });
    assert.deepEqual(await web.asked(), []);
    assert.equal(await readText(web.page.locator('karl-activity [role=status]')), 'Compressing with adaptive');
    await web.press('Stop');
    assert.deepEqual(await web.asked(), ['cancel']);
  });

  it('shows nothing that is over at once: no bar flashes and moves what is being read', async () => {
    const line = web.page.locator('karl-activity .line');
    const { clock } = web.page;
    await clock.install();
    await clock.pauseAt(Date.now() + 60_000);
    const compressing = { kind: 'compacting', label: 'Compressing' } as const;
    const pass = async (ms: number, activity: ViewState['activity'], revision: number) => {
      await web.page.evaluate((state) => {
        const told = new Promise((resolve) => window.addEventListener('message', resolve, { once: true }));
        window.postMessage({ type: 'state', state }, '*');
        return told.then(() => undefined);
      }, view({ revision, activity }));
      await clock.runFor(ms);
      return await line.count();
    };
    assert.equal(await pass(150, compressing, 2), 0);
    assert.equal(await pass(500, { kind: 'idle' }, 3), 0);
    assert.equal(await pass(500, compressing, 4), 1);
  });

  it('counts down to the next attempt, by its own clock and without reading every second aloud', async () => {
    await web.page.clock.install();
    const retrying = { kind: 'retrying', label: 'Rate limit reached.', attempt: 2, attempts: 4 } as const;
    const shown = () => readText(web.page.locator('karl-activity .line'));
    await web.post({ type: 'state', state: view({ activity: { ...retrying, remainingMs: 41_000 } }) });
    assert.match(await shown(), /^Rate limit reached\.\s+Retrying in 41 s \(2 of 4\)/);
    await web.page.clock.runFor(5_000);
    assert.match(await shown(), /Retrying in 36 s \(2 of 4\)/);
    await web.page.clock.runFor(50_000);
    assert.match(await shown(), /Retrying in 0 s/);
    assert.equal(await readText(web.page.locator('karl-activity [role=status]')), 'Rate limit reached.');
    await web.draw();
    assert.equal(await web.page.locator('karl-activity .line').count(), 0);
  });
});
