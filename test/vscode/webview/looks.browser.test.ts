import assert from 'node:assert/strict';
import { cases, SEED } from '../../attack/seed.ts';
import { findFlaws } from '../harness/flaws.ts';
import { takePicture } from '../harness/takePicture.ts';
import { findViolations } from '../harness/violations.ts';
import { useWebview, type WebviewPage } from './page.ts';
import { LOOKS } from './states.ts';
import { highContrast, light, setTheme, THEMES, type Theme } from './themes.ts';

const WIDTHS = [220, 300, 900] as const;
const HEIGHT = 720;
/** The height of a low view. */
const LOW = 500;
/** Layouts are checked in every width in one theme, and in the narrowest with the borders of high contrast. */
const isLaidOut = (theme: Theme, width: number) => theme === light || (theme === highContrast && width === WIDTHS[0]);
/** The themes in which the contrast of a state is measured: all at full size; otherwise one, a different one for each state and run. */
const measuredIn = (place: number) =>
  THEMES.filter((_, index) => cases(4) === 4 || index === (place + SEED) % THEMES.length);
/** The width at which contrasts are measured, since they do not depend on it. */
const MEASURED = 300;
/** The roles of controls. */
const CONTROLS: ReadonlySet<unknown> = new Set(['button', 'checkbox', 'DisclosureTriangle', 'link', 'radio']);

/** Unfolds everything, with the host's answers for calls. */
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

/** The parts of the gauge that a low view must show and does not. Runs in the page. */
function findHidden(): string[] {
  const app = document.querySelector('karl-app')?.shadowRoot;
  const top = app?.querySelector('.top')?.getBoundingClientRect();
  const gauge = app?.querySelector('karl-gauge')?.shadowRoot;
  const endOf = (part: string) => gauge?.querySelector(part)?.getBoundingClientRect().bottom ?? 0;
  return ['.bar', '.use strong'].filter((part) => endOf(part) > (top?.bottom ?? 0)).map((part) => `${part} is hidden`);
}

/** Controls whose tooltip repeats their name, which a screen reader would read twice. */
async function findRepeated({ page }: WebviewPage): Promise<string[]> {
  const session = await page.context().newCDPSession(page);
  const { nodes } = await session.send('Accessibility.getFullAXTree');
  await session.detach();
  return nodes.flatMap(({ ignored, role, name, description }) => {
    const [called, said] = [String(name?.value ?? ''), String(description?.value ?? '')];
    const isControl = !ignored && CONTROLS.has(role?.value);
    return isControl && said !== '' && called.includes(said) ? [`${called} is described as ${said}`] : [];
  });
}

describe(`the view, in the themes of VS Code and three widths (KARL_SEED=${SEED})`, function () {
  this.timeout(120_000);
  const web = useWebview('opened by each test');

  for (const [place, [name, { state, options, isTab, act }]] of Object.entries(LOOKS).entries())
    it(`is whole, readable, and open to a screen reader: ${name}`, async () => {
      await web.open({ ...options, height: HEIGHT, hurries: true });
      const { page } = web;
      const ground = isTab ? 'editor' : 'sideBar';
      await web.show(state);
      await act?.(web);
      const found: string[] = [];
      const note = (flaws: readonly string[], where: string) => found.push(...flaws.map((flaw) => `${where}: ${flaw}`));
      const takesPictures = process.env.KARL_PICTURES !== undefined;
      for (const theme of THEMES) {
        const widths = WIDTHS.filter((width) => takesPictures || isLaidOut(theme, width));
        if (widths.length === 0) continue;
        await setTheme(page, theme, ground);
        for (const width of widths) {
          await page.setViewportSize({ width, height: HEIGHT });
          if (takesPictures) await takePicture(page, `looks/${name.replaceAll(/\W+/g, '-')}-${theme.name}-${width}`);
          if (isLaidOut(theme, width)) note(await page.evaluate(findFlaws), `${theme.name}, ${width} pixels`);
        }
      }
      await setTheme(page, light, ground);
      for (const width of [220, 300]) {
        await page.setViewportSize({ width, height: LOW });
        note([...(await page.evaluate(findFlaws)), ...(await page.evaluate(findHidden))], `${width} by ${LOW} pixels`);
      }
      await unfold(web);
      await page.setViewportSize({ width: MEASURED, height: HEIGHT });
      for (const [turn, theme] of measuredIn(place).entries()) {
        await setTheme(page, theme, ground);
        const rules = turn === 0 ? {} : { runOnly: ['color-contrast'] };
        note(await findViolations(page, `var(--vscode-${ground}-background)`, rules), theme.name);
      }
      found.push(...(await findRepeated(web)));
      assert.deepEqual(found, []);
    });
});
