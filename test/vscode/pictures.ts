// npm run pictures [-- NAME...]: takes the pictures of the README and of the extension's page again, into media/.
import fs from 'node:fs';
import path from 'node:path';
import type { Locator, Page } from 'playwright-core';
import type { ProviderServer } from '../adapters/server/providerServer.ts';
import { openEditor, type PageOptions } from './harness/editor.ts';
import { type Shot, writeFilm } from './harness/film.ts';
import { whenInterrupted } from './harness/interruption.ts';
import { quickInput, runCommand, runCommandThatAsks } from './harness/quickInput.ts';
import { newConversation, openKarlView, waitUntilReady } from './harness/ready.ts';
import { folderOf, writeWhole } from './harness/server.ts';
import { press, pressAway } from './harness/tries.ts';
import { findWebview, sendMessage } from './harness/workbench.ts';
import { settingsFor, startModel, writeProgram } from './harness/workScenario.ts';
import { build, root } from './setup/root.ts';

/** One picture: how the window is opened, and what is done in it before the picture is taken. */
interface Picture extends PageOptions {
  readonly name: string;
  /** What happens after Karl is ready with the sample conversation. */
  readonly prepare?: (page: Page) => Promise<void>;
  /** What is shown; otherwise the view alone, since the walkthrough shows a picture in half of an editor. */
  readonly of?: (page: Page) => Locator;
  /** The width of the side bar; otherwise it is most of the window. */
  readonly sideBar?: number;
}

/** One picture of the film, and what is done before it. */
interface Scene {
  readonly act?: (page: Page) => Promise<void>;
  /** How long it is shown, ms. */
  readonly ms: number;
}

const SIZE = { width: 1180, height: 820 };

const PICTURES: readonly Picture[] = [
  { name: 'full-dark', theme: 'dark', size: SIZE },
  { name: 'full-light', theme: 'light', size: SIZE },
  { name: 'compressed-dark', theme: 'dark', size: SIZE, prepare: compress },
  { name: 'compressed-light', theme: 'light', size: SIZE, prepare: compress },
  { name: 'work-dark', theme: 'dark', size: SIZE, prepare: work, of: (page) => page.locator('body'), sideBar: 420 },
  { name: 'work-light', theme: 'light', size: SIZE, prepare: work, of: (page) => page.locator('body'), sideBar: 420 },
  { name: 'servers-dark', theme: 'dark', size: SIZE, prepare: askServer, of: quickInput },
  { name: 'servers-light', theme: 'light', size: SIZE, prepare: askServer, of: quickInput },
];

const FILMS = [
  { name: 'compress', theme: 'dark' },
  { name: 'compress-light', theme: 'light' },
] as const;
const FILM_SIZE = { width: 720, height: 560 };
const SCENES: readonly Scene[] = [
  { ms: 2500 },
  { act: compressOnly, ms: 3000 },
  { act: openSummary, ms: 4000 },
  { act: undo, ms: 2500 },
];

/** Compresses the sample and shows what was done. */
async function compress(page: Page): Promise<void> {
  await compressOnly(page);
  await openSummary(page);
}

/** The agent asks whether it may change a file, which the diff editor shows; a command has run. */
async function work(page: Page): Promise<void> {
  writeProgram(folderOf(page));
  const model = await startModel();
  models.push(model);
  // The user's own: a server that a folder names is asked about.
  const settings = { ...settingsFor(model), 'karl.summary.when': 'never' };
  writeWhole(path.join(editor.server.folder, 'data/Machine/settings.json'), JSON.stringify(settings));
  await newConversation(page);
  await page.waitForTimeout(2000);
  await sendMessage(page, 'The check fails. Mend the program.');
  const frame = await findWebview(page, 'karl-app');
  const question = frame.locator('karl-question');
  await press(question.getByRole('button', { name: 'Allow', exact: true }), question.getByText('Change this file?'));
  await page.locator('.monaco-diff-editor').first().waitFor();
  await clearNotifications(page);
}

async function askServer(page: Page): Promise<void> {
  await runCommandThatAsks(page, 'Karl: Select Server', 'Which server runs the model');
}

async function compressOnly(page: Page): Promise<void> {
  const frame = await findWebview(page, 'karl-app');
  await runCommand(page, 'Karl: Compress Conversation');
  await bringIntoView(frame.locator('karl-compression'));
}

async function openSummary(page: Page): Promise<void> {
  const frame = await findWebview(page, 'karl-app');
  const text = frame.locator('karl-compression karl-note');
  await press(frame.getByRole('button', { name: /^Summary: / }), text);
  await bringIntoView(frame.locator('karl-compression header'));
}

/** Folds the summary and undoes the compression. */
async function undo(page: Page): Promise<void> {
  const frame = await findWebview(page, 'karl-app');
  const text = frame.locator('karl-compression karl-note');
  await pressAway(frame.getByRole('button', { name: /^Summary: / }), text);
  await runCommand(page, 'Karl: Undo Last Compression');
  const redo = frame.getByRole('button', { name: /^Redo: / });
  await bringIntoView(redo);
}

/** No further than needed: the frame in which VS Code shows the page would move too. */
async function bringIntoView(part: Locator): Promise<void> {
  await part.evaluate((element) => element.scrollIntoView({ block: 'nearest' }));
}

/** Drags the border of the side bar, so that the view has more room. */
async function widenSideBar(page: Page, width = 700): Promise<void> {
  const box = await page.locator('.part.sidebar').boundingBox();
  if (box === null) throw new Error('the side bar is not shown');
  await page.mouse.move(box.x + box.width, SIZE.height / 2);
  await page.mouse.down();
  await page.mouse.move(box.x + width, SIZE.height / 2, { steps: 8 });
  await page.mouse.up();
}

/** A window with the sample conversation in Karl's view. */
async function openSample(options: PageOptions): Promise<Page> {
  const page = await editor.openPage(options);
  await waitUntilReady(page);
  await openKarlView(page);
  return page;
}

async function clearNotifications(page: Page): Promise<void> {
  await runCommand(page, 'Notifications: Clear All Notifications');
}

/** A picture of the window, or of a part of it, at rest: no notification, no pointer over anything. */
async function shoot(page: Page, { width }: { readonly width: number }, of: Page | Locator = page): Promise<Buffer> {
  await page.mouse.move(width - 100, 200);
  await page.waitForTimeout(800);
  return of.screenshot();
}

const models: ProviderServer[] = [];
const wanted = process.argv.slice(2);
const media = path.join(root, 'media');
build();
const editor = await openEditor({ extension: { kind: 'linked' }, env: { KARL_OPEN_SAMPLE: '1' } });
const stop = whenInterrupted(() => editor.close());
try {
  for (const picture of PICTURES) {
    if (wanted.length > 0 && !wanted.includes(picture.name)) continue;
    const page = await openSample(picture);
    await widenSideBar(page, picture.sideBar);
    await picture.prepare?.(page);
    // A dialog would close.
    if (picture.of === undefined) await clearNotifications(page);
    const of = picture.of?.(page) ?? page.locator('.part.sidebar');
    fs.writeFileSync(path.join(media, `${picture.name}.png`), await shoot(page, SIZE, of));
    await page.close();
    console.log(`media/${picture.name}.png`);
  }
  for (const { name, theme } of FILMS) {
    if (wanted.length > 0 && !wanted.includes(name)) continue;
    const page = await openSample({ theme, size: FILM_SIZE });
    await widenSideBar(page, FILM_SIZE.width - 60);
    const shots: Shot[] = [];
    for (const { act, ms } of SCENES) {
      await act?.(page);
      await clearNotifications(page);
      shots.push({ png: await shoot(page, FILM_SIZE), ms });
    }
    await page.close();
    writeFilm(path.join(media, `${name}.gif`), shots);
    console.log(`media/${name}.gif`);
  }
} finally {
  await editor.close();
  await Promise.all(models.map((model) => model.close()));
  stop();
}
