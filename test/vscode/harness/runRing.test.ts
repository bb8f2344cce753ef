import assert from 'node:assert/strict';
import { RINGS, runRing } from './rings.ts';

describe('a ring that drives a browser', () => {
  const named = process.env.KARL_BROWSER;
  afterEach(() => {
    if (named === undefined) delete process.env.KARL_BROWSER;
    else process.env.KARL_BROWSER = named;
  });

  it('looks for it once, before its tests run side by side, and is one failure where there is none', async () => {
    process.env.KARL_BROWSER = '/nowhere/chromium';
    for (const ring of [RINGS.webview, RINGS.ui]) {
      const { passed, failures } = await runRing(ring);
      assert.equal(passed, 0);
      assert.deepEqual(failures, ['KARL_BROWSER names /nowhere/chromium, which does not exist.']);
    }
  });
});
