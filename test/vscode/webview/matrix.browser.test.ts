import assert from 'node:assert/strict';
import fs from 'node:fs';
import path from 'node:path';
import type { Browser } from 'playwright-core';
import { launchBrowser } from '../harness/editor.ts';
import { findFlaws } from '../harness/flaws.ts';
import { root } from '../setup/root.ts';
import { openWebview, type WebviewPage } from './page.ts';
import { STATES } from './states.ts';
import { dark, highContrast, highContrastLight, light } from './themes.ts';

/** With KARL_PICTURES=1 the pictures are saved here, to be looked at. */
const PICTURES = path.join(root, 'out/pictures/matrix');
const HEIGHT = 720;

describe('every state of the view', function () {
  this.timeout(120_000);
  let browser: Browser;
  before(async () => {
    browser = await launchBrowser();
  });
  after(() => browser.close());

  async function save({ page }: WebviewPage, name: string): Promise<void> {
    if (process.env.KARL_PICTURES === undefined) return;
    fs.mkdirSync(PICTURES, { recursive: true });
    await page.screenshot({ path: path.join(PICTURES, `${name}.png`) });
  }

  for (const theme of [dark, light, highContrast, highContrastLight])
    for (const width of [220, 300, 900])
      it(`fits, with the composer in sight and room for what is read: ${theme.name}, ${width} pixels`, async () => {
        const web = await openWebview(browser, { theme, width, height: HEIGHT });
        await web.page.evaluate((color) => {
          document.body.style.background = color;
        }, theme.variables['sideBar-background'] ?? '#000000');
        const found: string[] = [];
        for (const [index, [name, state]] of Object.entries(STATES).entries()) {
          await web.show({ ...state, revision: index + 1 });
          const flaws = await web.page.evaluate(findFlaws);
          found.push(...flaws.map((flaw) => `${name}: ${flaw}`));
          await save(web, `${String(index).padStart(2, '0')}-${theme.name}-${width}`);
        }
        assert.deepEqual(found, []);
        assert.deepEqual(web.problems, []);
        await web.page.close();
      });
});
