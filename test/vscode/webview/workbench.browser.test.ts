import assert from 'node:assert/strict';
import type { Browser, Page } from 'playwright-core';
import { launchBrowser } from '../harness/editor.ts';
import { enterText, runCommand } from '../harness/quickInput.ts';
import { expectText, press, pressAway, waitFor } from '../harness/tries.ts';
import { findWebview, openViewContainer, readNotifications, sendMessage } from '../harness/workbench.ts';
import { openWebview } from './page.ts';
import { view } from './sample.ts';

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

/** An input box that is replaced by another soon after it was shown, as VS Code does when two are asked for. */
const BOXES = `
  <div class="quick-input-widget quick-input-widget-closing"><input><div class="monaco-list-row">fading</div></div>
  <div class="quick-input-widget"><span class="quick-input-title">Another box</span><input></div>
  <ol></ol>
  <script>
    const box = document.querySelector('.quick-input-widget:not(.quick-input-widget-closing)');
    const [title, input] = box.children;
    setTimeout(() => { title.textContent = 'Karl: API key for x'; input.value = ''; }, 300);
    input.onkeydown = ({ key }) => {
      if (key !== 'Enter') return;
      document.querySelector('ol').append(title.textContent + ' = ' + input.value + ';');
      box.style.display = 'none';
    };
  </script>`;

describe('what the harness does in a workbench, or a view, that does not listen yet', () => {
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

  it('types into the box that is meant, and into no other that is open before it', async () => {
    const page = await browser.newPage();
    await page.setContent(BOXES);
    await enterText(page, 'API key for', 'secret');
    await expectText(page.locator('ol'), /^Karl: API key for x = secret;$/);
  });

  it('does not take an older state for the effect of a click, and says what it saw when it waited in vain', async () => {
    const page = await openWorkbench();
    await assert.rejects(
      press(page.locator('.nothing'), page.locator('.action-item')),
      /before a click on locator\('\.nothing'\) there is already locator\('\.action-item'\)/,
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

  it('tries again: the icon of a view container, the bell, F1', () =>
    Promise.all(STEPS.map(async (step) => step(await openWorkbench()))));

  it('sends a message again that the view has lost before the key', async () => {
    const { page } = await openWebview(browser, { first: view() });
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
    const page = await browser.newPage();
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
