import type { Frame, Locator, Page } from 'playwright-core';
import { quickInput, runCommand } from './quickInput.ts';
import { TIMEOUT, TRY_TIMEOUT, until, untilGone, waitFor } from './tries.ts';

// What a user does with the workbench, on a playwright page: composer, status bar, notifications, output, webviews.

/**
 * Sends a message from Karl's composer, and returns when the view has asked for it. An empty box does not show that: the
 * page may have been loaded again between the text and the key.
 */
export async function sendMessage(page: Page, text: string): Promise<void> {
  await waitFor(
    async () => {
      const app = (await findWebview(page, 'karl-composer')).locator('karl-app');
      const box = app.locator('karl-composer textarea');
      try {
        await box.fill(text, { timeout: TRY_TIMEOUT });
        const hearing = await app.evaluateHandle(listenForSend, undefined, { timeout: TRY_TIMEOUT });
        const [sent] = await Promise.allSettled([
          hearing.evaluate(({ isSent }) => isSent),
          box.press('Enter', { timeout: TRY_TIMEOUT }).finally(() => hearing.evaluate(({ stop }) => stop())),
        ]);
        return sent.status === 'fulfilled' ? sent.value : String(sent.reason);
      } catch (error) {
        // The frame was loaded again, or something covered it.
        return String(error);
      }
    },
    (sent) => sent === true,
    { what: 'that the message was sent is' },
  );
}

/** Runs in the page of Karl's view: whether it asks for a message to be sent before `stop` is called. */
function listenForSend(app: Element): { readonly isSent: Promise<boolean>; readonly stop: () => void } {
  const { promise, resolve } = Promise.withResolvers<boolean>();
  (app as HTMLElement).addEventListener('karl-intent', ({ intent }) => {
    if (intent.type === 'send') resolve(true);
  });
  return { isSent: promise, stop: () => resolve(false) };
}

export async function copyImage(page: Page): Promise<void> {
  await page.evaluate(async () => {
    const canvas = document.createElement('canvas');
    const image = await new Promise<Blob | null>((resolve) => canvas.toBlob(resolve, 'image/png'));
    if (image !== null) await navigator.clipboard.write([new ClipboardItem({ 'image/png': image })]);
  });
}

/** Karl's status bar items, or the ones whose text matches. */
export function statusItem(page: Page, text: RegExp = /Karl/): Locator {
  return page.locator('.statusbar-item', { hasText: text });
}

/** Opens the notification centre and reads it, newest first. Toasts are not shown to an extension in development. */
export async function readNotifications(page: Page): Promise<string[]> {
  const center = page.locator('.notifications-center.visible');
  const bell = page.locator('.statusbar-item[id="status.notifications"] a');
  await until(center, () => bell.click({ timeout: TRY_TIMEOUT }));
  return center.locator('.notification-list-item-message').allInnerTexts();
}

/** Waits for a notification that has the text, and gives all that there are. */
export function expectNotification(page: Page, text: string | RegExp): Promise<readonly string[]> {
  const has = (told: string) => (typeof text === 'string' ? told.includes(text) : text.test(told));
  return waitFor(
    () => readNotifications(page),
    (all) => all.some(has),
    { what: `the notifications, one of which should have ${text}, are` },
  );
}

export async function closeNotifications(page: Page): Promise<void> {
  await untilGone(page.locator('.notifications-center.visible'), () => page.keyboard.press('Escape'));
}

/** The lines that the Output panel shows now, after an output channel was opened. Long outputs show their end only. */
export async function readOutput(page: Page): Promise<string[]> {
  const lines = page.locator('.output-view .view-line');
  await lines.first().waitFor({ timeout: TIMEOUT });
  const positioned = await lines.evaluateAll((elements) =>
    elements.map((element) => ({
      top: Number.parseFloat((element as HTMLElement).style.top),
      text: (element.textContent ?? '').replaceAll('\u00a0', ' '),
    })),
  );
  return positioned.sort((a, b) => a.top - b.top).map((line) => line.text);
}

/** Answers a modal dialog. */
export async function pressDialogButton(page: Page, name: string): Promise<void> {
  const dialog = page.locator('.monaco-dialog-box');
  await dialog.getByRole('button', { name, exact: true }).click();
  await dialog.waitFor({ state: 'hidden' });
}

/** Closes what tests leave open in a window: dialogs, tabs, the panel and all notifications. */
export async function clearWindow(page: Page): Promise<void> {
  await untilGone(quickInput(page), () => page.keyboard.press('Escape'));
  await untilGone(page.locator('.modal-editor-part'), () => page.keyboard.press('Escape'));
  await untilGone(page.locator('.part.panel'), () => runCommand(page, 'View: Hide Panel'));
  await untilGone(page.locator('.part.editor .tab').first(), () => runCommand(page, 'View: Close All Editors'));
  await runCommand(page, 'Notifications: Clear All Notifications');
}

/**
 * Loads a window again with VS Code's own command, which first stores what is open. VS Code does that every few seconds
 * otherwise: after `page.reload()`, tabs may be missing.
 */
export async function reloadWindow(page: Page): Promise<void> {
  const loads = page.waitForEvent('framenavigated', { predicate: (frame) => frame === page.mainFrame() });
  await Promise.all([loads, runCommand(page, 'Developer: Reload Window')]);
}

/** Clicks a view container's icon in the activity bar unless it is open already. */
export async function openViewContainer(page: Page, title: string): Promise<void> {
  const item = `.activitybar .action-item:has(a.action-label[aria-label^="${title}"])`;
  // A click on the open container's icon would close it.
  const open = page.locator(item).and(page.locator('.checked')).first();
  await until(open, () => page.locator(item).first().click({ timeout: TRY_TIMEOUT }));
}

/**
 * The frame of the webview that contains an element for a CSS selector. Open shadow roots are searched too.
 * Throws when there is none within the time.
 */
export async function findWebview(page: Page, selector: string, timeout = TIMEOUT): Promise<Frame> {
  const end = Date.now() + timeout;
  while (Date.now() < end) {
    for (const frame of page.frames()) {
      if (frame === page.mainFrame() || frame.isDetached()) continue;
      if ((await countIn(frame, selector)) > 0) return frame;
    }
    await page.waitForTimeout(200);
  }
  throw new Error(`no webview with ${selector} within ${timeout} ms`);
}

/** A frame may navigate away while it is being asked; then it has nothing yet. */
async function countIn(frame: Frame, selector: string): Promise<number> {
  return frame
    .locator(selector)
    .count()
    .catch(() => 0);
}
