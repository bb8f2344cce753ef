import assert from 'node:assert/strict';
import fs from 'node:fs';
import { createRequire } from 'node:module';
import type { AxeResults, RunOptions } from 'axe-core';
import type { Page } from 'playwright-core';

const AXE = fs.readFileSync(createRequire(import.meta.url).resolve('axe-core'), 'utf8');

/** What hinders a user with a screen reader, or with weak eyes, on a page with this background, one that VS Code gives the view. */
export async function findViolations(page: Page, background: string, options: RunOptions = {}): Promise<string[]> {
  if (!(await page.evaluate(() => 'axe' in window))) await page.evaluate(AXE);
  const { passes, found } = await page.evaluate(runAxe, { background, options });
  assert.ok(passes > 0, 'nothing was checked');
  return found;
}

/** Runs in the page, so that it uses nothing from outside itself. */
async function runAxe(given: { readonly background: string; readonly options: RunOptions }) {
  document.body.style.background = given.background;
  const { axe } = window as unknown as { readonly axe: { run(options: RunOptions): Promise<AxeResults> } };
  const { passes, violations } = await axe.run({ preload: false, resultTypes: ['violations'], ...given.options });
  document.body.style.background = '';
  const found = violations.flatMap(({ id, nodes }) =>
    nodes.map(({ html, failureSummary }) => `${id}: ${html} ${failureSummary}`),
  );
  return { passes: passes.length, found };
}
