import type { Page } from 'playwright-core';
import { type Editor, openEditor, type PageOptions } from './editor.ts';

// One server and one browser for the UI suites that run after each other in a process: a start costs seven seconds, a
// page two.

let shared: Promise<Editor> | undefined;

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

/** Closes the shared editor if one was opened. */
export async function closeSharedEditor(): Promise<void> {
  const opened = shared;
  shared = undefined;
  if (opened !== undefined) await (await opened).close();
}
