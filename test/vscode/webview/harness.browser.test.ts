import assert from 'node:assert/strict';
import type { Browser, Page } from 'playwright-core';
import { launchBrowser } from '../harness/editor.ts';
import { pressAway } from '../harness/tries.ts';
import { findWebview, sendMessage } from '../harness/workbench.ts';
import { openWebview } from './page.ts';
import { view } from './sample.ts';

describe('a step of a UI test', () => {
  let browser: Browser;
  let page: Page;
  before(async () => {
    browser = await launchBrowser();
  });
  after(() => browser.close());
  afterEach(() => page.close());

  it('sends a message again that the view has lost before the key', async () => {
    ({ page } = await openWebview(browser, { first: view() }));
    const url = page.url();
    await page.goto('about:blank');
    // In a frame, as the workbench has it.
    await page.setContent(`<iframe src="${url}"></iframe>`);
    const frame = await findWebview(page, 'karl-composer');
    await frame.locator('karl-app').evaluate((app: HTMLElementTagNameMap['karl-app']) => {
      const lose = () => app.updateComplete.then(() => Object.assign(app, { page: { ...app.page, draft: '' } }));
      app.addEventListener('input', () => void lose(), { once: true });
    });
    await sendMessage(page, 'Hello');
    const sent = await frame.evaluate(() => window.karlIntents.filter(({ type }) => type === 'send'));
    assert.deepEqual(sent, [{ type: 'send', text: 'Hello' }]);
  });

  it('clicks what closes an element that is out of sight for a moment', async () => {
    page = await browser.newPage();
    await page.setContent('<p>Box</p><button onclick="this.textContent += \'!\'">Close</button>');
    const box = page.locator('p');
    const isDrawnAgain = Object.assign(Object.create(box), {
      waitFor: async () => {
        await box.waitFor();
        await box.evaluate((element) => element.setAttribute('hidden', ''));
      },
    });
    await pressAway(page.getByRole('button'), isDrawnAgain);
    assert.equal(await page.getByRole('button').textContent(), 'Close!');
  });
});
