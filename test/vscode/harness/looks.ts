import assert from 'node:assert/strict';
import fs from 'node:fs';
import type { Frame, Page } from 'playwright-core';
import { findFlaws } from './flaws.ts';
import { settingsOf, writeWhole } from './folderSettings.ts';
import { takePicture } from './takePicture.ts';
import { TRY_TIMEOUT, until, waitFor } from './tries.ts';
import { findViolations } from './violations.ts';

// What a flow has led to, in every look that a user may have: VS Code's own themes, and widths of the view.

const THEMES = ['Light Modern', 'Default High Contrast', 'Default High Contrast Light', 'Dark Modern'] as const;
type Theme = (typeof THEMES)[number];
const WIDTHS = [220, 300, 900] as const;
/** The width at which contrasts are measured: they do not depend on it. */
const MEASURED = 300;
/** The theme in which everything else that axe-core knows is checked: it does not depend on it. */
const CHECKED = THEMES[0];

/** Where the view is: in one of the two side bars, or as the only editor, without a side bar. */
type Place = 'sidebar' | 'auxiliarybar' | 'editor';
const BACKGROUNDS: Readonly<Record<Place, string>> = {
  sidebar: 'var(--vscode-sideBar-background)',
  auxiliarybar: 'var(--vscode-sideBar-background)',
  editor: 'var(--vscode-editor-background)',
};

/**
 * Shows the view in every theme and width and expects that it is whole and readable in each; with KARL_PICTURES=1 it
 * saves pictures of all, and one of the whole window in each theme. Afterwards the window looks as before.
 */
export async function expectEveryLook(page: Page, frame: Frame, flow: string, place: Place = 'sidebar'): Promise<void> {
  const [firstTheme, firstWidth] = [await themeOf(frame), await widthOf(frame)];
  const flaws: string[] = [];
  await inEveryTheme(page, async (theme) => {
    await waitForTheme(frame, theme);
    // To and fro: the width that one theme ends with is where the next one begins.
    for (const width of THEMES.indexOf(theme) % 2 === 0 ? WIDTHS : WIDTHS.toReversed()) {
      await resize(page, frame, place, width);
      const isMeasured = width === MEASURED;
      const rules = theme === CHECKED ? {} : { runOnly: ['color-contrast'] };
      const violations = isMeasured ? (await findViolations(frame, BACKGROUNDS[place], rules)).found : [];
      const found = [...(await frame.evaluate(findFlaws)), ...violations];
      flaws.push(...found.map((flaw) => `${theme}, ${width} pixels: ${flaw}`));
      if (process.env.KARL_PICTURES !== undefined)
        await takePicture(
          isMeasured ? page : page.locator(`.part.${place}`),
          `looks/${flow}-${theme.replaceAll(' ', '-')}-${width}`,
        );
    }
  });
  await waitForTheme(frame, firstTheme);
  await resize(page, frame, place, firstWidth);
  assert.deepEqual(flaws, []);
}

/** Gives the window each of VS Code's four themes and does this in it; afterwards the settings are as before. */
export async function inEveryTheme(page: Page, act: (theme: Theme) => Promise<void>): Promise<void> {
  const settings = settingsOf(page);
  const before = fs.existsSync(settings) ? fs.readFileSync(settings, 'utf8') : '{}';
  try {
    for (const theme of THEMES) {
      writeWhole(settings, JSON.stringify({ ...JSON.parse(before), 'workbench.colorTheme': theme }));
      await act(theme);
    }
  } finally {
    writeWhole(settings, before);
  }
}

async function waitForTheme(frame: Frame, theme: string | null): Promise<void> {
  await waitFor(
    () => themeOf(frame),
    (shown) => shown === theme,
    { what: 'the theme of the view is' },
  );
}

/** Drags the border of a side bar, or makes the window narrower, until the view has this width, pixels. */
async function resize(page: Page, frame: Frame, place: Place, width: number): Promise<void> {
  await until(
    async () => (await widthOf(frame)) === width,
    async () => {
      if (place === 'editor') {
        const size = page.viewportSize();
        if (size === null) throw new Error('the window has no size');
        await page.setViewportSize({ ...size, width: size.width + width - (await widthOf(frame)) });
        return;
      }
      const box = await page.locator(`.part.${place}`).boundingBox();
      if (box === null) throw new Error('the side bar is not shown');
      // What is dragged lies between the side bar and the editor.
      const [border, outwards] = place === 'sidebar' ? [box.x + box.width, 1] : [box.x - 2, -1];
      const wider = width - (await widthOf(frame));
      await page.mouse.move(border, box.y + box.height / 2);
      await page.mouse.down();
      await page.mouse.move(border + outwards * wider, box.y + box.height / 2, { steps: 2 });
      await page.mouse.up();
      await page.mouse.move(box.x + box.width - 4, 2);
    },
  );
}

const widthOf = (frame: Frame): Promise<number> => frame.evaluate(() => innerWidth);
const themeOf = (frame: Frame) => frame.locator('body').getAttribute('data-vscode-theme-id', { timeout: TRY_TIMEOUT });
