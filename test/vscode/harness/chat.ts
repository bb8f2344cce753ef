import type { Page } from 'playwright-core';
import { pressAway, TIMEOUT, TRY_TIMEOUT, until } from './tries.ts';

// VS Code's own chat, driven like a user would.

const INPUT = '.interactive-session .chat-input-container .monaco-editor';

/** How long a message that was sent may take to appear, ms: if it were sent again too early, it would be said twice. */
const SENT_TIMEOUT = 30_000;

/** Opens the chat and waits until a model is chosen in it: VS Code learns of models after its window has opened. */
export async function openChat(page: Page, model: string): Promise<void> {
  const session = page.locator('.interactive-session').first();
  await until(session, () => page.keyboard.press('Control+Alt+I'));
  await session.locator('.chat-input-toolbars .action-item', { hasText: model }).waitFor({ timeout: TIMEOUT });
}

/**
 * How many rows of the open chat's model picker have a name. Searched for, since the group that it is in may be folded.
 */
export async function countInPicker(page: Page, model: string): Promise<number> {
  const rows = page.locator('.action-widget .monaco-list-row', { hasText: model });
  await until(rows.first(), async () => {
    await page.keyboard.press('Escape');
    const chosen = page.locator('.interactive-session .chat-input-toolbars .action-item', { hasText: model });
    await chosen.click({ timeout: TRY_TIMEOUT });
    await page.locator('.action-widget input').fill(model, { timeout: TRY_TIMEOUT });
  });
  const count = await rows.count();
  await page.keyboard.press('Escape');
  return count;
}

/**
 * Sends a message to the model that is chosen in the open chat, until the model has it. What is sent while VS Code still
 * activates its extensions can be lost; it is sent again then, as a user would. While VS Code asks again which models
 * there are, it answers "Language model unavailable" and asks none (1.139); "Retry" is pressed then.
 */
export async function sendInChat(page: Page, text: string, isHeard: () => boolean): Promise<void> {
  await page.locator('.statusbar-item', { hasText: 'Activating Extensions' }).waitFor({ state: 'hidden' });
  const sent = page.locator('.interactive-session .interactive-request', { hasText: text });
  const send = '.interactive-session .chat-execute-toolbar a.action-label[aria-label^="Send"]';
  await until(sent.first(), async () => {
    await focusChat(page);
    await page.keyboard.press('Control+A');
    await page.keyboard.insertText(text);
    await page
      .locator(`${INPUT} .view-line`, { hasText: text.split(' ')[0] ?? text })
      .first()
      .waitFor({ timeout: TRY_TIMEOUT });
    await page.locator(send).first().click({ timeout: TRY_TIMEOUT });
    await sent.first().waitFor({ timeout: SENT_TIMEOUT });
  });
  const refused = page.locator('.interactive-response', { hasText: 'Language model unavailable' }).last();
  await until(
    async () => isHeard(),
    async () => {
      if (await refused.isVisible())
        await refused.getByRole('button', { name: 'Retry' }).click({ timeout: TRY_TIMEOUT });
    },
  );
}

/** Puts the focus into the chat's input. */
export async function focusChat(page: Page): Promise<void> {
  await page.locator(`${INPUT} .native-edit-context, ${INPUT} textarea`).first().focus({ timeout: TRY_TIMEOUT });
}

/** Waits until an answer of the chat contains the text. */
export async function waitForAnswer(page: Page, text: string, timeout = TIMEOUT): Promise<void> {
  await page
    .locator('.interactive-item-container.interactive-response', { hasText: text })
    .first()
    .waitFor({ timeout });
}

/** Allows the agent to run the command that VS Code asks about. */
export async function allow(page: Page, timeout = TIMEOUT): Promise<void> {
  // The same question is also in a part of the answer that is folded.
  const button = page.locator('.interactive-session .monaco-button:visible', { hasText: /^Allow/ }).first();
  await button.waitFor({ timeout });
  await pressAway(button);
}

/** What the ring of the chat says, e.g. "Context window usage: 31%". */
export async function readContextRing(page: Page): Promise<string> {
  return (await page.locator('.chat-context-usage-widget').first().getAttribute('aria-label')) ?? '';
}
