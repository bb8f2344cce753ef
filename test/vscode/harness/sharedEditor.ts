import fs from 'node:fs';
import path from 'node:path';
import type { Page } from 'playwright-core';
import { root } from '../setup/root.ts';
import type { Editor, PageOptions } from './editor.ts';
import { waitUntilActive } from './ready.ts';
import { settingsOf, writeWhole } from './server.ts';
import { waitFor } from './tries.ts';
import { clearWindow } from './workbench.ts';

// One server, one browser and one window for the UI tests that run after each other in a process: a window costs more CPU
// than most tests, some ten seconds. Tests that need a new window, or two, open them in the same editor.

type Settings = Readonly<Record<string, unknown>>;

interface SharedEditor {
  readonly editor: Editor;
  /** The user's settings when it was started. */
  readonly settings: string;
}

let shared: Promise<SharedEditor> | undefined;
let window: Page | undefined;

/**
 * The shared editor, which is started for the first test, as a user with these settings of Karl has it: what earlier
 * tests chose is gone. The caller closes the pages that it opens, and not the editor.
 */
export async function useSharedEditor(userSettings: Settings = {}): Promise<Editor> {
  const { editor, settings } = await useShared();
  const data = path.join(editor.server.folder, 'data');
  restore(path.join(data, 'User/settings.json'), settings);
  // Settings of the machine where an extension runs are the user's too.
  restore(path.join(data, 'Machine/settings.json'), JSON.stringify(userSettings));
  return editor;
}

function useShared(): Promise<SharedEditor> {
  shared ??= startSharedEditor();
  return shared;
}

async function startSharedEditor(): Promise<SharedEditor> {
  // Loaded when it is needed: most tests drive no browser.
  const { openEditor } = await import('./editor.ts');
  // Beside it is an extension that brings VS Code a model.
  const beside = path.join(root, 'test/fixtures/models');
  const editor = await openEditor({ extension: { kind: 'linked' }, builtins: 'few', beside });
  return { editor, settings: fs.readFileSync(path.join(editor.server.folder, 'data/User/settings.json'), 'utf8') };
}

function restore(file: string, text: string): void {
  if (!fs.existsSync(file) || fs.readFileSync(file, 'utf8') !== text) writeWhole(file, text);
}

export async function openSharedPage(options: PageOptions = {}): Promise<Page> {
  try {
    return await (await useSharedEditor()).openPage(options);
  } catch (error) {
    // An editor that cannot open a page is not left to the tests that follow.
    await closeSharedEditor().catch(() => undefined);
    throw error;
  }
}

/**
 * The window that tests use one after the other, in which Karl is active, with these settings of its folder and of the
 * user, and without tabs, panel and notifications of the earlier tests; their conversations are still stored. The caller
 * does not close it: a test that fails does, and the next has a new one.
 */
export async function useSharedWindow(settings: Settings = {}, userSettings: Settings = {}): Promise<Page> {
  const users = { ...NOTHING_CHOSEN, ...userSettings };
  if (window === undefined || window.isClosed()) {
    const editor = await useSharedEditor(users);
    window = await editor.openPage({ settings });
    await waitUntilActive(window);
  } else {
    await clearWindow(window);
    await changeSettings(window, settings, users);
  }
  return window;
}

/**
 * What dialogs choose is written where it is set already: into the settings of the machine, whose file VS Code watches.
 * That of the user is read once for each window.
 */
const NOTHING_CHOSEN = { 'karl.baseUrl': '', 'karl.model': '' };

let changes = 0;

/** What was last written into a file of settings, and for which settings. */
const written = new Map<string, { readonly text: string; readonly wanted: string }>();

/**
 * Gives a window other settings, and waits until it has read them: its title shows a number from each of the two files.
 * Nothing is written where they are as they were left: the whole workbench looks at each change.
 */
async function changeSettings(page: Page, settings: Settings, userSettings: Settings): Promise<void> {
  const { editor } = await useShared();
  const machine = path.join(editor.server.folder, 'data/Machine/settings.json');
  const workspace = settingsOf(page);
  const wanted = JSON.stringify([settings, userSettings]);
  const isAsLeft = (file: string) => {
    const last = written.get(file);
    return last?.wanted === wanted && last.text === fs.readFileSync(file, 'utf8');
  };
  if (isAsLeft(machine) && isAsLeft(workspace)) return;
  changes += 1;
  for (const [file, content] of [
    [machine, { ...userSettings, 'window.titleSeparator': ` ${changes} ` }],
    [workspace, { 'workbench.colorTheme': 'Dark Modern', ...settings, 'window.title': `${changes}\${separator}x` }],
  ] as const) {
    const text = JSON.stringify(content);
    written.set(file, { text, wanted });
    writeWhole(file, text);
  }
  const title = `${changes} ${changes} x`;
  const read = () => page.title();
  await waitFor(read, (shown) => shown === title, { what: 'the title of the window is' });
}

/** Closes the window that tests share: nothing is known of what a test that failed has left in it. */
export async function closeSharedWindow(): Promise<void> {
  const left = window;
  window = undefined;
  await left?.close();
}

export async function closeSharedEditor(): Promise<void> {
  const opened = shared;
  shared = undefined;
  window = undefined;
  if (opened !== undefined) await (await opened).editor.close();
}
