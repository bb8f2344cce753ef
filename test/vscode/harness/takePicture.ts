import fs from 'node:fs';
import path from 'node:path';
import type { Page } from 'playwright-core';
import { root } from '../setup/root.ts';

/** Pictures of what was tested, for people to look at. */
const PICTURES = path.join(root, 'out/pictures');

/** Saves a picture of the window as it is now. */
export async function takePicture(page: Page, name: string): Promise<void> {
  fs.mkdirSync(PICTURES, { recursive: true });
  await page.screenshot({ path: path.join(PICTURES, `${name}.png`) });
}
