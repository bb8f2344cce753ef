import fs from 'node:fs';
import path from 'node:path';
import type { Page } from 'playwright-core';
import { root } from '../setup/root.ts';

/** Pictures of pages on which a test failed. */
const FAILURES = path.join(root, 'out/failures');

let pages: Page[] = [];

/** Takes a page among those whose picture is saved when a test fails. */
export function watchPage(page: Page): void {
  pages = [...pages.filter((other) => !other.isClosed()), page];
}

/** Saves a picture of every page that is open, named after the test that failed. */
export async function savePicturesOf(test: string): Promise<void> {
  const name = test.replaceAll(/[^\w]+/g, '-').slice(0, 100);
  for (const [index, page] of pages.filter((one) => !one.isClosed()).entries()) {
    fs.mkdirSync(FAILURES, { recursive: true });
    await page.screenshot({ path: path.join(FAILURES, `${name}-${index + 1}.png`) });
  }
}
