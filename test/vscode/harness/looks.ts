import assert from 'node:assert/strict';
import fs from 'node:fs';
import path from 'node:path';
import type { Frame, Page } from 'playwright-core';
import { SEED } from '../../attack/seed.ts';
import { root } from '../setup/root.ts';
import { findFlaws } from './flaws.ts';
import { settingsOf, writeWhole } from './server.ts';
import { takePicture } from './takePicture.ts';
import { TRY_TIMEOUT, waitFor } from './tries.ts';

const THEMES = ['Light Modern', 'Default High Contrast', 'Default High Contrast Light', 'Dark Modern'] as const;

/** The colours of VS Code's themes that the page uses, by theme and variable: fixed states are drawn with them. */
export const COLOURS = path.join(root, 'test/fixtures/themes.json');

/**
 * Looks at the view in the editor itself: that it is whole there, and that the colours of one of VS Code's themes, another
 * in each run, are those of `COLOURS`, with which `webview/looks.browser.test.ts` measures contrasts. In all themes,
 * KARL_COLOURS=1 writes them anew and KARL_PICTURES=1 saves pictures. The theme is in the settings of the window's folder,
 * which are as before afterwards.
 */
export async function expectLooks(page: Page, frame: Frame, flow: string): Promise<void> {
  const first = await themeOf(frame);
  const names = usedColours();
  const { KARL_COLOURS, KARL_PICTURES } = process.env;
  const takesAll = KARL_COLOURS !== undefined || KARL_PICTURES !== undefined;
  const colours: Record<string, Readonly<Record<string, string>>> = {};
  const settings = settingsOf(page);
  const before = fs.readFileSync(settings, 'utf8');
  assert.deepEqual(await frame.evaluate(findFlaws), []);
  for (const theme of THEMES.filter((_, index) => takesAll || index === SEED % THEMES.length)) {
    writeWhole(settings, JSON.stringify({ ...JSON.parse(before), 'workbench.colorTheme': theme }));
    await waitForTheme(frame, theme);
    colours[theme] = await frame.evaluate(readColours, names);
    await takePicture(page, `looks/${flow}-${theme.replaceAll(' ', '-')}`);
  }
  writeWhole(settings, before);
  await waitForTheme(frame, first);
  if (KARL_COLOURS !== undefined) fs.writeFileSync(COLOURS, `${JSON.stringify(colours, undefined, 2)}\n`);
  const known = JSON.parse(fs.readFileSync(COLOURS, 'utf8'));
  assert.deepEqual(
    colours,
    takesAll ? known : Object.fromEntries(Object.keys(colours).map((name) => [name, known[name]])),
  );
}

/** The names of VS Code's variables in the page's script, in order; fonts are those of the machine. */
function usedColours(): string[] {
  const script = fs.readFileSync(path.join(root, 'dist/webview.js'), 'utf8');
  const names = [...script.matchAll(/--vscode-([\w-]+)/g)].map(([, name = '']) => name);
  return [...new Set(names)].filter((name) => !/font/.test(name)).toSorted();
}

/** Runs in the page: the variables that the theme sets. */
function readColours(names: readonly string[]): Record<string, string> {
  const { style } = document.documentElement;
  const values = names.map((name) => [name, style.getPropertyValue(`--vscode-${name}`).trim()] as const);
  return Object.fromEntries(values.filter(([, value]) => value !== ''));
}

async function waitForTheme(frame: Frame, theme: string | null): Promise<void> {
  const read = () => themeOf(frame);
  await waitFor(read, (shown) => shown === theme, { what: 'the theme of the view is' });
}

const themeOf = (frame: Frame) => frame.locator('body').getAttribute('data-vscode-theme-id', { timeout: TRY_TIMEOUT });
