import assert from 'node:assert/strict';
import type { Browser } from 'playwright-core';
import { launchBrowser } from '../harness/editor.ts';
import { findFlaws } from '../harness/flaws.ts';
import { takePicture } from '../harness/takePicture.ts';
import { findViolations } from '../harness/violations.ts';
import { openWebview, type WebviewPage } from './page.ts';
import { LOOKS } from './states.ts';
import { setTheme, THEMES } from './themes.ts';

const WIDTHS = [220, 300, 900] as const;
const HEIGHT = 720;
/** The width at which contrasts are measured: they do not depend on it. */
const MEASURED = 300;
/** The roles of what is pressed. */
const CONTROLS: ReadonlySet<unknown> = new Set(['button', 'checkbox', 'DisclosureTriangle', 'link', 'radio']);

/** Opens all that is folded in what is read, with what the host sends of a call. */
async function unfold(web: WebviewPage): Promise<void> {
  const folded = ['karl-contents', 'karl-preview', 'karl-conversation'].map((part) => `${part} details`);
  await web.page.locator(folded.join()).evaluateAll((all) => {
    for (const one of all) one.setAttribute('open', '');
  });
  const calls = await web.page.locator('karl-call').count();
  for (const key of calls === 0 ? [] : ['c3.0', 'c5.0', 'c42.0', 'c42.1'])
    await web.post({ type: 'expanded', key, texts: ['path: src/a.ts', 'src/a.ts:7: const x = 1;'] });
  await web.page.locator('karl-compression button.way[aria-expanded=false]').evaluateAll((all) => {
    for (const one of all) if (one instanceof HTMLElement) one.click();
  });
}

/** Controls whose tooltip says once more what they are called, which a screen reader would read twice. */
async function findRepeated({ page }: WebviewPage): Promise<string[]> {
  const { nodes } = await (await page.context().newCDPSession(page)).send('Accessibility.getFullAXTree');
  return nodes.flatMap(({ ignored, role, name, description }) => {
    const [called, said] = [String(name?.value ?? ''), String(description?.value ?? '')];
    const isControl = !ignored && CONTROLS.has(role?.value);
    return isControl && said !== '' && called.includes(said) ? [`${called} is described as ${said}`] : [];
  });
}

describe('the view, in every theme of VS Code and three widths', function () {
  this.timeout(120_000);
  let browser: Browser;
  let unsure = 0;
  before(async () => {
    browser = await launchBrowser();
  });
  after(() => browser.close());

  for (const [name, { state, options, isTab, act }] of Object.entries(LOOKS))
    it(`is whole, readable, and open to a screen reader: ${name}`, async () => {
      const web = await openWebview(browser, { ...options, height: HEIGHT });
      const { page } = web;
      const ground = isTab ? 'editor' : 'sideBar';
      await web.show(state);
      await act?.(web);
      const found: string[] = [];
      const everywhere = async (
        widths: readonly number[],
        look: (width: number, theme: string) => Promise<readonly string[]>,
      ) => {
        for (const width of widths) {
          await page.setViewportSize({ width, height: HEIGHT });
          for (const theme of THEMES) {
            await setTheme(page, theme, ground);
            found.push(...(await look(width, theme.name)).map((flaw) => `${theme.name}, ${width} pixels: ${flaw}`));
          }
        }
      };
      await everywhere(WIDTHS, async (width, theme) => {
        if (process.env.KARL_PICTURES !== undefined)
          await takePicture(page, `looks/${name.replaceAll(/\W+/g, '-')}-${theme}-${width}`);
        return page.evaluate(findFlaws);
      });
      await unfold(web);
      await everywhere([MEASURED], async (_, theme) => {
        const rules = theme === THEMES[0]?.name ? {} : { runOnly: ['color-contrast'] };
        const violations = await findViolations(page, `var(--vscode-${ground}-background)`, rules);
        unsure += violations.unsure;
        return violations.found;
      });
      found.push(...(await findRepeated(web)));
      assert.deepEqual(found, []);
      assert.deepEqual(web.problems, []);
      await page.close();
    });

  it('has had the contrast of its buttons measured', () => assert.ok(unsure >= 100, `${unsure} buttons`));
});
