// npm run pictures [-- NAME...]: takes the README's pictures again, into media/.
import fs from 'node:fs';
import path from 'node:path';
import type { Page } from 'playwright-core';
import { openEditor, type PageOptions } from './harness/editor.ts';
import { whenInterrupted } from './harness/interruption.ts';
import { openKarlView, waitUntilReady } from './harness/ready.ts';
import { findWebview, press, runCommand } from './harness/workbench.ts';
import { build } from './setup/build.ts';
import { root } from './setup/root.ts';

/** One picture: how the window is opened, what is done in it before the picture is taken, and which part is taken. */
interface Picture extends PageOptions {
  readonly name: string;
  /** What happens after Karl is ready with the sample conversation. */
  readonly prepare?: (page: Page) => Promise<void>;
  /** A part of the window, in CSS pixels; the whole by default. */
  readonly clip?: { readonly x: number; readonly y: number; readonly width: number; readonly height: number };
}

const SIZE = { width: 1180, height: 820 };

const PICTURES: readonly Picture[] = [
  { name: 'full', theme: 'dark', size: SIZE },
  { name: 'compressed-dark', theme: 'dark', size: SIZE, prepare: compress },
  { name: 'compressed-light', theme: 'light', size: SIZE, prepare: compress },
];

/** Compresses the sample and shows what was done. */
async function compress(page: Page): Promise<void> {
  const frame = await findWebview(page, 'karl-app');
  await runCommand(page, 'Karl: Compress Conversation');
  const text = frame.locator('karl-compression karl-note');
  await press(frame.getByRole('button', { name: /^Summary of the compression/ }), text);
  await frame.locator('karl-compression').scrollIntoViewIfNeeded();
}

/** Drags the border of the side bar, so that the view has room. */
async function widenSideBar(page: Page): Promise<void> {
  const box = await page.locator('.part.sidebar').boundingBox();
  if (box === null) throw new Error('the side bar is not shown');
  await page.mouse.move(box.x + box.width, SIZE.height / 2);
  await page.mouse.down();
  await page.mouse.move(box.x + 700, SIZE.height / 2, { steps: 8 });
  await page.mouse.up();
}

const wanted = process.argv.slice(2);
await build();
const editor = await openEditor({ extension: { kind: 'linked' }, env: { KARL_OPEN_SAMPLE: '1' } });
const stop = whenInterrupted(() => editor.close());
try {
  for (const picture of PICTURES) {
    if (wanted.length > 0 && !wanted.includes(picture.name)) continue;
    const page = await editor.openPage(picture);
    await waitUntilReady(page);
    await openKarlView(page);
    await widenSideBar(page);
    await picture.prepare?.(page);
    await runCommand(page, 'Notifications: Clear All Notifications');
    await page.mouse.move(SIZE.width - 100, 200);
    await page.waitForTimeout(800);
    const file = path.join(root, 'media', `${picture.name}.png`);
    fs.mkdirSync(path.dirname(file), { recursive: true });
    await page.screenshot({ path: file, ...(picture.clip === undefined ? {} : { clip: picture.clip }) });
    await page.close();
    console.log(path.relative(root, file));
  }
} finally {
  await editor.close();
  stop();
}
