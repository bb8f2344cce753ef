import fs from 'node:fs';
import path from 'node:path';
import type { Page } from 'playwright-core';
import { root } from '../setup/root.ts';
import { TIMEOUT } from './tries.ts';

/** Pictures of pages on which a test failed. */
const FAILURES = path.join(root, 'out/failures');

let pages: Page[] = [];
/** Pages that were open before the test began. */
let earlier: readonly Page[] = [];

/** Adds a page to those whose picture is saved when a test fails. */
export function watchPage(page: Page): void {
  pages = [...listOpen(), page];
}

/** Begins a test: pages that are opened from now on are its own. */
export function noteTest(): void {
  earlier = listOpen();
}

/** Closes the pages that a test opened and left open. */
export async function closePagesOfTest(): Promise<void> {
  for (const page of listOpen().filter((one) => !earlier.includes(one))) await page.close();
}

/** Saves a picture of every page that is open, named after the test that failed; those of an earlier failure stay. */
export async function savePicturesOf(test: string): Promise<void> {
  const name = test.replaceAll(/[^\w]+/g, '-').slice(0, 100);
  const time = new Date().toISOString().slice(11, 19).replaceAll(':', '');
  for (const [index, page] of listOpen().entries()) {
    const file = path.join(FAILURES, `${name}-${time}-${index + 1}.png`);
    fs.mkdirSync(FAILURES, { recursive: true });
    // The test's own error is the one to be reported.
    await page
      .screenshot({ path: file, timeout: TIMEOUT })
      .catch((error: unknown) => console.error(`no picture ${file}: ${error}`));
  }
}

function listOpen(): Page[] {
  return pages.filter((page) => !page.isClosed());
}
