import type { Frame, Page } from 'playwright-core';
import { KEYS } from './server.ts';
import { expectText, readText, until, waitFor } from './tries.ts';
import { findWebview, openViewContainer, statusItem } from './workbench.ts';

/** How long an editor may take until Karl is ready, ms: a first start on a loaded machine is slow. */
export const READY_TIMEOUT = 60_000;

/** What Karl's item of the status bar shows of a conversation: a percentage, or tokens while the window is unknown. */
const FIGURE = /Karl\s+[\d.,]+\s*(?:%|tokens)/i;

/** Waits until Karl's status bar item is there: the extension is active. */
export async function waitUntilActive(page: Page, timeout = READY_TIMEOUT): Promise<void> {
  await statusItem(page).first().waitFor({ timeout });
}

/** Waits until the status bar shows a figure: Karl is active, has a conversation and has counted it. */
export async function waitUntilReady(page: Page, timeout = READY_TIMEOUT): Promise<void> {
  await statusItem(page, FIGURE).first().waitFor({ timeout });
}

/** Opens the sample conversation as soon as Karl is active, and waits until the view shows it. */
export async function openSample(page: Page): Promise<void> {
  await waitUntilActive(page);
  await pressAndAwaitConversation(page, 'karl.openSample');
  await waitUntilReady(page);
}

/** Begins a conversation, and waits until the view shows it. */
export async function newConversation(page: Page): Promise<void> {
  await pressAndAwaitConversation(page, 'karl.new');
}

/**
 * Presses the key of a command that opens another conversation until the view shows that one: a message that is sent
 * earlier would go to the previous conversation.
 */
async function pressAndAwaitConversation(page: Page, command: keyof typeof KEYS): Promise<void> {
  const before = await readConversation(page);
  let isPressed = false;
  const isAnother = async () => {
    const shown = isPressed ? await readConversation(page) : undefined;
    return shown !== undefined && shown !== before;
  };
  await until(isAnother, async () => {
    await page.keyboard.press(KEYS[command]);
    isPressed = true;
  });
}

/** The id of the conversation that Karl's view shows; undefined while it shows none. */
async function readConversation(page: Page): Promise<string | undefined> {
  for (const frame of page.frames()) {
    const shown = await frame
      .locator('karl-app')
      .evaluateAll(([app]) => (app as HTMLElementTagNameMap['karl-app'] | undefined)?.state?.conversation?.id)
      // A frame that is just being loaded shows nothing yet.
      .catch(() => undefined);
    if (shown !== undefined) return shown;
  }
  return undefined;
}

/** Opens Karl's view and returns its frame when the gauge is drawn. */
export async function openKarlView(page: Page, timeout = READY_TIMEOUT): Promise<Frame> {
  await openViewContainer(page, 'Karl');
  const frame = await findWebview(page, 'karl-app', timeout);
  await frame.locator('karl-gauge').first().waitFor({ timeout });
  return frame;
}

export async function readPercent(page: Page): Promise<number> {
  return Number(/(\d+)\s*%/.exec(await readText(statusItem(page, FIGURE).first()))?.[1]);
}

/**
 * Waits until the figures are exact and the same in the view and in the status bar, and returns the percentage: before
 * the tokenizer has its tables they are estimates, and one of the two may be a moment behind the other.
 */
export async function untilCounted(page: Page, frame: Frame): Promise<number> {
  await expectText(frame.locator('karl-gauge .source').first(), /^exact count/i);
  const shown = async () => {
    const use = await readText(frame.locator('karl-gauge .use').first());
    return [Number(/(\d+)\s*%/.exec(use)?.[1]), await readPercent(page)] as const;
  };
  const [percent] = await waitFor(shown, ([inView, inBar]) => inView === inBar, { what: 'view and status bar show' });
  return percent;
}
