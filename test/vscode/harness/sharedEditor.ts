import type { Page } from 'playwright-core';
import { type Editor, openEditor, type PageOptions } from './editor.ts';
import { clearWindow } from './workbench.ts';

// One server and one browser for the UI suites that run after each other in a process, and one window for those of
// their tests that need no settings of their own: a window costs more CPU than most tests, eleven seconds.

let shared: Promise<Editor> | undefined;
let window: Page | undefined;

/** Opens a page with Karl in the shared editor, which is started for the first page. The caller closes the page. */
export async function openSharedPage(options: PageOptions = {}): Promise<Page> {
  shared ??= openEditor({ extension: { kind: 'linked' } });
  const opened = shared;
  try {
    return await (await opened).openPage(options);
  } catch (error) {
    // An editor that cannot open a page is not left to the tests that follow.
    shared = undefined;
    await opened.then(
      (editor) => editor.close(),
      () => undefined,
    );
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
  if (opened !== undefined) await (await opened).close();
}
