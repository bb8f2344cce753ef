import type { Frame, Locator, Page } from 'playwright-core';

// What a user does with the workbench, on a playwright page: palette, status bar, notifications, output, webviews.

const TIMEOUT = 60_000;
/** How long a key or a click is given to show an effect before it is tried again; what is heard late must not count twice. */
const TRY_TIMEOUT = 10_000;
const QUICK_INPUT = '.quick-input-widget:not([style*="display: none"])';

/**
 * Runs a command by its palette title, such as "Karl: Compress Conversation". A key that the workbench did not hear yet,
 * or a palette that was opened before the command was registered, is tried again, as a user would.
 */
export async function runCommand(page: Page, title: string): Promise<void> {
  const input = page.locator(`${QUICK_INPUT} input[type="text"]`).first();
  // A row's label is the title, followed by a comma and the shortcut, the group or both: a longer title is another command.
  const rows = page.locator(`${QUICK_INPUT} .monaco-list-row`);
  const row = rows.and(page.locator(`[aria-label="${title}"], [aria-label^="${title},"]`)).first();
  for (const deadline = Date.now() + TIMEOUT; ; ) {
    try {
      await page.keyboard.press('F1');
      await input.waitFor({ state: 'visible', timeout: TRY_TIMEOUT });
      await input.fill(`>${title}`, { timeout: TRY_TIMEOUT });
      await row.click({ timeout: TRY_TIMEOUT });
      return;
    } catch (error) {
      if (Date.now() > deadline) throw error;
      if (await input.isVisible()) await page.keyboard.press('Escape');
      // A view that is just being drawn may hold the focus and swallow keys.
      else await page.evaluate(() => (document.activeElement as HTMLElement | null)?.blur());
    }
  }
}

/**
 * Does something that the workbench may not hear yet, again and again as a user would, until it shows. `act` is not
 * called while `shows` is true. Throws when it does not show within the time.
 */
export async function until(shows: Locator, act: () => Promise<void>): Promise<void> {
  for (const deadline = Date.now() + TIMEOUT; ; ) {
    if (await shows.isVisible()) return;
    try {
      await act();
      await shows.waitFor({ timeout: TRY_TIMEOUT });
      return;
    } catch (error) {
      if (Date.now() > deadline) throw error;
    }
  }
}

/** The same for what makes something go away. */
export async function untilGone(gone: Locator, act: () => Promise<void>): Promise<void> {
  for (const deadline = Date.now() + TIMEOUT; ; ) {
    if (await gone.isHidden()) return;
    try {
      await act();
      await gone.waitFor({ state: 'hidden', timeout: TRY_TIMEOUT });
      return;
    } catch (error) {
      if (Date.now() > deadline) throw error;
    }
  }
}

/** Clicks something until what it opens shows. */
export async function press(target: Locator, shows: Locator): Promise<void> {
  await until(shows, () => target.click({ timeout: TRY_TIMEOUT }));
}

/** Clicks something until that, or what it closes, is gone. */
export async function pressAway(target: Locator, gone: Locator = target): Promise<void> {
  await gone.waitFor({ timeout: TIMEOUT });
  await untilGone(gone, () => target.click({ timeout: TRY_TIMEOUT }));
}

/** Waits until there are so many; throws with the count that there was. */
export async function expectCount(what: Locator, count: number): Promise<void> {
  await waitFor(
    () => what.count(),
    (seen) => seen === count,
    TIMEOUT,
    `${what}`,
  );
}

/** The open quick pick or input box whose title contains the text; any, without one. */
export function quickInput(page: Page, title?: string): Locator {
  const widget = page.locator(QUICK_INPUT);
  return title === undefined ? widget : widget.filter({ has: page.locator('.quick-input-title', { hasText: title }) });
}

/** Leaves the open quick pick or input box. */
export async function leaveQuickInput(page: Page, title: string): Promise<void> {
  const open = quickInput(page, title);
  await open.waitFor({ timeout: TIMEOUT });
  await untilGone(open, () => page.keyboard.press('Escape'));
}

/** Chooses the row of the open quick pick that contains the text. */
export async function pick(page: Page, text: string): Promise<void> {
  await pressAway(page.locator(`${QUICK_INPUT} .monaco-list-row`, { hasText: text }).first());
}

/**
 * Types into the input box whose title contains `box`, once it is open, and presses Enter, until it has closed, asks anew
 * or shows `refusal`.
 */
export async function enterText(page: Page, box: string, text: string, refusal?: string): Promise<void> {
  const open = quickInput(page, box);
  const input = open.locator('input').first();
  const refused = open.locator('.quick-input-message', { hasText: refusal ?? '' });
  const isTaken = async (): Promise<boolean> =>
    (refusal !== undefined && (await refused.isVisible())) ||
    (await input.isHidden()) ||
    (await input.inputValue({ timeout: TRY_TIMEOUT })) !== text;
  let isEntered = false;
  for (const deadline = Date.now() + TIMEOUT; ; ) {
    try {
      await input.fill(text, { timeout: TRY_TIMEOUT });
      await input.press('Enter', { timeout: TRY_TIMEOUT });
      isEntered = true;
      await waitFor(isTaken, (taken) => taken, TRY_TIMEOUT);
      return;
    } catch (error) {
      if (isEntered && (await input.isHidden())) return;
      if (Date.now() > deadline) throw error;
    }
  }
}

/** Sends a message from Karl's composer. */
export async function sendMessage(page: Page, text: string): Promise<void> {
  await waitFor(
    async () => {
      const frame = await findWebview(page, 'karl-composer');
      const box = frame.locator('karl-composer textarea');
      try {
        await box.fill(text, { timeout: TRY_TIMEOUT });
        await box.press('Enter', { timeout: TRY_TIMEOUT });
        return await box.inputValue({ timeout: TRY_TIMEOUT });
      } catch (error) {
        // The frame was loaded again, or something lay over it.
        return String(error);
      }
    },
    (left) => left === '',
  );
}

/** The labels of the rows of the open quick pick. */
export async function readPicks(page: Page): Promise<string[]> {
  const rows = page.locator(`${QUICK_INPUT} .monaco-list-row`);
  await rows.first().waitFor({ timeout: TIMEOUT });
  return rows.evaluateAll((elements) => elements.map((element) => element.getAttribute('aria-label') ?? ''));
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

/** Presses a button of a notification in the notification centre, which takes the notification away. */
export async function pressNotificationButton(page: Page, text: string): Promise<void> {
  await readNotifications(page);
  const buttons = page.locator('.notifications-center .monaco-button', { hasText: text });
  await buttons.first().waitFor({ timeout: TIMEOUT });
  const before = await buttons.count();
  await untilGone(buttons.nth(before - 1), async () => {
    await readNotifications(page);
    // The bell's own tooltip may lie over the button.
    await page.mouse.move(640, 300);
    await buttons.first().click({ timeout: TRY_TIMEOUT });
  });
}

/** Closes the notification centre. */
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

/** A frame may navigate away while it is asked; it then has nothing yet. */
async function countIn(frame: Frame, selector: string): Promise<number> {
  return frame
    .locator(selector)
    .count()
    .catch(() => 0);
}

/**
 * Waits until a condition holds; `read` is called again and again. Throws with the last value after the time, and says what
 * it is the value of when that was given.
 */
export async function waitFor<Value>(
  read: () => Promise<Value>,
  holds: (value: Value) => boolean,
  timeout = TIMEOUT,
  what = '',
): Promise<Value> {
  const end = Date.now() + timeout;
  for (;;) {
    const value = await read();
    if (holds(value)) return value;
    if (Date.now() > end) throw new Error(`${what} still ${JSON.stringify(value)} after ${timeout} ms`.trim());
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
}
