import assert from 'node:assert/strict';
import { press, waitFor } from '../harness/tries.ts';
import { useWebview } from './page.ts';

describe('a step of a UI test', () => {
  const web = useWebview();

  it('does not take an older state for the effect of a click, and says what it saw when it waited in vain', async () => {
    await web.page.setContent('<p class="shown">Compressing</p>');
    await assert.rejects(
      press(web.page.locator('.nothing'), web.page.locator('.shown')),
      /before a click on locator\('\.nothing'\) there is already locator\('\.shown'\)/,
    );
    await assert.rejects(
      waitFor(
        async () => 'Compressing',
        (text) => text === 'Compressed',
        { timeout: 1, what: 'the title is' },
      ),
      /^Error: the title is still "Compressing" after 1 ms$/,
    );
  });
});
