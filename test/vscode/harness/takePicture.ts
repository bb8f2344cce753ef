import fs from 'node:fs';
import path from 'node:path';
import type { Locator, Page } from 'playwright-core';
import { root } from '../setup/root.ts';

/** Pictures of what was tested, for people to look at. */
const PICTURES = path.join(root, 'out/pictures');

/** With KARL_PICTURES=1, saves a picture of the window, or of a part of it, as it is now. */
export async function takePicture(of: Page | Locator, name: string): Promise<void> {
  if (process.env.KARL_PICTURES === undefined) return;
  const file = path.join(PICTURES, `${name}.png`);
  fs.mkdirSync(path.dirname(file), { recursive: true });
  await of.screenshot({ path: file });
}
