import assert from 'node:assert/strict';
import type { Browser, Page } from 'playwright-core';
import { openViewContainer, readNotifications, runCommand } from '../harness/workbench.ts';
import { launchBrowser } from './page.ts';

/** As much of a workbench as the harness touches, by VS Code's own class names; nothing in it hears the first try. */
const WORKBENCH = `
  <div class="activitybar"><li class="action-item"><a class="action-label" aria-label="Karl">K</a></li></div>
  <div class="statusbar-item" id="status.notifications"><a>bell</a></div>
  <div class="notifications-center" hidden><div class="notification-list-item-message">Compressed.</div></div>
  <div class="quick-input-widget" style="display: none">
    <input type="text"><div class="monaco-list-row" aria-label="Karl: Undo, Ctrl+U">Karl: Undo</div>
  </div>
  <script>
    const heard = {};
    const secondTime = (name, act) => () => { heard[name] = (heard[name] ?? 0) + 1; if (heard[name] > 1) act(); };
    const $ = (selector) => document.querySelector(selector);
    const item = $('.action-item'), center = $('.notifications-center'), palette = $('.quick-input-widget');
    item.onclick = secondTime('container', () => item.classList.toggle('checked'));
    $('.statusbar-item a').onclick = secondTime('bell', () => { center.classList.toggle('visible'); center.hidden = !center.hidden; });
    const openPalette = secondTime('palette', () => { palette.style.display = ''; });
    document.onkeydown = ({ key }) => { if (key === 'F1') openPalette(); };
    $('.monaco-list-row').onclick = () => { palette.style.display = 'none'; document.title = $('input').value; };
  </script>`;

describe('what the harness does in a workbench that does not listen yet', () => {
  let browser: Browser;
  before(async () => {
    browser = await launchBrowser();
  });
  after(() => browser.close());

  async function openWorkbench(): Promise<Page> {
    const page = await browser.newPage();
    await page.setContent(WORKBENCH);
    return page;
  }

  const STEPS: readonly ((page: Page) => Promise<void>)[] = [
    async (page) => {
      const open = page.locator('.action-item.checked');
      await openViewContainer(page, 'Karl');
      assert.equal(await open.count(), 1);
      await openViewContainer(page, 'Karl');
      assert.equal(await open.count(), 1, 'a click too many closed it');
    },
    async (page) => {
      assert.deepEqual(await readNotifications(page), ['Compressed.']);
      assert.deepEqual(await readNotifications(page), ['Compressed.']);
    },
    async (page) => {
      await runCommand(page, 'Karl: Undo');
      assert.equal(await page.title(), '>Karl: Undo');
    },
  ];

  it('tries again: the icon of a view container, the bell, F1', () =>
    Promise.all(STEPS.map(async (step) => step(await openWorkbench()))));
});
