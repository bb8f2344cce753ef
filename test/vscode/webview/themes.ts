import fs from 'node:fs';
import type { Page } from 'playwright-core';
import { COLOURS } from '../harness/looks.ts';

/** A theme as VS Code gives it to a webview: variables on the root element and a class on the body. */
export interface Theme {
  readonly name: 'light' | 'dark' | 'high-contrast' | 'high-contrast-light';
  readonly variables: Readonly<Record<string, string>>;
}

const FONTS = {
  'font-family': 'system-ui, "Segoe UI", "DejaVu Sans", sans-serif',
  'font-size': '13px',
  'editor-font-family': '"Cascadia Code", "DejaVu Sans Mono", monospace',
  'editor-font-size': '12px',
};

/** The colours that VS Code gives the view in its own themes; a test of the ui ring keeps them true. */
const colours: Readonly<Record<string, Theme['variables']>> = JSON.parse(fs.readFileSync(COLOURS, 'utf8'));

export const dark: Theme = { name: 'dark', variables: { ...colours['Dark Modern'], ...FONTS } };
export const light: Theme = { name: 'light', variables: { ...colours['Light Modern'], ...FONTS } };
export const highContrast: Theme = {
  name: 'high-contrast',
  variables: { ...colours['Default High Contrast'], ...FONTS },
};
export const highContrastLight: Theme = {
  name: 'high-contrast-light',
  variables: { ...colours['Default High Contrast Light'], ...FONTS },
};
/** All of them; the light one first. */
export const THEMES: readonly Theme[] = [light, dark, highContrast, highContrastLight];

/** Gives a page another theme, on the ground that a side bar or an editor has. */
export async function setTheme(page: Page, { name, variables }: Theme, ground: 'sideBar' | 'editor'): Promise<void> {
  await page.evaluate(
    (given) => {
      const { style } = document.documentElement;
      for (const variable of [...style]) style.removeProperty(variable);
      for (const [variable, value] of given.variables) style.setProperty(`--vscode-${variable}`, value);
      document.body.className = `vscode-${given.name}`;
      document.body.style.background = `var(--vscode-${given.ground}-background)`;
    },
    { name, ground, variables: Object.entries(variables) },
  );
}
