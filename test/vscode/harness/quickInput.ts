import type { Locator, Page } from 'playwright-core';
import { dismiss, pressAway, TIMEOUT, TRY_TIMEOUT, until, waitFor } from './tries.ts';

// VS Code's palette, quick picks and input boxes: one element for all of them, which shows the newest.

/** The open one, not one that is fading away. */
const OPEN = '.quick-input-widget:not([style*="display: none"]):not(.quick-input-widget-closing)';

/** The open quick pick or input box whose title contains the text; any, without one. */
export function quickInput(page: Page, title?: string): Locator {
  const widget = page.locator(OPEN);
  return title === undefined ? widget : widget.filter({ has: page.locator('.quick-input-title', { hasText: title }) });
}

/**
 * Runs a command by its palette title, such as "Karl: Compress Conversation". Tries again, as a user would, when the
 * workbench did not hear a key or the palette was opened before the command was registered.
 */
export async function runCommand(page: Page, title: string): Promise<void> {
  const input = quickInput(page).locator('input[type="text"]').first();
  // A row's label is the title, followed by a comma and the shortcut, the group or both: a longer title is another
  // command.
  const rows = quickInput(page).locator('.monaco-list-row');
  const row = rows.and(page.locator(`[aria-label="${title}"], [aria-label^="${title},"]`)).first();
  const typed = `>${title}`;
  for (const deadline = Date.now() + TIMEOUT; ; ) {
    try {
      await page.keyboard.press('F1');
      await input.waitFor({ state: 'visible', timeout: TRY_TIMEOUT });
      await input.fill(typed, { timeout: TRY_TIMEOUT });
      await row.click({ timeout: TRY_TIMEOUT });
      break;
    } catch (error) {
      if (Date.now() > deadline) throw error;
      if (await input.isVisible()) await page.keyboard.press('Escape');
      // A view that is just being drawn may hold the focus and swallow keys.
      else await page.evaluate(() => (document.activeElement as HTMLElement | null)?.blur());
    }
  }
  // Afterwards the palette is gone, or is what the command asks in its place.
  const read = () => readValue(input);
  await waitFor(read, (value) => value !== typed, { what: `"${title}" was chosen, and the palette has` });
}

/** The text in an input; undefined when the input is not there, or goes away meanwhile, also with its whole page. */
async function readValue(input: Locator): Promise<string | undefined> {
  const [value] = await input
    .evaluateAll((all) => all.map((one) => (one as HTMLInputElement).value))
    .catch((error: Error) => (/navigation/.test(error.message) ? [] : Promise.reject(error)));
  return value;
}

/**
 * Runs a command that asks with a quick pick or an input box, again until that is open: it closes when it loses the
 * focus.
 */
export async function runCommandThatAsks(page: Page, title: string, asked: string): Promise<void> {
  await until(quickInput(page, asked), () => runCommand(page, title));
}

export async function leaveQuickInput(page: Page, title: string): Promise<void> {
  await dismiss(quickInput(page, title), () => page.keyboard.press('Escape'));
}

export async function pick(page: Page, text: string): Promise<void> {
  await pressAway(quickInput(page).locator('.monaco-list-row', { hasText: text }).first());
}

export async function readPicks(page: Page): Promise<string[]> {
  const rows = quickInput(page).locator('.monaco-list-row');
  await rows.first().waitFor({ timeout: TIMEOUT });
  return await rows.evaluateAll((elements) => elements.map((element) => element.getAttribute('aria-label') ?? ''));
}

/**
 * Types into the input box whose title contains `box`, once it is open, and presses Enter, until the box has closed,
 * asks something else or shows `refusal`.
 */
export async function enterText(page: Page, box: string, text: string, refusal?: string): Promise<void> {
  const open = quickInput(page, box);
  const input = open.locator('input').first();
  const refused = open.locator('.quick-input-message', { hasText: refusal ?? '' });
  const isTaken = async (): Promise<boolean> =>
    (refusal !== undefined && (await refused.isVisible())) || (await readValue(input)) !== text;
  await input.waitFor({ state: 'visible', timeout: TIMEOUT });
  let isEntered = false;
  for (const deadline = Date.now() + TIMEOUT; ; ) {
    try {
      await input.fill(text, { timeout: TRY_TIMEOUT });
      await input.press('Enter', { timeout: TRY_TIMEOUT });
      isEntered = true;
      await waitFor(isTaken, Boolean, { timeout: TRY_TIMEOUT });
      return;
    } catch (error) {
      if (isEntered && (await input.isHidden())) return;
      if (Date.now() > deadline) throw error;
    }
  }
}
