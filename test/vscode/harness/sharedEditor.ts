import fs from 'node:fs';
import path from 'node:path';
import type { Page } from 'playwright-core';
import type { Editor, PageOptions } from './editor.ts';
import { writeWhole } from './server.ts';
import { clearWindow } from './workbench.ts';

// One server and one browser for the UI suites that run after each other in a process, and one window for the tests of a
// file that need no settings of their own: a window costs more CPU than most tests, eleven seconds.

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
export async function useSharedEditor(userSettings: Readonly<Record<string, unknown>> = {}): Promise<Editor> {
  shared ??= startSharedEditor();
  const { editor, settings } = await shared;
  const data = path.join(editor.server.folder, 'data');
  restore(path.join(data, 'User/settings.json'), settings);
  // Settings of the machine where an extension runs are the user's too.
  restore(path.join(data, 'Machine/settings.json'), JSON.stringify(userSettings));
  return editor;
}

async function startSharedEditor(): Promise<SharedEditor> {
  // Loaded when it is needed: most tests drive no browser.
  const { openEditor } = await import('./editor.ts');
  const editor = await openEditor({ extension: { kind: 'linked' } });
  return { editor, settings: fs.readFileSync(path.join(editor.server.folder, 'data/User/settings.json'), 'utf8') };
}

function restore(file: string, text: string): void {
  if (!fs.existsSync(file) || fs.readFileSync(file, 'utf8') !== text) writeWhole(file, text);
}

/** Opens a page with Karl in the shared editor. The caller closes the page. */
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
 * The window that tests use one after the other, without tabs, panel and notifications of the earlier ones; their
 * conversations are still stored. The caller does not close it: a test that fails does, and the next has a new one.
 */
export async function useSharedWindow(): Promise<Page> {
  if (window === undefined || window.isClosed()) window = await openSharedPage();
  else await clearWindow(window);
  return window;
}

/** Closes the window that tests share: nothing is known of what a test that failed has left in it. */
export async function closeSharedWindow(): Promise<void> {
  const left = window;
  window = undefined;
  await left?.close();
}

/** Closes the shared editor if one was opened. */
export async function closeSharedEditor(): Promise<void> {
  const opened = shared;
  shared = undefined;
  window = undefined;
  if (opened !== undefined) await (await opened).editor.close();
}
